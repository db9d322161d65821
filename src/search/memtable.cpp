#include "search/memtable.h"

#include <algorithm>
#include <utility>

#include "base/prefetch.h"
#include "text/stemmer.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kFirstRoom = 4;  // of a list

}  // namespace

Memtable::Memtable() {
  conversations_.intern("");
  speakers_.intern("");
  by_conversation_.emplace_back();
}

void Memtable::fetch_ahead(const Document& document) const {
  for (const Words::Form& form : document.words->forms) forms_.fetch_slot(form.hash);
  for (const Document::TextFacet& facet : document.facets) facets_.fetch_slot(facet.hash);
}

void Memtable::add(const Document& document, Tables& tables) {
  add_hidden(document, tables);
  show(tables);
}

void Memtable::add_hidden(const Document& document, Tables& tables) {
  const auto doc = static_cast<uint32_t>(numbers_.size());
  const auto length = static_cast<uint16_t>(document.words->length);
  blob_.clear();
  add_columns(document, tables);
  lengths_.push_back(length);
  add_facets(document, doc);
  add_words(*document.words, doc);
  blob_.valid_from = document.valid_from;
  blob_.valid_until = document.valid_until;
  blob_at_.push_back(static_cast<uint32_t>(blobs_.size()));
  append_blob(blob_, blobs_);
  refresh_columns(columns_.count);
  add_to_conversation(doc);
  newest_[static_cast<uint64_t>(document.number)] = doc;
  memory_bytes_ += 160 + blobs_.size() - blob_at_.back();
}

void Memtable::show(Tables& tables) {
  for (uint32_t doc = columns_.count; doc < numbers_.size(); ++doc) {
    mark_alive(doc);
    largest_number_ = std::max(largest_number_, numbers_[doc]);
    note_in_word(doc);
    tables.count(labels_[doc_labels_[doc]], kinds_[doc_kinds_[doc]], lengths_[doc], +1);
  }
  refresh_columns(static_cast<uint32_t>(numbers_.size()));
}

void Memtable::note_in_word(uint32_t doc) {
  const int64_t at = ats_[doc];
  if (doc % 64 == 0) {
    newest_of_words_.push_back(at);
    oldest_of_words_.push_back(at);
    gapless_words_.push_back(numbers_[doc]);
    return;
  }
  newest_of_words_.back() = std::max(newest_of_words_.back(), at);
  oldest_of_words_.back() = std::min(oldest_of_words_.back(), at);
  if (numbers_[doc] != numbers_[doc - 1] + 1) gapless_words_.back() = 0;
}

void Memtable::add_columns(const Document& document, Tables& tables) {
  numbers_.push_back(document.number);
  ats_.push_back(document.at);
  hashes_.push_back(document.hash);
  keys_.push_back(document.key);
  doc_labels_.push_back(label_here(*document.label, tables));
  const uint16_t kind = tables.kind_id(document.kind);
  const auto [kind_it, new_kind] =
      kind_here_.try_emplace(kind, static_cast<uint16_t>(kinds_.size()));
  if (new_kind) {
    kinds_.push_back(kind);
    kind_names_.emplace_back(document.kind);
  }
  doc_kinds_.push_back(kind_it->second);
  doc_conversations_.push_back(conversations_.intern(document.conversation));
  if (conversations_.size() > by_conversation_.size()) by_conversation_.emplace_back();
  doc_speakers_.push_back(speakers_.intern(document.speaker));
}

uint32_t Memtable::label_here(const Label& value, Tables& tables) {
  // Often it is that of the document before.
  if (!doc_labels_.empty() && label_values_[doc_labels_.back()] == value) return doc_labels_.back();
  const uint32_t label = tables.label_id(value);
  const auto [it, added] = label_here_.try_emplace(label, static_cast<uint32_t>(labels_.size()));
  if (added) {
    labels_.push_back(label);
    label_values_.push_back(value);
  }
  return it->second;
}

uint32_t Memtable::beginning_of(std::string_view text) {
  uint32_t key = 0;
  for (const char c : text.substr(0, kBeginning)) key = key << 8U | static_cast<unsigned char>(c);
  return key;
}

// Stemming happens once a form and memtable, not once a token. First all stems are made, so that
// their slots are there when they are looked up. Most forms are their own stems.
void Memtable::stem_new_forms() {
  auto form = static_cast<uint32_t>(form_stems_.size());
  for (NewStem& stem : new_stems_) {
    const std::string_view text = forms_.text(form++);
    memory_bytes_ += text.size() + 20;
    if (text::may_have_another_stem(text)) {
      stem.text = text::stem(text);
      stem.is_form = false;
      stem.hash = StringPool::hash_of(stem.text);
    }
    stems_.fetch_slot(stem.hash);
  }
  for (const NewStem& stem : new_stems_) {
    const auto this_form = static_cast<uint32_t>(form_stems_.size());
    const std::string_view text = stem.is_form ? forms_.text(this_form) : stem.text;
    const uint32_t id = stems_.intern(text, stem.hash);
    form_stems_.push_back(id);
    if (id == postings_.size()) add_stem(text, id);
  }
}

void Memtable::add_stem(std::string_view stem, uint32_t id) {
  postings_.emplace_back();
  before_.push_back(0);
  if (stem.size() >= kBeginning)
    before_.back() = std::exchange(last_beginning_[beginning_of(stem)], id + 1);
  memory_bytes_ += sizeof(Postings) + stem.size() + 20;
}

// Words lie all over the memory of a large table: each loop fetches what the next one needs.
void Memtable::add_words(const Words& words, uint32_t doc) {
  form_ids_.clear();
  for (const Words::Form& form : words.forms) forms_.fetch_place(form.hash);
  for (const Words::Form& form : words.forms) forms_.fetch_bytes(form.hash);
  new_stems_.clear();
  for (const Words::Form& form : words.forms) {
    const size_t known = forms_.size();
    form_ids_.push_back(forms_.intern(words.text(form), form.hash));
    if (form_ids_.back() == known) new_stems_.push_back({.hash = form.hash});
  }
  stem_new_forms();
  for (const uint32_t form : form_ids_) prefetch(&postings_[form_stems_[form]]);
  for (size_t field = 0; field < kFieldCount; ++field)
    blob_.field_sizes[field] = words.field_begin[field + 1] - words.field_begin[field];
  for (const uint32_t code : words.tokens) {
    blob_.tokens.push_back(code == kBoundaryToken
                               ? code
                               : token_code(form_ids_[token_form(code)], token_is_overlay(code)));
  }
  add_postings(words, doc);
}

void Memtable::add_postings(const Words& words, uint32_t doc) {
  for (const uint32_t form : form_ids_) {
    const Postings& postings = postings_[form_stems_[form]];
    if (postings.room == 0) continue;
    prefetch(postings.docs + postings.count);
    prefetch(postings.tfs() + postings.count);
  }
  for (size_t i = 0; i < words.forms.size(); ++i) {
    Postings& postings = postings_[form_stems_[form_ids_[i]]];
    // Several forms may have one stem.
    if (postings.count == 0 || postings.last_doc != doc) {
      if (postings.count > 0 && postings.count >= postings.room) make_room(postings);
      ++postings.count;
      postings.last_doc = doc;
      postings.last_tf = 0;
    }
    const uint32_t tf = postings.last_tf + words.forms[i].frequency;
    postings.last_tf = static_cast<uint16_t>(std::min(tf, kMaxCount));
    postings.bound.add(postings.last_tf, lengths_[doc]);
    if (postings.room == 0) continue;
    postings.docs[postings.count - 1] = doc;
    postings.tfs()[postings.count - 1] = postings.last_tf;
  }
}

// What the list lay in before is left to the table's end.
void Memtable::make_room(Postings& postings) {
  const Postings old = postings;
  postings.room = std::max(kFirstRoom, old.room * 2);
  postings.docs = list_room(postings.room * (sizeof(uint32_t) + sizeof(uint16_t)));
  std::copy_n(old.room == 0 ? &old.last_doc : old.docs, old.count, postings.docs);
  std::copy_n(old.room == 0 ? &old.last_tf : old.tfs(), old.count, postings.tfs());
}

void Memtable::make_room(FacetDocs& facet) {
  const FacetDocs old = facet;
  facet.room = std::max(kFirstRoom, old.room * 2);
  facet.docs = list_room(facet.room * sizeof(uint32_t));
  std::copy_n(old.room == 0 ? &old.only_doc : old.docs, old.count, facet.docs);
}

uint32_t* Memtable::list_room(size_t bytes) {
  memory_bytes_ += bytes;
  return static_cast<uint32_t*>(list_memory_.allocate(bytes, alignof(uint32_t)));
}

void Memtable::add_facets(const Document& document, uint32_t doc) {
  for (const auto& [name, number] : document.numbers)
    blob_.numbers.emplace_back(names_.intern(name), number);
  for (const Document::TextFacet& facet : document.facets) {
    const uint32_t id = facets_.intern(facet.text, facet.hash);
    blob_.facets.push_back(id);
    if (id == facet_docs_.size()) {
      facet_docs_.push_back({.count = 1, .only_doc = doc});
      memory_bytes_ += sizeof(FacetDocs);
      continue;
    }
    FacetDocs& docs = facet_docs_[id];
    if (docs.count >= docs.room) make_room(docs);
    docs.docs[docs.count++] = doc;
  }
  std::ranges::sort(blob_.facets);
}

void Memtable::add_to_conversation(uint32_t doc) {
  const uint32_t conversation = doc_conversations_[doc];
  if (conversation == 0) return;
  auto& docs = by_conversation_[conversation];
  const auto key = [&](uint32_t other) { return std::pair(ats_[other], numbers_[other]); };
  docs.insert(std::ranges::upper_bound(docs, key(doc), {}, key), doc);
}

void Memtable::refresh_columns(uint32_t shown) {
  columns_ = {.count = shown,
              .number = numbers_.data(),
              .at = ats_.data(),
              .hash = hashes_.data(),
              .key = keys_.data(),
              .label = doc_labels_.data(),
              .conversation = doc_conversations_.data(),
              .speaker = doc_speakers_.data(),
              .kind = doc_kinds_.data(),
              .length = lengths_.data(),
              .blob_at = blob_at_.data(),
              .blob = reinterpret_cast<const uint8_t*>(blobs_.data()),
              .blob_bytes = shown < blob_at_.size() ? blob_at_[shown] : blobs_.size(),
              .form_stem = form_stems_.data()};
}

std::vector<uint32_t> Memtable::stems_with_prefix(std::string_view prefix) const {
  std::vector<uint32_t> found;
  const auto take = [&](uint32_t stem) {
    if (stems_.text(stem).starts_with(prefix)) found.push_back(stem);
  };
  if (prefix.size() < kBeginning) {
    for (uint32_t stem = 0; stem < stems_.size(); ++stem) take(stem);
  } else if (const uint32_t* last = last_beginning_.find(beginning_of(prefix))) {
    for (uint32_t stem = *last; stem != 0; stem = before_[stem - 1]) take(stem - 1);
  }
  return found;
}

// Hidden documents are the last of every list they are in.
uint32_t Memtable::shown_of(const uint32_t* docs, uint32_t count) const {
  while (count > 0 && docs[count - 1] >= columns_.count) --count;
  return count;
}

PostingList Memtable::stem_postings(uint32_t stem) const {
  const Postings& postings = postings_[stem];
  const uint32_t* const docs = postings.room == 0 ? &postings.last_doc : postings.docs;
  return {.count = shown_of(docs, postings.count),
          .bound = postings.bound,
          .docs = docs,
          .tfs = postings.room == 0 ? &postings.last_tf : postings.tfs()};
}

PostingList Memtable::facet_postings(uint32_t facet) const {
  const FacetDocs& list = facet_docs_[facet];
  const uint32_t* const docs = list.room == 0 ? &list.only_doc : list.docs;
  return {.count = shown_of(docs, list.count), .docs = docs};
}

std::optional<uint32_t> Memtable::find_number(ObjectNumber number) const {
  const uint32_t* const doc = newest_.find(static_cast<uint64_t>(number));
  return doc == nullptr || *doc >= columns_.count ? std::nullopt : std::optional(*doc);
}

}  // namespace holdfast::search
