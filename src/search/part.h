// A piece of a space's index: a memtable that still grows, or a segment that never changes.
// Searching does not care which. Documents are numbered from 0 within their part.
//
// What a part holds never changes once it is frozen, except which of its documents are alive: that
// is guarded by the mutex of the space, shared for reading and exclusive for kill().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/object.h"
#include "search/doc_blob.h"
#include "search/postings.h"

namespace holdfast::search {

class FormBlocks;

// The hot values of a document, as arrays.
struct Columns {
  uint32_t count = 0;
  const int64_t* number = nullptr;
  const int64_t* at = nullptr;
  const uint64_t* hash = nullptr;          // of the projection
  const uint64_t* key = nullptr;           // a hash of kind and id
  const uint32_t* label = nullptr;         // into the part's labels
  const uint32_t* conversation = nullptr;  // into the part's conversations; 0 is none
  const uint32_t* speaker = nullptr;       // into the part's speakers; 0 is none
  const uint16_t* kind = nullptr;          // into the part's kinds
  const uint16_t* length = nullptr;        // weighted
  const uint32_t* blob_at = nullptr;
  const uint8_t* blob = nullptr;
  size_t blob_bytes = 0;                // of all
  const uint32_t* form_stem = nullptr;  // the stem of each form
};

class Part {
 public:
  virtual ~Part() = default;
  Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const Columns& columns() const { return columns_; }
  BlobReader blob(uint32_t doc) const { return BlobReader(columns_.blob + columns_.blob_at[doc]); }
  // The bytes of a document's token sequence.
  std::string_view token_bytes(uint32_t doc) const {
    const uint8_t* const begin = blob(doc).tokens();
    const uint8_t* const end = columns_.blob + (doc + 1 < columns_.count ? columns_.blob_at[doc + 1]
                                                                         : columns_.blob_bytes);
    return {reinterpret_cast<const char*>(begin), static_cast<size_t>(end - begin)};
  }

  // Texts by their numbers in this part. The views live as long as the part does not grow. Forms
  // lie one behind the other in memory.
  virtual std::string_view form_text(uint32_t form) const = 0;
  virtual std::string_view stem_text(uint32_t stem) const = 0;
  virtual std::string_view facet_text(uint32_t facet) const = 0;  // name, a zero byte, value
  virtual std::string_view name_text(uint32_t name) const = 0;    // of number facets
  virtual std::string_view conversation_text(uint32_t conversation) const = 0;
  virtual std::string_view speaker_text(uint32_t speaker) const = 0;
  virtual uint32_t speaker_count() const = 0;  // with 0, none
  virtual uint32_t form_count() const = 0;
  virtual uint32_t stem_count() const = 0;
  virtual uint32_t facet_count() const = 0;
  virtual uint32_t name_count() const = 0;

  virtual std::optional<uint32_t> find_stem(std::string_view text) const = 0;
  virtual std::optional<uint32_t> find_facet(std::string_view text) const = 0;
  virtual std::optional<uint32_t> find_name(std::string_view text) const = 0;
  virtual std::optional<uint32_t> find_conversation(std::string_view text) const = 0;
  // From which number to before which all facets of that name are, perhaps among others.
  virtual std::pair<uint32_t, uint32_t> facets_of(std::string_view) const {
    return {0, UINT32_MAX};
  }
  // Every stem that begins so.
  virtual std::vector<uint32_t> stems_with_prefix(std::string_view prefix) const = 0;

  // Every form that has it inside, ascending. Looks through the bytes of all forms, or of some
  // blocks of them where the part knows which may have it.
  std::vector<uint32_t> forms_with_infix(std::string_view infix) const;

  virtual PostingList stem_postings(uint32_t stem) const = 0;
  virtual PostingList facet_postings(uint32_t facet) const = 0;
  // It will be asked for soon: what that looks at begins to be fetched.
  virtual void fetch_stem_postings(uint32_t) const {}
  virtual void fetch_facet_postings(uint32_t) const {}
  // Aids for lists (list_aids.h), where a part has them. The documents with a frequent facet as
  // bits; nullptr: read its list. The latest and earliest `at` of each 64 documents; empty: not
  // known.
  virtual const std::vector<uint64_t>* facet_bits(uint32_t) const { return nullptr; }
  virtual const std::vector<uint64_t>* kind_bits(uint16_t) const { return nullptr; }  // a kind's
  virtual const std::vector<uint64_t>* label_bits(uint32_t) const { return nullptr; }
  virtual std::span<const int64_t> newest_of_words() const { return {}; }
  virtual std::span<const int64_t> oldest_of_words() const { return {}; }
  // The first number of each 64 documents whose numbers have no gaps, 0 for others; empty likewise.
  virtual std::span<const int64_t> gapless_words() const { return {}; }
  // How many forms a stem has that stands in prose only, otherwise 0; nullptr: not known.
  virtual const std::vector<uint32_t>* prose_forms() const { return nullptr; }
  virtual const FormBlocks* form_blocks() const { return nullptr; }
  // Dead ones included, in the order of `at`, then number.
  virtual std::span<const uint32_t> conversation_docs(uint32_t conversation) const = 0;
  // Posting lists are not packed.
  virtual bool has_plain_lists() const = 0;
  // Documents lie in the order of their objects' numbers.
  virtual bool in_number_order() const = 0;
  // Of all its documents, dead or alive; 0 without any.
  ObjectNumber largest_number() const { return largest_number_; }
  // The newest document of that object, dead or alive.
  virtual std::optional<uint32_t> find_number(ObjectNumber number) const = 0;
  // True if any document of that object is here, dead or alive.
  virtual bool holds(ObjectNumber number) const { return find_number(number).has_value(); }

  // The space's numbers for this part's labels and kinds.
  const std::vector<uint32_t>& labels() const { return labels_; }
  const std::vector<uint16_t>& kinds() const { return kinds_; }
  // The same as values, so that a frozen part can be read without the space's tables.
  const std::vector<Label>& label_values() const { return label_values_; }
  const std::vector<std::string>& kind_names() const { return kind_names_; }

  bool alive(uint32_t doc) const { return (live_[doc >> 6] >> (doc & 63) & 1) != 0; }
  uint32_t dead_count() const { return dead_count_; }
  uint32_t live_count() const { return columns_.count - dead_count_; }
  const std::vector<uint64_t>& live_bits() const { return live_; }
  // Living documents that have the stem.
  uint32_t live_postings(uint32_t stem) const {
    return stem_postings(stem).count - (stem < dead_postings_.size() ? dead_postings_[stem] : 0);
  }
  // The document must be alive.
  void kill(uint32_t doc);

 protected:
  void mark_alive(uint32_t doc);
  void mark_all_alive(uint32_t count);

  Columns columns_;
  std::vector<uint32_t> labels_;
  std::vector<uint16_t> kinds_;
  std::vector<Label> label_values_;
  std::vector<std::string> kind_names_;
  ObjectNumber largest_number_ = 0;

 private:
  // Among the forms from `first` to before `end`.
  void add_forms_with_infix(std::string_view infix, uint32_t first, uint32_t end,
                            std::vector<uint32_t>& forms) const;

  std::vector<uint64_t> live_;
  uint32_t dead_count_ = 0;
  std::vector<uint32_t> dead_postings_;  // a stem; empty until something dies
};

}  // namespace holdfast::search
