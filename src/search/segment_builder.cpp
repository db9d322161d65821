#include "search/segment_builder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/assert.h"
#include "base/prefetch.h"
#include "search/numbering.h"
#include "search/segment_pieces.h"
#include "search/term_lists.h"

namespace holdfast::search {
namespace {

struct Source {
  int64_t number = 0;
  uint32_t input = 0;
  uint32_t doc = 0;
};

class Builder {
 public:
  Builder(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled,
          const std::function<void()>& meanwhile)
      : inputs_(inputs),
        cancelled_(cancelled),
        meanwhile_(meanwhile),
        whole_(is_whole(inputs)),
        joined_(are_joined(inputs)),
        forms_(inputs.size(), true),
        stems_(inputs.size(), true),
        facets_(inputs.size(), true),
        names_(inputs.size()),
        conversations_(inputs.size()),
        speakers_(inputs.size()),
        labels_(inputs.size()),
        kinds_(inputs.size()) {}

  // The pieces point into the builder.
  std::vector<std::string_view> run() {
    list_documents();
    make_room();
    gather();
    if (cancelled_) return {};
    number();
    fill();
    if (cancelled_) return {};
    write();
    return pieces_.take(static_cast<uint32_t>(sources_.size()));
  }

 private:
  const Part& part(const Source& source) const { return *inputs_[source.input].part; }

  // Documents, or lists that most often have few of them.
  void look_up(size_t done) const {
    constexpr size_t kBetweenLooks = 2048;
    if (meanwhile_ && done % kBetweenLooks == 0) meanwhile_();
  }

  void list_documents() {
    for (uint32_t input = 0; input < inputs_.size(); ++input) {
      const Columns& columns = inputs_[input].part->columns();
      const auto& live = inputs_[input].live;
      sources_.reserve(sources_.size() + columns.count);
      for (uint32_t doc = 0; doc < columns.count; ++doc) {
        if ((live[doc >> 6] >> (doc & 63) & 1) != 0)
          sources_.push_back({columns.number[doc], input, doc});
      }
    }
    if (!std::ranges::is_sorted(sources_, {}, &Source::number))
      std::ranges::sort(sources_, {}, &Source::number);
  }

  // In one piece each: what moves whenever there is more of it is written twice, and touches memory
  // that nobody has touched before. Room that is not used costs nothing.
  void make_room() {
    size_t blob_bytes = 0;
    for (size_t input = 0; input < inputs_.size(); ++input) {
      const Part& from = *inputs_[input].part;
      forms_.make_room(input, from.form_count());
      stems_.make_room(input, from.stem_count());
      facets_.make_room(input, from.facet_count());
      blob_bytes += from.columns().blob_bytes;
      if (joined_) form_counts_.emplace_back(from.form_count());
    }
    blobs_.reserve(blob_bytes + blob_bytes / 8);  // numbers may take more bytes than they did
    packed_.reserve(blob_bytes);                  // most often enough
    const auto reserve = [&](auto&... columns) { (columns.reserve(sources_.size()), ...); };
    reserve(numbers_, times_, hashes_, keys_, doc_labels_, doc_conversations_, doc_speakers_,
            blob_offsets_, doc_kinds_, lengths_);
  }

  // First pass: which texts there are, and how often.
  void gather() {
    conversations_.add("");
    speakers_.add("");
    for (uint32_t input = 0; (whole_ || joined_) && input < inputs_.size(); ++input)
      gather_texts(input);
    for (size_t i = 0; i < sources_.size() && !cancelled_; ++i) {
      look_up(i);
      const Source& source = sources_[i];
      const Part& from = part(source);
      const Columns& columns = from.columns();
      labels_.gather(source.input, columns.label[source.doc],
                     [&](uint32_t id) { return encode_label(from.label_values()[id]); });
      kinds_.gather(source.input, columns.kind[source.doc],
                    [&](uint32_t id) { return from.kind_names()[id]; });
      conversations_.gather(source.input, columns.conversation[source.doc],
                            [&](uint32_t id) { return from.conversation_text(id); });
      speakers_.gather(source.input, columns.speaker[source.doc],
                       [&](uint32_t id) { return from.speaker_text(id); });
      if (joined_) count_forms(source);
      if (!whole_ && !joined_) gather_words(source, static_cast<uint32_t>(i));
    }
    for (size_t input = 0; input < form_counts_.size(); ++input) {
      for (uint32_t form = 0; form < form_counts_[input].size(); ++form)
        gathered_forms_[forms_.gathered(input)[form]].count += form_counts_[input][form];
    }
  }

  void gather_words(const Source& source, uint32_t number) {
    const Part& from = part(source);
    const BlobReader blob = from.blob(source.doc);
    blob.for_each_facet([&](uint32_t facet) {
      count(facet_counts_,
            facets_.gather(source.input, facet, [&](uint32_t id) { return from.facet_text(id); }));
    });
    blob.for_each_number([&](uint32_t name, int64_t) {
      names_.gather(source.input, name, [&](uint32_t id) { return from.name_text(id); });
    });
    blob.for_each_token([&](size_t, uint32_t code) {
      if (code != kBoundaryToken) gather_form(source.input, from, token_form(code), number);
    });
  }

  static void count(std::vector<uint32_t>& counts, uint32_t id) {
    if (id >= counts.size()) counts.resize(id + size_t{1});
    ++counts[id];
  }

  // All that an input has; those of a single one under the numbers they have.
  void gather_texts(uint32_t input) {
    const Part& from = *inputs_[input].part;
    const auto gather_all = [&](Numbering& numbering, uint32_t count, auto text_of) {
      numbering.gather_all(input, count, [&](uint32_t id) {
        look_up(id);
        return (from.*text_of)(id);
      });
    };
    gather_all(forms_, from.form_count(), &Part::form_text);
    gather_all(stems_, from.stem_count(), &Part::stem_text);
    gather_all(facets_, from.facet_count(), &Part::facet_text);
    gather_all(names_, from.name_count(), &Part::name_text);
    gathered_forms_.resize(forms_.size());
    const auto& forms = forms_.gathered(input);
    const auto& stems = stems_.gathered(input);
    for (uint32_t form = 0; form < forms.size(); ++form)
      gathered_forms_[forms[form]].stem = stems[from.columns().form_stem[form]];
  }

  void count_forms(const Source& source) {
    part(source).blob(source.doc).for_each_token([&](size_t, uint32_t code) {
      if (code != kBoundaryToken) ++form_counts_[source.input][token_form(code)];
    });
  }

  void gather_form(uint32_t input, const Part& from, uint32_t form, uint32_t source) {
    const uint32_t id =
        forms_.gather(input, form, [&](uint32_t one) { return from.form_text(one); });
    if (id == gathered_forms_.size()) {
      gathered_forms_.push_back(
          {.stem = stems_.gather(input, from.columns().form_stem[form],
                                 [&](uint32_t one) { return from.stem_text(one); })});
      gathered_stems_.resize(stems_.size());
    }
    GatheredForm& gathered = gathered_forms_[id];
    ++gathered.count;
    GatheredStem& stem = gathered_stems_[gathered.stem];
    if (stem.last == source) return;
    stem.last = source;
    ++stem.documents;
  }

  void number() {
    if (whole_) {
      forms_.number_as_gathered();
    } else {
      forms_.number_by_count([&](uint32_t id) { return gathered_forms_[id].count; });
    }
    for (Numbering* numbering :
         {&stems_, &facets_, &names_, &conversations_, &speakers_, &labels_, &kinds_}) {
      numbering->number_by_text();
    }
    if (whole_) return;
    if (!joined_) {
      stem_lists_.size_up(
          by_final_id(stems_, [&](uint32_t id) { return gathered_stems_[id].documents; }), true);
      facet_lists_.size_up(by_final_id(facets_, [&](uint32_t id) { return facet_counts_[id]; }),
                           false);
    }
    for (size_t input = 0; input < inputs_.size(); ++input) number_forms_of(input);
  }

  template <typename CountOf>
  static std::vector<uint32_t> by_final_id(const Numbering& numbering, CountOf&& count_of) {
    std::vector<uint32_t> out(numbering.size());
    for (uint32_t id = 0; id < out.size(); ++id) out[numbering.final_id(id)] = count_of(id);
    return out;
  }

  void number_forms_of(size_t input) {
    auto& finals = final_forms_.emplace_back();
    finals.reserve(forms_.gathered(input).size());
    for (const uint32_t id : forms_.gathered(input)) {
      if (id == Numbering::kNoText) {
        finals.emplace_back();
      } else {
        finals.push_back({forms_.final_id(id), stems_.final_id(gathered_forms_[id].stem)});
      }
    }
  }

  // Second pass: the documents themselves, with the new numbers.
  void fill() {
    stem_tf_.resize(stems_.size());
    for (uint32_t doc = 0; doc < sources_.size() && !cancelled_; ++doc) {
      look_up(doc);
      const Source& source = sources_[doc];
      const Columns& columns = part(source).columns();
      numbers_.push_back(columns.number[source.doc]);
      times_.push_back(columns.at[source.doc]);
      hashes_.push_back(columns.hash[source.doc]);
      keys_.push_back(columns.key[source.doc]);
      doc_labels_.push_back(labels_.final_id(source.input, columns.label[source.doc]));
      doc_kinds_.push_back(
          static_cast<uint16_t>(kinds_.final_id(source.input, columns.kind[source.doc])));
      doc_conversations_.push_back(
          conversations_.final_id(source.input, columns.conversation[source.doc]));
      doc_speakers_.push_back(speakers_.final_id(source.input, columns.speaker[source.doc]));
      lengths_.push_back(columns.length[source.doc]);
      blob_offsets_.push_back(static_cast<uint32_t>(blobs_.size()));
      fill_blob(source, doc);
    }
    HOLDFAST_ASSERT(blobs_.size() < UINT32_MAX);
  }

  void fill_blob(const Source& source, uint32_t doc) {
    const BlobReader blob = part(source).blob(source.doc);
    blob_.clear();
    blob_.valid_from = blob.valid_from();
    blob_.valid_until = blob.valid_until();
    blob.for_each_facet([&](uint32_t facet) {
      const uint32_t id = facets_.final_id(source.input, facet);
      blob_.facets.push_back(id);
      if (!whole_ && !joined_) facet_lists_.add(id, doc);
    });
    std::ranges::sort(blob_.facets);
    blob.for_each_number([&](uint32_t name, int64_t value) {
      blob_.numbers.emplace_back(names_.final_id(source.input, name), value);
    });
    if (whole_) {
      append_blob_head(blob_, blobs_);
      blobs_.append(part(source).token_bytes(source.doc));
      return;
    }
    fill_tokens(source, doc);
    append_blob(blob_, blobs_);
  }

  void fill_tokens(const Source& source, uint32_t doc) {
    touched_.clear();
    const std::vector<FinalForm>& forms = final_forms_[source.input];
    part(source).blob(source.doc).for_each_token([&](size_t field, uint32_t code) {
      ++blob_.field_sizes[field];
      if (code == kBoundaryToken) {
        blob_.tokens.push_back(code);
        return;
      }
      const FinalForm& form = forms[token_form(code)];
      blob_.tokens.push_back(token_code(form.form, token_is_overlay(code)));
      if (joined_) return;
      if (stem_tf_[form.stem] == 0) touched_.push_back(form.stem);
      stem_tf_[form.stem] += kFieldWeights[field];
    });
    for (const uint32_t stem : touched_) {
      stem_lists_.add(stem, doc, static_cast<uint16_t>(std::min(stem_tf_[stem], kMaxCount)));
      stem_tf_[stem] = 0;
    }
  }

  void write();
  // How a part is asked for a list.
  struct Asked {
    PostingList (Part::*list)(uint32_t) const;
    void (Part::*fetch)(uint32_t) const;
  };
  std::vector<ListEntry> pack_lists(const Numbering& terms, const Lists& made, const Asked& asked);
  template <typename NextList>
  std::vector<ListEntry> pack_each(uint32_t count, NextList&& next_list);
  ListEntry pack(const PostingList& list);
  void write_conversations();

  std::span<const BuildInput> inputs_;
  const std::atomic<bool>& cancelled_;
  const std::function<void()>& meanwhile_;
  const bool whole_;
  const bool joined_;
  std::vector<Source> sources_;
  Numbering forms_, stems_, facets_, names_, conversations_, speakers_, labels_, kinds_;
  // What is asked of each token lies together: words are all over the memory.
  struct GatheredForm {
    uint32_t stem = 0;  // gathered
    uint32_t count = 0;
  };
  struct GatheredStem {
    uint32_t last = UINT32_MAX;  // the document that was counted last
    uint32_t documents = 0;
  };
  struct FinalForm {
    uint32_t form = 0;
    uint32_t stem = 0;
  };
  std::vector<GatheredForm> gathered_forms_;
  std::vector<GatheredStem> gathered_stems_;
  std::vector<std::vector<FinalForm>> final_forms_;  // by input and the input's own number
  std::vector<std::vector<uint32_t>> form_counts_;   // the same of those that are joined
  std::vector<uint32_t> facet_counts_;
  Lists stem_lists_, facet_lists_;
  std::vector<uint32_t> stem_tf_;
  std::vector<uint32_t> touched_;
  DocBlob blob_;

  std::vector<int64_t> numbers_, times_;
  std::vector<uint64_t> hashes_, keys_;
  std::vector<uint32_t> doc_labels_, doc_conversations_, doc_speakers_, blob_offsets_;
  std::vector<uint16_t> doc_kinds_, lengths_;
  std::string blobs_;
  std::string packed_;
  std::vector<SkipEntry> skips_;
  std::vector<ListEntry> stem_entries_, facet_entries_;
  SegmentPieces pieces_;
};

std::vector<ListEntry> Builder::pack_lists(const Numbering& terms, const Lists& made,
                                           const Asked& asked) {
  const auto of_input = [&](size_t input, uint32_t id) {
    return (inputs_[input].part.get()->*asked.list)(id);
  };
  if (whole_) {
    constexpr uint32_t kAhead = 24;
    const Part& memtable = *inputs_.front().part;
    return pack_each(terms.size(), [&](uint32_t term) {
      const uint32_t later = term + kAhead;
      if (later < terms.size()) (memtable.*asked.fetch)(terms.gathered_at(later));
      return of_input(0, terms.gathered_at(term));
    });
  }
  if (!joined_) return pack_each(terms.size(), [&](uint32_t term) { return made.list(term); });
  JoinedLists joined(terms);
  for (const BuildInput& input : inputs_) joined.add_input(input.part->columns().count);
  return pack_each(terms.size(), [&](uint32_t term) { return joined.list(term, of_input); });
}

// A memtable's lists lie all over its memory: some are looked up, then fetched, then packed. Joined
// ones are there one at a time.
template <typename NextList>
std::vector<ListEntry> Builder::pack_each(uint32_t count, NextList&& next_list) {
  constexpr uint32_t kAtOnce = 16;
  const uint32_t at_once = joined_ ? 1 : kAtOnce;
  std::array<PostingList, kAtOnce> lists;
  std::vector<ListEntry> entries;
  entries.reserve(count);
  for (uint32_t first = 0; first < count; first += at_once) {
    look_up(first);
    const auto some = std::span(lists).first(std::min(at_once, count - first));
    for (uint32_t i = 0; i < some.size(); ++i) some[i] = next_list(first + i);
    for (const PostingList& list : some) prefetch(list.docs);
    for (const PostingList& list : some) entries.push_back(pack(list));
  }
  return entries;
}

ListEntry Builder::pack(const PostingList& list) {
  ListEntry entry{.count = list.count,
                  .postings_at = static_cast<uint32_t>(packed_.size()),
                  .first_skip = static_cast<uint32_t>(skips_.size())};
  const std::span tfs(list.tfs, list.tfs == nullptr ? 0 : list.count);
  entry.bound = pack_postings({list.docs, list.count}, tfs, lengths_, packed_, skips_);
  return entry;
}

void Builder::write() {
  stem_entries_ =
      pack_lists(stems_, stem_lists_, {&Part::stem_postings, &Part::fetch_stem_postings});
  facet_entries_ =
      pack_lists(facets_, facet_lists_, {&Part::facet_postings, &Part::fetch_facet_postings});
  HOLDFAST_ASSERT(packed_.size() < UINT32_MAX);
  packed_.append(kPackedPadding, '\0');
  pieces_.put(kNumbers, numbers_);
  pieces_.put(kTimes, times_);
  pieces_.put(kHashes, hashes_);
  pieces_.put(kKeys, keys_);
  pieces_.put(kDocLabels, doc_labels_);
  pieces_.put(kDocConversations, doc_conversations_);
  pieces_.put(kDocSpeakers, doc_speakers_);
  pieces_.put(kDocKinds, doc_kinds_);
  pieces_.put(kLengths, lengths_);
  pieces_.put(kBlobOffsets, blob_offsets_);
  pieces_.put_bytes(kBlobs, blobs_);
  auto& stems_of_forms = pieces_.table(forms_.size());
  for (uint32_t id = 0; id < forms_.size(); ++id) {
    stems_of_forms[forms_.final_id(id)] = stems_.final_id(gathered_forms_[id].stem);
  }
  pieces_.put(kFormStems, stems_of_forms);
  pieces_.put_texts(kFormOffsets, forms_);
  pieces_.put_texts(kStemOffsets, stems_);
  pieces_.put_texts(kFacetOffsets, facets_);
  pieces_.put_texts(kNameOffsets, names_);
  pieces_.put_texts(kConversationOffsets, conversations_);
  pieces_.put_texts(kSpeakerOffsets, speakers_);
  pieces_.put_texts(kLabelOffsets, labels_);
  pieces_.put_texts(kKindOffsets, kinds_);
  write_conversations();
  pieces_.put(kStemEntries, stem_entries_);
  pieces_.put(kFacetEntries, facet_entries_);
  pieces_.put(kSkips, skips_);
  pieces_.put_bytes(kPostings, packed_);
}

void Builder::write_conversations() {
  auto& begins = pieces_.table(conversations_.size() + 1);
  auto& docs = pieces_.table(0);
  for (uint32_t doc = 0; doc < doc_conversations_.size(); ++doc) {
    if (doc_conversations_[doc] != 0) docs.push_back(doc);
  }
  std::ranges::sort(docs, {}, [&](uint32_t doc) {
    return std::tuple(doc_conversations_[doc], times_[doc], doc);
  });
  for (const uint32_t doc : docs) ++begins[doc_conversations_[doc] + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  pieces_.put(kConversationBegins, begins);
  pieces_.put(kConversationDocs, docs);
}

}  // namespace

BuiltSegment build_segment(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled,
                           const std::function<void()>& meanwhile) {
  auto builder = std::make_shared<Builder>(inputs, cancelled, meanwhile);
  BuiltSegment built{.pieces = builder->run()};
  built.memory = std::move(builder);
  return built;
}

std::string BuiltSegment::bytes() const {
  size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  std::string bytes;
  bytes.reserve(size);
  for (const std::string_view piece : pieces) bytes += piece;
  return bytes;
}

}  // namespace holdfast::search
