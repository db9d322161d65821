// The growing part of a space's index. Not thread-safe by itself: add() and show() need the space's
// mutex exclusively, reading needs it shared. Once frozen (no more of these, nothing hidden),
// everything but the living bits may be read without it.
#pragma once

#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/document.h"
#include "search/flat_table.h"
#include "search/part.h"
#include "search/string_pool.h"
#include "search/tables.h"

namespace holdfast::search {

class Memtable : public Part {
 public:
  Memtable();

  // The document becomes the newest of its object; an earlier one must have been killed before.
  void add(const Document& document, Tables& tables);
  // The same, but until show() it is as if it were not there: in no list, no count, no column. For
  // new objects that are no turn of a conversation.
  void add_hidden(const Document& document, Tables& tables);
  void show(Tables& tables);
  bool has_hidden() const { return columns_.count < numbers_.size(); }
  // It will be added soon: what that looks at first begins to be fetched.
  void fetch_ahead(const Document& document) const;

  // A rough count of what it takes in memory; decides when to flush.
  size_t memory_bytes() const { return memory_bytes_; }

  std::string_view form_text(uint32_t form) const override { return forms_.text(form); }
  std::string_view stem_text(uint32_t stem) const override { return stems_.text(stem); }
  std::string_view facet_text(uint32_t facet) const override { return facets_.text(facet); }
  std::string_view name_text(uint32_t name) const override { return names_.text(name); }
  std::string_view conversation_text(uint32_t id) const override { return conversations_.text(id); }
  std::string_view speaker_text(uint32_t speaker) const override { return speakers_.text(speaker); }
  uint32_t speaker_count() const override { return speakers_.size(); }
  uint32_t form_count() const override { return forms_.size(); }
  uint32_t stem_count() const override { return stems_.size(); }
  uint32_t facet_count() const override { return facets_.size(); }
  uint32_t name_count() const override { return names_.size(); }
  std::optional<uint32_t> find_stem(std::string_view text) const override {
    return stems_.find(text);
  }
  std::optional<uint32_t> find_facet(std::string_view text) const override {
    return facets_.find(text);
  }
  std::optional<uint32_t> find_name(std::string_view text) const override {
    return names_.find(text);
  }
  std::optional<uint32_t> find_conversation(std::string_view text) const override {
    return conversations_.find(text);
  }
  std::vector<uint32_t> stems_with_prefix(std::string_view prefix) const override;
  PostingList stem_postings(uint32_t stem) const override;
  PostingList facet_postings(uint32_t facet) const override;
  void fetch_stem_postings(uint32_t stem) const override { prefetch(&postings_[stem]); }
  void fetch_facet_postings(uint32_t facet) const override { prefetch(&facet_docs_[facet]); }
  std::span<const uint32_t> conversation_docs(uint32_t id) const override {
    return by_conversation_[id];
  }
  std::span<const int64_t> newest_of_words() const override { return newest_of_words_; }
  std::span<const int64_t> oldest_of_words() const override { return oldest_of_words_; }
  std::span<const int64_t> gapless_words() const override { return gapless_words_; }
  bool has_plain_lists() const override { return true; }
  bool in_number_order() const override { return false; }
  std::optional<uint32_t> find_number(ObjectNumber number) const override;

 private:
  // A growing list. Most have one document, and have it here; of more all lie in a piece of memory
  // for all lists, the frequencies behind the documents.
  struct Postings {
    uint32_t* docs = nullptr;
    uint32_t count = 0;
    uint32_t room = 0;  // 0: there is at most the last
    uint32_t last_doc = 0;
    uint16_t last_tf = 0;
    BlockBound bound = {};

    uint16_t* tfs() const { return reinterpret_cast<uint16_t*>(docs + room); }
  };
  // The same without frequencies.
  struct FacetDocs {
    uint32_t* docs = nullptr;
    uint32_t count = 0;
    uint32_t room = 0;
    uint32_t only_doc = 0;
  };

  struct NewStem {
    uint32_t hash = 0;  // of the form first, then of the stem
    bool is_form = true;
    std::string text = {};  // where it is another than the form
  };

  static constexpr size_t kBeginning = 3;  // bytes
  static uint32_t beginning_of(std::string_view text);

  void stem_new_forms();
  void add_stem(std::string_view stem, uint32_t id);
  void add_columns(const Document& document, Tables& tables);
  uint32_t label_here(const Label& value, Tables& tables);
  void add_words(const Words& words, uint32_t doc);
  void add_postings(const Words& words, uint32_t doc);
  void make_room(Postings& postings);
  void make_room(FacetDocs& facet);
  uint32_t* list_room(size_t bytes);
  void add_facets(const Document& document, uint32_t doc);
  void add_to_conversation(uint32_t doc);
  uint32_t shown_of(const uint32_t* docs, uint32_t count) const;
  void refresh_columns(uint32_t shown);
  void note_in_word(uint32_t doc);

  std::vector<int64_t> numbers_;
  std::vector<int64_t> ats_;
  std::vector<uint64_t> hashes_;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> doc_labels_;
  std::vector<uint32_t> doc_conversations_;
  std::vector<uint32_t> doc_speakers_;
  std::vector<uint16_t> doc_kinds_;
  std::vector<uint16_t> lengths_;
  std::vector<uint32_t> blob_at_;
  // Aids for lists, of what is shown.
  std::vector<int64_t> newest_of_words_;
  std::vector<int64_t> oldest_of_words_;
  std::vector<int64_t> gapless_words_;
  std::string blobs_;
  DocBlob blob_;  // of the document under way

  StringPool forms_;
  StringPool stems_;
  StringPool facets_;
  StringPool names_;
  StringPool conversations_;
  StringPool speakers_;
  std::vector<uint32_t> form_stems_;
  std::unordered_map<uint32_t, uint32_t> label_here_;  // the space's number to ours
  std::unordered_map<uint16_t, uint16_t> kind_here_;

  std::pmr::monotonic_buffer_resource list_memory_;
  std::vector<Postings> postings_;  // a stem
  // Stems by their first bytes, so that a prefix is not looked for among all: the last stem that
  // begins so, and for each stem the one before it; plus one, 0: none.
  FlatTable<uint32_t> last_beginning_{64};
  std::vector<uint32_t> before_;
  std::vector<FacetDocs> facet_docs_;
  std::vector<std::vector<uint32_t>> by_conversation_;
  FlatTable<uint32_t> newest_{64};  // by the numbers of objects
  // Of the document under way:
  std::vector<uint32_t> form_ids_;
  std::vector<NewStem> new_stems_;  // of the forms that no document had before
  size_t memory_bytes_ = 0;
};

}  // namespace holdfast::search
