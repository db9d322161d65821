// A part that never changes (but for which of its documents are alive), read where its bytes lie.
// Documents are in the order of their numbers, at most one an object.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "search/list_aids.h"
#include "search/part.h"
#include "search/segment_format.h"
#include "search/tables.h"

namespace holdfast::search {

// The bytes of a segment: on the heap, or a mapped file (which stays readable after the file is
// unlinked).
class SegmentBytes {
 public:
  virtual ~SegmentBytes() = default;
  virtual std::span<const uint8_t> view() const = 0;
};

std::unique_ptr<SegmentBytes> own_bytes(std::string bytes);
// kNotFound if there is no such file; kInternal with a detail otherwise.
Result<std::unique_ptr<SegmentBytes>> map_file(const std::string& path);

class Segment : public Part {
 public:
  // kCorrupted if the bytes cannot be a segment of this version. Does not read them all: whoever
  // maps a file checks its checksum before. Enters labels and kinds into `tables`, but does not
  // count documents.
  static Result<std::unique_ptr<Segment>> open(std::unique_ptr<SegmentBytes> bytes, Tables& tables);

  std::string_view form_text(uint32_t form) const override { return text(kFormOffsets, form); }
  std::string_view stem_text(uint32_t stem) const override { return text(kStemOffsets, stem); }
  std::string_view facet_text(uint32_t facet) const override { return text(kFacetOffsets, facet); }
  std::string_view name_text(uint32_t name) const override { return text(kNameOffsets, name); }
  std::string_view conversation_text(uint32_t id) const override {
    return text(kConversationOffsets, id);
  }
  std::string_view speaker_text(uint32_t speaker) const override {
    return text(kSpeakerOffsets, speaker);
  }
  uint32_t speaker_count() const override { return text_count(kSpeakerOffsets); }
  uint32_t form_count() const override { return text_count(kFormOffsets); }
  uint32_t stem_count() const override { return text_count(kStemOffsets); }
  uint32_t facet_count() const override { return text_count(kFacetOffsets); }
  uint32_t name_count() const override { return text_count(kNameOffsets); }
  std::optional<uint32_t> find_stem(std::string_view wanted) const override {
    return find(kStemOffsets, wanted);
  }
  std::optional<uint32_t> find_facet(std::string_view wanted) const override {
    return find(kFacetOffsets, wanted);
  }
  std::optional<uint32_t> find_name(std::string_view wanted) const override {
    return find(kNameOffsets, wanted);
  }
  std::optional<uint32_t> find_conversation(std::string_view wanted) const override {
    return find(kConversationOffsets, wanted);
  }
  std::pair<uint32_t, uint32_t> facets_of(std::string_view name) const override;
  std::vector<uint32_t> stems_with_prefix(std::string_view prefix) const override;
  PostingList stem_postings(uint32_t stem) const override {
    return list(section<ListEntry>(kStemEntries)[stem]);
  }
  PostingList facet_postings(uint32_t facet) const override {
    return list(section<ListEntry>(kFacetEntries)[facet]);
  }
  const std::vector<uint64_t>* facet_bits(uint32_t facet) const override {
    return aids_.bits(facet, facet_postings(facet), columns_.count);
  }
  const std::vector<uint64_t>* kind_bits(uint16_t kind) const override {
    return aids_.kind_bits(kind, {columns_.kind, columns_.count});
  }
  const std::vector<uint64_t>* label_bits(uint32_t label) const override {
    return aids_.label_bits(label, {columns_.label, columns_.count});
  }
  std::span<const int64_t> newest_of_words() const override {
    return aids_.newest({columns_.at, columns_.count});
  }
  std::span<const int64_t> oldest_of_words() const override {
    return aids_.oldest({columns_.at, columns_.count});
  }
  std::span<const int64_t> gapless_words() const override {
    return aids_.gapless({columns_.number, columns_.count});
  }
  const std::vector<uint32_t>* prose_forms() const override { return aids_.prose_forms(*this); }
  const FormBlocks* form_blocks() const override { return aids_.form_blocks(*this); }
  std::span<const uint32_t> conversation_docs(uint32_t id) const override;
  bool has_plain_lists() const override { return false; }
  bool in_number_order() const override { return true; }
  std::optional<uint32_t> find_number(ObjectNumber number) const override;

  std::span<const uint8_t> bytes() const { return bytes_->view(); }

 private:
  Segment(std::unique_ptr<SegmentBytes> bytes, const SegmentHeader& header);

  template <typename T>
  const T* section(Section id) const {
    return reinterpret_cast<const T*>(base_ + header_.sections[id].offset);
  }
  // `offsets` names the section of the beginnings; the one after it holds the bytes.
  std::string_view text(Section offsets, uint32_t id) const;
  uint32_t text_count(Section offsets) const;
  uint32_t lower_bound(Section offsets, std::string_view wanted) const;
  std::optional<uint32_t> find(Section offsets, std::string_view wanted) const;
  PostingList list(const ListEntry& entry) const;
  // Some stems: what is before them is less than a text, and what is behind is more.
  struct Stems {
    uint32_t from = 0;
    uint32_t to = 0;
  };
  Stems stems_around(std::string_view wanted) const;
  void set_landmarks();

  std::unique_ptr<SegmentBytes> bytes_;
  const uint8_t* const base_;  // where they begin
  SegmentHeader header_;
  // How some of the stems begin, at equal distances. To look for a text among all stems is to wait
  // for memory at most steps; these are near, and what lies between two of them comes at once.
  std::vector<uint64_t> landmarks_;
  mutable ListAids aids_;
};

// How labels are written in a segment.
std::string encode_label(const Label& label);
Label decode_label(std::string_view bytes);

}  // namespace holdfast::search
