#include "search/part_filter.h"

#include <algorithm>
#include <utility>

#include "base/prefetch.h"
#include "base/sorted.h"
#include "search/document.h"
#include "search/posting_bits.h"

namespace holdfast::search {
namespace {

// A list of at most this share of a part is walked rather than laid out as bits.
constexpr uint32_t kFewShare = 32;
// A list of at most this share of a part is laid out for one walk.
constexpr uint32_t kLayOutShare = 8;
constexpr size_t kFetchedAhead = 8;  // documents

// The documents of a word for which good(doc) is true.
template <typename Good>
uint64_t mask_of(const Columns& columns, size_t word, Good&& good) {
  uint64_t mask = 0;
  const size_t end = std::min<size_t>(word * 64 + 64, columns.count);
  for (size_t doc = word * 64; doc < end; ++doc)
    mask |= uint64_t{good(static_cast<uint32_t>(doc)) ? 1U : 0U} << (doc & 63);
  return mask;
}

}  // namespace

std::vector<std::string> Filter::names() const {
  std::vector<std::string> names;
  if (!kinds.empty()) names.emplace_back("kinds");
  if (!not_kinds.empty()) names.emplace_back("not_kinds");
  for (const FacetFilter& facet : facets)
    names.push_back((facet.negated ? "not_facet:" : "facet:") + facet.name);
  for (const RangeFilter& range : ranges)
    names.push_back((range.negated ? "not_range:" : "range:") + range.name);
  if (from || to) names.emplace_back("time");
  if (valid_at) names.emplace_back("valid_at");
  if (!inside_words.empty()) names.emplace_back("inside_words");
  if (!not_numbers.empty()) names.emplace_back("not_numbers");
  if (after_number > 0) names.emplace_back("after_number");
  if (only_numbers) names.emplace_back("only_numbers");
  return names;
}

VisibleLabels::VisibleLabels(const access::SpaceAccess& access, const Tables& tables)
    : everything_(access.viewer().sees_everything()),
      searchable_(tables.totals().searchable),
      length_(tables.totals().length) {
  if (everything_) return;
  seen_.resize(tables.label_count());
  searchable_ = 0;
  length_ = 0;
  int64_t documents = 0;
  for (uint32_t label = 0; label < tables.label_count(); ++label) {
    const LabelCounts& counts = tables.counts(label);
    if (counts.documents == 0 || !access.may_see(tables.label(label))) continue;
    seen_[label] = 1;
    documents += counts.documents;
    searchable_ += counts.searchable;
    length_ += counts.length;
  }
  everything_ = documents == tables.totals().documents;
}

PartFilter::PartFilter(const Filter& filter, const VisibleLabels& visible, const Tables& tables,
                       const Part& part)
    : part_(part), all_labels_(visible.everything()), all_alive_(part.dead_count() == 0) {
  if (!all_labels_) {
    bool any = false;
    for (const uint32_t label : part.labels()) {
      label_ok_.push_back(visible.sees(label) ? 1 : 0);
      any = any || label_ok_.back() != 0;
    }
    empty_ = !any;
  }
  all_kinds_ = filter.kinds.empty() && filter.not_kinds.empty();
  if (!all_kinds_) {
    all_kinds_ = true;
    for (const uint16_t kind : part.kinds()) {
      const std::string& name = tables.kind(kind);
      const bool wanted =
          filter.kinds.empty() || std::ranges::find(filter.kinds, name) != filter.kinds.end();
      kind_ok_.push_back(
          wanted && std::ranges::find(filter.not_kinds, name) == filter.not_kinds.end() ? 1 : 0);
      all_kinds_ = all_kinds_ && kind_ok_.back() != 0;
    }
  }
  if (filter.from) from_ = to_micros(*filter.from);
  if (filter.to) to_ = to_micros(*filter.to);
  // Most parts hold nothing that ends; looking into each document would cost more than scoring it.
  if (filter.valid_at && part.find_facet(kValidityMark)) valid_at_ = to_micros(*filter.valid_at);
  for (const FacetFilter& facet : filter.facets) {
    Facets here{.any_of = {}, .negated = facet.negated};
    for (const std::string& value : facet.any_of) {
      const auto id = part.find_facet(facet.name + '\0' + value);
      if (!id) continue;
      here.any_of.push_back(*id);
      here.docs += part.facet_postings(*id).count;
    }
    std::ranges::sort(here.any_of);
    if (here.any_of.empty()) {
      empty_ = empty_ || !facet.negated;
    } else {
      facets_.push_back(std::move(here));
    }
  }
  for (const RangeFilter& range : filter.ranges) {
    const auto name = part.find_name(range.name);
    if (!name) empty_ = empty_ || !range.negated;
    if (name) ranges_.push_back({name, range.from, range.to, range.negated});
  }
  for (const std::string& inside : filter.inside_words) words_.push_back({.inside = inside});
  if (const auto& unless = filter.inside_words_unless; unless && !words_.empty())
    words_unless_ = part.find_facet(unless->name + '\0' + unless->text);
  not_numbers_ = filter.not_numbers;
  std::ranges::sort(not_numbers_);
  with_text_ = filter.with_text;
  after_number_ = filter.after_number;
  only_ = filter.only_numbers.get();
  if (after_number_ > 0) empty_ = empty_ || part.largest_number() <= after_number_;
  needs_times_ = filter.from || filter.to;
  needs_rest_ = !not_numbers_.empty() || filter.with_text || after_number_ > 0;
  needs_columns_ = !all_kinds_ || needs_times_ || needs_rest_ || only_ != nullptr;
  needs_blob_ = valid_at_.has_value() || !facets_.empty() || !ranges_.empty() || !words_.empty();
}

const std::vector<PartFilter::Words>& PartFilter::words() const {
  for (Words& words : words_) {
    if (std::exchange(words.ready, true)) continue;
    words.forms.resize(part_.form_count());
    for (const uint32_t form : part_.forms_with_infix(words.inside)) {
      words.forms[form] = true;
      words.stems.push_back(part_.columns().form_stem[form]);
    }
    std::ranges::sort(words.stems);
    words.sure = sure_stems(words.stems);
    sort_once(words.stems);
  }
  return words_;
}

// `stems` has each as often as forms of it are wanted: all of them, and the document's word is one.
std::vector<uint32_t> PartFilter::sure_stems(const std::vector<uint32_t>& stems) const {
  std::vector<uint32_t> sure;
  const std::vector<uint32_t>* const forms = stems.empty() ? nullptr : part_.prose_forms();
  if (forms == nullptr) return sure;
  for (auto at = stems.begin(); at != stems.end();) {
    const auto end = std::upper_bound(at, stems.end(), *at);
    if ((*forms)[*at] == static_cast<uint32_t>(end - at)) sure.push_back(*at);
    at = end;
  }
  return sure;
}

void PartFilter::lay_facets_out() {
  if (empty_) return;
  std::erase_if(facets_, [this](const Facets& facets) { return lay_out(facets); });
  needs_blob_ = valid_at_.has_value() || !facets_.empty() || !ranges_.empty() || !words_.empty();
}

// False where that would cost more than looking into documents.
bool PartFilter::lay_out(const Facets& facets) {
  const std::vector<uint64_t>* const kept =
      facets.any_of.size() == 1 ? part_.facet_bits(facets.any_of.front()) : nullptr;
  const uint32_t count = part_.columns().count;
  if (kept == nullptr && facets.docs > count / kLayOutShare) return false;
  LaidOut& out = laid_out_.emplace_back(LaidOut{.kept = kept, .negated = facets.negated});
  if (kept != nullptr) return true;
  out.made.resize((size_t{count} + 63) / 64);
  for (const uint32_t facet : facets.any_of) mark_documents(part_.facet_postings(facet), out.made);
  return true;
}

const std::vector<uint64_t>* PartFilter::narrow() const {
  for (const LaidOut& facets : laid_out_) {
    if (facets.kept == nullptr && !facets.negated) return &facets.made;
  }
  return nullptr;
}

std::optional<std::vector<uint32_t>> PartFilter::few_passing() const {
  const Facets* narrowest = nullptr;
  for (const Facets& facets : facets_) {
    if (!facets.negated && (narrowest == nullptr || facets.docs < narrowest->docs))
      narrowest = &facets;
  }
  if (narrowest == nullptr || narrowest->docs > part_.columns().count / kFewShare)
    return std::nullopt;
  std::vector<uint32_t> docs;
  for (const uint32_t facet : narrowest->any_of) {
    for (PostingCursor cursor(part_.facet_postings(facet)); cursor.doc() != kNoDoc; cursor.next())
      docs.push_back(cursor.doc());
  }
  sort_once(docs);
  const bool inside = keep_others(*narrowest, docs);
  const bool columns = !keep_kinds(docs) || needs_times_ || needs_rest_ || only_ != nullptr;
  std::erase_if(docs, [&](uint32_t doc) {
    return empty_ || !sees(doc) || (columns && !passes_columns(doc)) ||
           (inside && !passes_blob(doc));
  });
  return docs;
}

// Keeps those that the lists of the other facets leave, as far as the part has them as bits:
// documents lie anywhere in memory. Whether they must be looked into all the same.
bool PartFilter::keep_others(const Facets& done, std::vector<uint32_t>& docs) const {
  bool inside = valid_at_ || !ranges_.empty() || !words_.empty();
  for (const Facets& facets : facets_) {
    if (&facets == &done) continue;
    const std::vector<uint64_t>* const bits =
        facets.any_of.size() == 1 ? part_.facet_bits(facets.any_of.front()) : nullptr;
    inside = inside || bits == nullptr;
    if (bits == nullptr) continue;
    std::erase_if(docs, [&](uint32_t doc) {
      return (((*bits)[doc >> 6] >> (doc & 63) & 1) != 0) == facets.negated;
    });
  }
  return inside;
}

// What is cheap and leaves little comes first.
DocBits PartFilter::all_passing() const {
  const Columns& columns = part_.columns();
  DocBits bits(columns.count, part_.live_bits());
  keep_facets(bits);
  if (!all_labels_) keep_labels(bits);
  if (only_ != nullptr) keep_only(bits);
  if (needs_times_) keep_times(bits);
  const bool kinds_done = keep_kinds(bits);
  if (needs_rest_ || !kinds_done) bits.keep_if([&](uint32_t doc) { return passes_columns(doc); });
  if (!words_.empty() && !bits.none()) keep_words(bits);
  if (valid_at_ || !ranges_.empty()) {
    bits.keep_if([&](uint32_t doc) {
      const BlobReader blob = part_.blob(doc);
      return (!valid_at_ || blob.valid_at(*valid_at_)) && passes_ranges(blob);
    });
  }
  return bits;
}

void PartFilter::keep_facets(DocBits& bits) const {
  const uint32_t count = part_.columns().count;
  std::vector<uint64_t> words;
  for (const Facets& facets : facets_) {
    const std::vector<uint64_t>* const kept =
        facets.any_of.size() == 1 ? part_.facet_bits(facets.any_of.front()) : nullptr;
    if (kept != nullptr) {
      const uint64_t turned = facets.negated ? ~uint64_t{0} : 0;
      bits.keep_masked([&](size_t word) { return (*kept)[word] ^ turned; });
      continue;
    }
    words.assign((size_t{count} + 63) / 64, 0);
    for (const uint32_t facet : facets.any_of) {
      if (const auto* ready = part_.facet_bits(facet)) {
        for (size_t i = 0; i < words.size(); ++i) words[i] |= (*ready)[i];
      } else {
        mark_documents(part_.facet_postings(facet), words);
      }
    }
    const DocBits any(count, words);
    if (facets.negated) {
      bits.remove(any);
    } else {
      bits.keep(any);
    }
  }
}

void PartFilter::keep_labels(DocBits& bits) const {
  const Columns& columns = part_.columns();
  std::vector<uint64_t> words((size_t{columns.count} + 63) / 64);
  for (uint32_t label = 0; label < label_ok_.size(); ++label) {
    if (label_ok_[label] == 0) continue;
    const std::vector<uint64_t>* const ready = part_.label_bits(label);
    if (ready == nullptr) {
      bits.keep_if([&](uint32_t doc) { return label_ok_[columns.label[doc]] != 0; });
      return;
    }
    for (size_t i = 0; i < words.size(); ++i) words[i] |= (*ready)[i];
  }
  bits.keep(DocBits(columns.count, words));
}

// Of most words all documents are in the time asked for, or none is.
void PartFilter::keep_times(DocBits& bits) const {
  const Columns& columns = part_.columns();
  const std::span<const int64_t> newest = part_.newest_of_words();
  const std::span<const int64_t> oldest = part_.oldest_of_words();
  bits.keep_masked([&](size_t word) {
    if (word < newest.size()) {
      if (is_in_time(oldest[word]) && is_in_time(newest[word])) return ~uint64_t{0};
      if (newest[word] < from_ || (oldest[word] >= to_ && to_ != INT64_MAX)) return uint64_t{0};
    }
    return mask_of(columns, word, [&](uint32_t doc) { return is_in_time(columns.at[doc]); });
  });
}

// Objects that were made one after the other have numbers without gaps, and their bits lie
// together.
void PartFilter::keep_only(DocBits& bits) const {
  const Columns& columns = part_.columns();
  const std::span<const int64_t> gapless = part_.gapless_words();
  bits.keep_masked([&](size_t word) {
    if (word < gapless.size() && gapless[word] != 0) return only_->some_from(gapless[word]);
    return mask_of(columns, word, [&](uint32_t doc) { return only_->has(columns.number[doc]); });
  });
}

// The documents of each kind that is wanted; nothing where the part does not have them as bits.
std::optional<std::vector<const std::vector<uint64_t>*>> PartFilter::wanted_kinds() const {
  std::vector<const std::vector<uint64_t>*> found;
  for (size_t kind = 0; kind < kind_ok_.size(); ++kind) {
    if (kind_ok_[kind] == 0) continue;
    found.push_back(part_.kind_bits(static_cast<uint16_t>(kind)));
    if (found.back() == nullptr) return std::nullopt;
  }
  return found;
}

bool PartFilter::keep_kinds(DocBits& bits) const {
  if (all_kinds_) return true;
  const auto kinds = wanted_kinds();
  if (!kinds) return false;
  bits.keep_masked([&](size_t word) {
    uint64_t any = 0;
    for (const std::vector<uint64_t>* const kind : *kinds) any |= (*kind)[word];
    return any;
  });
  return true;
}

bool PartFilter::keep_kinds(std::vector<uint32_t>& docs) const {
  if (all_kinds_) return true;
  const auto kinds = wanted_kinds();
  if (!kinds) return false;
  std::erase_if(docs, [&](uint32_t doc) {
    return std::ranges::none_of(*kinds, [&](const std::vector<uint64_t>* kind) {
      return ((*kind)[doc >> 6] >> (doc & 63) & 1) != 0;
    });
  });
  return true;
}

// Documents of which the lists alone do not tell are looked into.
void PartFilter::keep_words(DocBits& bits) const {
  const uint32_t count = part_.columns().count;
  const auto documents_with = [&](const std::vector<uint32_t>& stems) {
    std::vector<uint64_t> found((size_t{count} + 63) / 64);
    for (const uint32_t stem : stems) mark_documents(part_.stem_postings(stem), found);
    if (words_unless_) mark_documents(part_.facet_postings(*words_unless_), found);
    return DocBits(count, found);
  };
  DocBits sure = bits;
  for (const Words& wanted : words()) {
    bits.keep(documents_with(wanted.stems));
    sure.keep(documents_with(wanted.sure));
  }
  sure.keep(bits);
  bits.remove(sure);
  std::vector<uint32_t> doubtful;
  bits.keep_if([&](uint32_t doc) {
    doubtful.push_back(doc);
    return false;
  });
  const Columns& columns = part_.columns();
  for (size_t i = 0; i < doubtful.size(); ++i) {
    // They lie anywhere in memory: some are on their way while one is looked into.
    if (i + kFetchedAhead < doubtful.size())
      prefetch(columns.blob + columns.blob_at[doubtful[i + kFetchedAhead]]);
    if (passes_words(part_.blob(doubtful[i]))) bits.add(doubtful[i]);
  }
  bits.add(sure);
}

bool PartFilter::passes_columns(uint32_t doc) const {
  const Columns& columns = part_.columns();
  if (!all_kinds_ && kind_ok_[columns.kind[doc]] == 0) return false;
  if (with_text_ && columns.length[doc] == 0) return false;
  if (!is_in_time(columns.at[doc])) return false;
  if (columns.number[doc] <= after_number_) return false;
  if (only_ != nullptr && !only_->has(columns.number[doc])) return false;
  return not_numbers_.empty() || !std::ranges::binary_search(not_numbers_, columns.number[doc]);
}

bool PartFilter::passes_blob(uint32_t doc) const {
  const BlobReader blob = part_.blob(doc);
  if (valid_at_ && !blob.valid_at(*valid_at_)) return false;
  return (facets_.empty() || passes_facets(blob)) && (ranges_.empty() || passes_ranges(blob)) &&
         passes_words(blob);
}

bool PartFilter::passes_words(const BlobReader& blob) const {
  if (words_.empty()) return true;
  if (words_unless_) {
    bool unseen = false;
    blob.for_each_facet([&](uint32_t facet) { unseen = unseen || facet == *words_unless_; });
    if (unseen) return true;
  }
  return std::ranges::all_of(words(), [&](const Words& wanted) {
    bool found = false;
    blob.each_token_while([&](size_t field, uint32_t code) {
      found = code != kBoundaryToken && is_prose(field) && wanted.forms[token_form(code)];
      return !found;
    });
    return found;
  });
}

bool PartFilter::passes_facets(const BlobReader& blob) const {
  for (const Facets& wanted : facets_) {
    bool has = false;
    blob.for_each_facet(
        [&](uint32_t facet) { has = has || std::ranges::binary_search(wanted.any_of, facet); });
    if (has == wanted.negated) return false;
  }
  return true;
}

bool PartFilter::passes_ranges(const BlobReader& blob) const {
  for (const Range& range : ranges_) {
    bool has = false;
    blob.for_each_number([&](uint32_t name, int64_t value) {
      has = has || (name == range.name && value >= range.from && value <= range.to);
    });
    if (has == range.negated) return false;
  }
  return true;
}

}  // namespace holdfast::search
