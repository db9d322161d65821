#include "search/document.h"

#include <algorithm>

#include <xxhash.h>

#include "base/sorted.h"
#include "search/bytes.h"
#include "search/string_pool.h"

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

// A facet where it lies.
struct FacetView {
  std::string_view name = {};
  std::string_view text = {};
  int64_t number = 0;
  bool is_number = false;
  auto operator<=>(const FacetView&) const = default;
};

// Points into the projection.
std::vector<FacetView> sorted_facets(const Projection& projection) {
  std::vector<FacetView> facets;
  facets.reserve(projection.facets.size() + 2);
  for (const Facet& facet : projection.facets) {
    std::string_view name = facet.name;
    // The mark of facets that the store does not keep: here they are facets like all others.
    if (name.starts_with('~')) name.remove_prefix(1);
    facets.push_back({name, facet.text, facet.number, facet.is_number});
  }
  const auto add_mark = [&](std::string_view mark) {
    facets.push_back({.name = mark.substr(0, mark.size() - 1)});
  };
  const SearchText& text = projection.text;
  if (text.valid_from || text.valid_until) add_mark(kValidityMark);
  if (!text.conversation.empty()) add_mark(kTurnMark);
  sort_once(facets);
  return facets;
}

void keep_facets(const std::vector<FacetView>& facets, Document& document) {
  size_t bytes = 0;
  for (const FacetView& facet : facets) bytes += facet.name.size() + 1 + facet.text.size();
  document.facet_texts.reserve(bytes);
  document.facet_ends.reserve(facets.size());
  document.facet_hashes.reserve(facets.size());
  for (const FacetView& facet : facets) {
    if (facet.is_number) {
      document.numbers.emplace_back(facet.name, facet.number);
      continue;
    }
    const size_t begin = document.facet_texts.size();
    document.facet_texts.append(facet.name).push_back('\0');
    document.facet_texts.append(facet.text);
    document.facet_ends.push_back(static_cast<uint32_t>(document.facet_texts.size()));
    document.facet_hashes.push_back(
        StringPool::hash_of(std::string_view(document.facet_texts).substr(begin)));
  }
}

void put_optional_time(std::string& out, const std::optional<Timestamp>& time) {
  put_varint(out, time ? zigzag(to_micros(*time)) + 1 : 0);
}

uint64_t hash_of(const Object& object, const Projection& projection,
                 const std::vector<FacetView>& facets) {
  const SearchText& text = projection.text;
  std::string bytes;
  bytes.reserve(1024 + text.title.size() + text.summary.size() + text.body.size());
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
  for (const FacetView& facet : facets) {
    put_text(bytes, facet.name);
    put_text(bytes, facet.text);
    put_varint(bytes, zigzag(facet.number));
    bytes.push_back(facet.is_number ? 1 : 0);
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::optional<int64_t> micros(const std::optional<Timestamp>& time) {
  return time ? std::optional(to_micros(*time)) : std::nullopt;
}

}  // namespace

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
                    .key = key_hash(object.key),
                    .words = projection.words ? projection.words : words_of(text)};
  const std::vector<FacetView> facets = sorted_facets(projection);
  keep_facets(facets, document);
  document.hash = hash_of(object, projection, facets);
  return document;
}

uint64_t key_hash(const ObjectKey& key) {
  std::string bytes;
  bytes.reserve(key.kind.size() + 1 + key.id.size());
  bytes.append(key.kind).append(1, '\0').append(key.id);
  return XXH3_64bits(bytes.data(), bytes.size());
}

uint64_t projection_hash(const Object& object, const Projection& projection) {
  return hash_of(object, projection, sorted_facets(projection));
}

}  // namespace holdfast::search
