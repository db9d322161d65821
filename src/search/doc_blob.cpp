#include "search/doc_blob.h"

namespace holdfast::search {

void DocBlob::clear() {
  valid_from.reset();
  valid_until.reset();
  facets.clear();
  numbers.clear();
  for (auto& field : tokens) field.clear();
}

void append_blob(const DocBlob& blob, std::string& out) {
  std::string head;
  head.push_back(static_cast<char>((blob.valid_from ? 1 : 0) | (blob.valid_until ? 2 : 0)));
  if (blob.valid_from) put_varint(head, zigzag(*blob.valid_from));
  if (blob.valid_until) put_varint(head, zigzag(*blob.valid_until));
  put_varint(head, blob.facets.size());
  uint32_t before = 0;
  for (const uint32_t facet : blob.facets) {
    put_varint(head, facet - before);
    before = facet;
  }
  put_varint(head, blob.numbers.size());
  for (const auto& [name, value] : blob.numbers) {
    put_varint(head, name);
    put_varint(head, zigzag(value));
  }
  put_varint(out, head.size());
  out.append(head);
  for (const auto& field : blob.tokens) {
    put_varint(out, field.size());
    for (const uint32_t code : field) put_varint(out, code);
  }
}

std::optional<int64_t> BlobReader::valid_from() const {
  return valid_from_ == INT64_MIN ? std::nullopt : std::optional(valid_from_);
}

std::optional<int64_t> BlobReader::valid_until() const {
  return valid_until_ == INT64_MAX ? std::nullopt : std::optional(valid_until_);
}

}  // namespace holdfast::search
