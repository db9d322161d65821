#include "search/segment_builder.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "search/segment.h"
#include "search/string_pool.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kUnset = UINT32_MAX;

struct Source {
  int64_t number = 0;
  uint32_t input = 0;
  uint32_t doc = 0;
};

// The texts of one sort (forms, stems, facets, ...) of all inputs: first gathered, then numbered
// anew.
class Numbering {
 public:
  // `kept`: the texts lie in the inputs and stay there, so that those of a single input, which has
  // each once, need be neither compared nor copied.
  explicit Numbering(size_t inputs, bool kept = false)
      : once_(kept && inputs == 1), local_(inputs) {}

  // The gathered number of a text that an input calls `id`.
  template <typename TextOf>
  uint32_t gather(size_t input, uint32_t id, TextOf&& text_of) {
    auto& local = local_[input];
    if (id >= local.size()) local.resize(id + size_t{1}, kUnset);
    if (local[id] == kUnset) local[id] = add(text_of(id));
    return local[id];
  }
  // The gathered numbers of an input's texts; kUnset for those that no document has.
  const std::vector<uint32_t>& gathered(size_t input) const { return local_[input]; }
  uint32_t add(std::string_view text) {
    if (!once_) return pool_.intern(text);
    texts_.push_back(text);
    return size() - 1;
  }
  uint32_t size() const { return once_ ? static_cast<uint32_t>(texts_.size()) : pool_.size(); }
  std::string_view gathered_text(uint32_t id) const { return once_ ? texts_[id] : pool_.text(id); }

  void number_by_text() {
    order([](uint32_t) { return 0U; });
  }
  // Frequent ones first: their numbers take fewer bytes in the token sequences.
  template <typename CountOf>
  void number_by_count(CountOf&& count_of) {
    order([&](uint32_t id) { return UINT32_MAX - count_of(id); });
  }
  uint32_t final_id(uint32_t gathered_id) const { return final_[gathered_id]; }
  uint32_t final_id(size_t input, uint32_t id) const { return final_[local_[input][id]]; }
  uint32_t gathered_at(uint32_t final_id) const { return ordered_[final_id]; }

  // Of all texts, one behind the other.
  size_t text_bytes() const {
    size_t bytes = 0;
    for (uint32_t id = 0; id < size(); ++id) bytes += gathered_text(id).size();
    return bytes;
  }
  void write(std::vector<uint32_t>& offsets, std::string& bytes) const {
    offsets.reserve(ordered_.size() + 1);
    bytes.reserve(text_bytes());
    offsets.push_back(0);
    for (const uint32_t id : ordered_) {
      bytes.append(gathered_text(id));
      offsets.push_back(static_cast<uint32_t>(bytes.size()));
    }
  }

 private:
  // What mostly decides, beside each other in memory: the rank, then the first bytes of the text.
  struct Key {
    uint32_t rank = 0;
    uint32_t id = 0;
    uint64_t beginning = 0;
  };

  // As numbers they compare like the texts they begin, unless they are equal.
  static uint64_t beginning_of(std::string_view text) {
    uint64_t beginning = 0;
    for (size_t i = 0; i < sizeof beginning; ++i) {
      const auto byte = i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
      beginning = beginning << 8U | byte;
    }
    return beginning;
  }

  // By rank, then by text.
  template <typename RankOf>
  void order(RankOf&& rank_of) {
    std::vector<Key> keys(size());
    for (uint32_t id = 0; id < keys.size(); ++id)
      keys[id] = {.rank = rank_of(id), .id = id, .beginning = beginning_of(gathered_text(id))};
    std::ranges::sort(keys, [this](const Key& a, const Key& b) {
      if (a.rank != b.rank) return a.rank < b.rank;
      if (a.beginning != b.beginning) return a.beginning < b.beginning;
      return gathered_text(a.id) < gathered_text(b.id);
    });
    ordered_.resize(keys.size());
    final_.resize(keys.size());
    for (uint32_t i = 0; i < keys.size(); ++i) {
      ordered_[i] = keys[i].id;
      final_[keys[i].id] = i;
    }
  }

  const bool once_;
  std::vector<std::string_view> texts_;  // gathered, where once_
  StringPool pool_;                      // the same where not
  std::vector<std::vector<uint32_t>> local_;
  std::vector<uint32_t> ordered_;
  std::vector<uint32_t> final_;
};

// Lists of documents by term, filled in one pass after their sizes are known.
class Lists {
 public:
  void size_up(const std::vector<uint32_t>& counts, bool with_tfs) {
    begins_.resize(counts.size() + 1);
    uint64_t sum = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      begins_[i] = sum;
      sum += counts[i];
    }
    begins_[counts.size()] = sum;
    next_ = begins_;
    docs_.resize(sum);
    if (with_tfs) tfs_.resize(sum);
  }
  void add(uint32_t term, uint32_t doc) { docs_[next_[term]++] = doc; }
  void add(uint32_t term, uint32_t doc, uint16_t tf) {
    tfs_[next_[term]] = tf;
    add(term, doc);
  }
  void pack(std::span<const uint16_t> lengths, std::vector<ListEntry>& entries, std::string& packed,
            std::vector<SkipEntry>& skips) const {
    for (size_t term = 0; term + 1 < begins_.size(); ++term) {
      const size_t begin = begins_[term];
      const size_t count = begins_[term + 1] - begin;
      ListEntry entry{.count = static_cast<uint32_t>(count),
                      .postings_at = static_cast<uint32_t>(packed.size()),
                      .first_skip = static_cast<uint32_t>(skips.size())};
      const auto tfs =
          tfs_.empty() ? std::span<const uint16_t>() : std::span(tfs_).subspan(begin, count);
      entry.bound =
          pack_postings(std::span(docs_).subspan(begin, count), tfs, lengths, packed, skips);
      entries.push_back(entry);
    }
  }

 private:
  std::vector<uint64_t> begins_;
  std::vector<uint64_t> next_;
  std::vector<uint32_t> docs_;
  std::vector<uint16_t> tfs_;
};

class Builder {
 public:
  Builder(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled)
      : inputs_(inputs),
        cancelled_(cancelled),
        forms_(inputs.size(), true),
        stems_(inputs.size(), true),
        facets_(inputs.size(), true),
        names_(inputs.size()),
        conversations_(inputs.size()),
        speakers_(inputs.size()),
        labels_(inputs.size()),
        kinds_(inputs.size()) {}

  std::string run() {
    list_documents();
    gather();
    if (cancelled_) return {};
    number();
    fill();
    if (cancelled_) return {};
    return write();
  }

 private:
  const Part& part(const Source& source) const { return *inputs_[source.input].part; }

  void list_documents() {
    for (uint32_t input = 0; input < inputs_.size(); ++input) {
      const Columns& columns = inputs_[input].part->columns();
      const auto& live = inputs_[input].live;
      for (uint32_t doc = 0; doc < columns.count; ++doc) {
        if ((live[doc >> 6] >> (doc & 63) & 1) != 0)
          sources_.push_back({columns.number[doc], input, doc});
      }
    }
    std::ranges::sort(sources_, {}, &Source::number);
  }

  // First pass: which texts there are, and how often.
  void gather() {
    conversations_.add("");
    speakers_.add("");
    for (size_t i = 0; i < sources_.size() && !cancelled_; ++i) {
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
      const BlobReader blob = from.blob(source.doc);
      blob.for_each_facet([&](uint32_t facet) {
        count(facet_counts_, facets_.gather(source.input, facet,
                                            [&](uint32_t id) { return from.facet_text(id); }));
      });
      blob.for_each_number([&](uint32_t name, int64_t) {
        names_.gather(source.input, name, [&](uint32_t id) { return from.name_text(id); });
      });
      blob.for_each_token([&](size_t, uint32_t code) {
        if (code != kBoundaryToken)
          gather_form(source.input, from, token_form(code), static_cast<uint32_t>(i));
      });
    }
  }

  static void count(std::vector<uint32_t>& counts, uint32_t id) {
    if (id >= counts.size()) counts.resize(id + size_t{1});
    ++counts[id];
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
    forms_.number_by_count([&](uint32_t id) { return gathered_forms_[id].count; });
    for (Numbering* numbering :
         {&stems_, &facets_, &names_, &conversations_, &speakers_, &labels_, &kinds_}) {
      numbering->number_by_text();
    }
    stem_lists_.size_up(
        by_final_id(stems_, [&](uint32_t id) { return gathered_stems_[id].documents; }), true);
    facet_lists_.size_up(by_final_id(facets_, [&](uint32_t id) { return facet_counts_[id]; }),
                         false);
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
      if (id == kUnset) {
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
      facet_lists_.add(id, doc);
    });
    std::ranges::sort(blob_.facets);
    blob.for_each_number([&](uint32_t name, int64_t value) {
      blob_.numbers.emplace_back(names_.final_id(source.input, name), value);
    });
    touched_.clear();
    const std::vector<FinalForm>& forms = final_forms_[source.input];
    blob.for_each_token([&](size_t field, uint32_t code) {
      if (code == kBoundaryToken) {
        blob_.tokens[field].push_back(code);
        return;
      }
      const FinalForm& form = forms[token_form(code)];
      blob_.tokens[field].push_back(token_code(form.form, token_is_overlay(code)));
      if (stem_tf_[form.stem] == 0) touched_.push_back(form.stem);
      stem_tf_[form.stem] += kFieldWeights[field];
    });
    for (const uint32_t stem : touched_) {
      stem_lists_.add(stem, doc, static_cast<uint16_t>(std::min(stem_tf_[stem], kMaxCount)));
      stem_tf_[stem] = 0;
    }
    append_blob(blob_, blobs_);
  }

  std::string write();
  size_t most_bytes(size_t lists) const;
  void write_texts(Section offsets, const Numbering& numbering);
  void write_conversations();

  template <typename T>
  void put(Section id, const std::vector<T>& values) {
    put_bytes(id, reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void put_bytes(Section id, const char* data, size_t size) {
    out_.resize((out_.size() + 7) & ~size_t{7});
    header_.sections[id] = {out_.size(), size};
    out_.append(data, size);
  }

  std::span<const BuildInput> inputs_;
  const std::atomic<bool>& cancelled_;
  std::vector<Source> sources_;
  Numbering forms_, stems_, facets_, names_, conversations_, speakers_, labels_, kinds_;
  // What is asked of each token lies together: words are all over the memory.
  struct GatheredForm {
    uint32_t stem = 0;  // gathered
    uint32_t count = 0;
  };
  struct GatheredStem {
    uint32_t last = kUnset;  // the document that was counted last
    uint32_t documents = 0;
  };
  struct FinalForm {
    uint32_t form = 0;
    uint32_t stem = 0;
  };
  std::vector<GatheredForm> gathered_forms_;
  std::vector<GatheredStem> gathered_stems_;
  std::vector<std::vector<FinalForm>> final_forms_;  // by input and the input's own number
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

  SegmentHeader header_;
  std::string out_;
};

// No fewer than the sections need but those of the lists, which are `lists`.
size_t Builder::most_bytes(size_t lists) const {
  constexpr size_t kDocBytes = 4 * sizeof(int64_t) + 4 * sizeof(uint32_t) + 2 * sizeof(uint16_t);
  constexpr size_t kAlignment = 8;
  size_t bytes = sizeof(SegmentHeader) + kSectionCount * kAlignment + lists + blobs_.size();
  bytes += sources_.size() * (kDocBytes + sizeof(uint32_t));  // the second in conversations
  bytes += (forms_.size() + conversations_.size() + 1) * sizeof(uint32_t);
  for (const Numbering* texts :
       {&forms_, &stems_, &facets_, &names_, &conversations_, &speakers_, &labels_, &kinds_}) {
    bytes += (texts->size() + 1) * sizeof(uint32_t) + texts->text_bytes();
  }
  return bytes;
}

std::string Builder::write() {
  std::vector<ListEntry> stem_entries;
  std::vector<ListEntry> facet_entries;
  std::vector<SkipEntry> skips;
  std::string packed;
  stem_entries.reserve(stems_.size());
  facet_entries.reserve(facets_.size());
  stem_lists_.pack(lengths_, stem_entries, packed, skips);
  facet_lists_.pack(lengths_, facet_entries, packed, skips);
  HOLDFAST_ASSERT(packed.size() < UINT32_MAX);
  packed.append(kPackedPadding, '\0');
  // In one piece: bytes that move whenever there are more of them are written twice, and touch
  // memory that nobody has touched before.
  out_.reserve(most_bytes((stem_entries.size() + facet_entries.size()) * sizeof(ListEntry) +
                          skips.size() * sizeof(SkipEntry) + packed.size()));
  out_.resize(sizeof(SegmentHeader));
  put(kNumbers, numbers_);
  put(kTimes, times_);
  put(kHashes, hashes_);
  put(kKeys, keys_);
  put(kDocLabels, doc_labels_);
  put(kDocConversations, doc_conversations_);
  put(kDocSpeakers, doc_speakers_);
  put(kDocKinds, doc_kinds_);
  put(kLengths, lengths_);
  put(kBlobOffsets, blob_offsets_);
  put_bytes(kBlobs, blobs_.data(), blobs_.size());
  blobs_ = {};
  std::vector<uint32_t> stems_of_forms(forms_.size());
  for (uint32_t id = 0; id < forms_.size(); ++id) {
    stems_of_forms[forms_.final_id(id)] = stems_.final_id(gathered_forms_[id].stem);
  }
  put(kFormStems, stems_of_forms);
  write_texts(kFormOffsets, forms_);
  write_texts(kStemOffsets, stems_);
  write_texts(kFacetOffsets, facets_);
  write_texts(kNameOffsets, names_);
  write_texts(kConversationOffsets, conversations_);
  write_texts(kSpeakerOffsets, speakers_);
  write_texts(kLabelOffsets, labels_);
  write_texts(kKindOffsets, kinds_);
  write_conversations();
  put(kStemEntries, stem_entries);
  put(kFacetEntries, facet_entries);
  put(kSkips, skips);
  put_bytes(kPostings, packed.data(), packed.size());
  header_.documents = static_cast<uint32_t>(sources_.size());
  header_.size = out_.size();
  std::memcpy(out_.data(), &header_, sizeof header_);
  return std::move(out_);
}

void Builder::write_texts(Section offsets, const Numbering& numbering) {
  std::vector<uint32_t> begins;
  std::string bytes;
  numbering.write(begins, bytes);
  put(offsets, begins);
  put_bytes(static_cast<Section>(offsets + 1), bytes.data(), bytes.size());
}

void Builder::write_conversations() {
  std::vector<uint32_t> docs;
  for (uint32_t doc = 0; doc < doc_conversations_.size(); ++doc) {
    if (doc_conversations_[doc] != 0) docs.push_back(doc);
  }
  std::ranges::sort(docs, {}, [&](uint32_t doc) {
    return std::tuple(doc_conversations_[doc], times_[doc], doc);
  });
  std::vector<uint32_t> begins(conversations_.size() + 1);
  for (const uint32_t doc : docs) ++begins[doc_conversations_[doc] + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  put(kConversationBegins, begins);
  put(kConversationDocs, docs);
}

}  // namespace

std::string build_segment(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled) {
  return Builder(inputs, cancelled).run();
}

}  // namespace holdfast::search
