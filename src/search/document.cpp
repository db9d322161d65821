#include "search/document.h"

#include <algorithm>

#include <xxhash.h>

#include "base/sorted.h"
#include "search/bytes.h"

namespace holdfast::search {
namespace {

int64_t time_of(const Object& object, const Projection& projection) {
  const Timestamp at = projection.text.at;
  return to_micros(at == Timestamp{} ? object.created_at : at);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

Facet mark_facet(std::string_view mark) {
  return Facet::of(std::string(mark.substr(0, mark.size() - 1)), "");
}

std::vector<Facet> sorted_facets(const Projection& projection) {
  std::vector<Facet> facets = projection.facets;
  // The mark of facets that the store does not keep: here they are facets like all others.
  for (Facet& facet : facets) {
    if (facet.name.starts_with('~')) facet.name.erase(0, 1);
  }
  const SearchText& text = projection.text;
  if (text.valid_from || text.valid_until) facets.push_back(mark_facet(kValidityMark));
  if (!text.conversation.empty()) facets.push_back(mark_facet(kTurnMark));
  sort_once(facets);
  return facets;
}

void put_optional_time(std::string& out, const std::optional<Timestamp>& time) {
  put_varint(out, time ? zigzag(to_micros(*time)) + 1 : 0);
}

uint64_t hash_of(const Object& object, const Projection& projection,
                 const std::vector<Facet>& facets) {
  std::string bytes;
  const SearchText& text = projection.text;
  put_varint(bytes, static_cast<uint64_t>(object.number));
  put_text(bytes, object.key.kind);
  put_varint(bytes, static_cast<uint64_t>(object.label.visibility));
  put_varint(bytes, static_cast<uint64_t>(object.label.sensitivity));
  put_text(bytes, object.label.container);
  put_text(bytes, object.label.owner);
  put_varint(bytes, object.label.compartments.size());
  for (const std::string& compartment : object.label.compartments) put_text(bytes, compartment);
  put_text(bytes, text.title);
  for (const auto* list : {&text.ids, &text.tags}) {
    put_varint(bytes, list->size());
    for (const std::string& entry : *list) put_text(bytes, entry);
  }
  put_text(bytes, text.summary);
  put_text(bytes, text.body);
  put_text(bytes, text.conversation);
  put_text(bytes, text.speaker);
  put_varint(bytes, zigzag(time_of(object, projection)));
  put_optional_time(bytes, text.valid_from);
  put_optional_time(bytes, text.valid_until);
  for (const Facet& facet : facets) {
    put_text(bytes, facet.name);
    put_text(bytes, facet.text);
    put_varint(bytes, zigzag(facet.number));
    bytes.push_back(facet.is_number ? 1 : 0);
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

void add_list(const std::vector<std::string>& list, text::TokenList& tokens) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) tokens.tokens.push_back({});
    text::analyze(list[i], tokens);
  }
}

std::optional<int64_t> micros(const std::optional<Timestamp>& time) {
  return time ? std::optional(to_micros(*time)) : std::nullopt;
}

}  // namespace

uint32_t Document::weighted_length() const {
  uint64_t length = 0;
  for (size_t field = 0; field < kFieldCount; ++field) {
    for (uint32_t i = field_begin[field]; i < field_begin[field + 1]; ++i) {
      const text::Token& token = tokens.tokens[i];
      if (!token.overlay && token.size > 0) length += kFieldWeights[field];
    }
  }
  return static_cast<uint32_t>(std::min<uint64_t>(length, kMaxCount));
}

Document make_document(const Object& object, const Projection& projection) {
  const SearchText& text = projection.text;
  Document document{.number = object.number,
                    .kind = object.key.kind,
                    .label = object.label,
                    .at = time_of(object, projection),
                    .valid_from = micros(text.valid_from),
                    .valid_until = micros(text.valid_until),
                    .conversation = text.conversation,
                    .speaker = text.speaker,
                    .facets = sorted_facets(projection),
                    .key = key_hash(object.key)};
  document.hash = hash_of(object, projection, document.facets);
  const auto mark = [&](Field field) {
    document.field_begin[static_cast<size_t>(field) + 1] =
        static_cast<uint32_t>(document.tokens.tokens.size());
  };
  text::analyze(text.title, document.tokens);
  mark(Field::kTitle);
  add_list(text.ids, document.tokens);
  mark(Field::kIds);
  add_list(text.tags, document.tokens);
  mark(Field::kTags);
  text::analyze(text.summary, document.tokens);
  mark(Field::kSummary);
  text::analyze(text.body, document.tokens);
  mark(Field::kBody);
  return document;
}

uint64_t key_hash(const ObjectKey& key) {
  std::string bytes = key.kind;
  bytes.push_back('\0');
  bytes.append(key.id);
  return XXH3_64bits(bytes.data(), bytes.size());
}

uint64_t projection_hash(const Object& object, const Projection& projection) {
  return hash_of(object, projection, sorted_facets(projection));
}

}  // namespace holdfast::search
