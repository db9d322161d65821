#include "search/doc_blob.h"

#include <cstring>

namespace holdfast::search {

void DocBlob::clear() {
  valid_from.reset();
  valid_until.reset();
  facets.clear();
  numbers.clear();
  for (auto& field : tokens) field.clear();
}

namespace {

uint8_t* write_head(const DocBlob& blob, uint8_t* at) {
  *at++ = static_cast<uint8_t>((blob.valid_from ? 1 : 0) | (blob.valid_until ? 2 : 0));
  if (blob.valid_from) at = write_varint(at, zigzag(*blob.valid_from));
  if (blob.valid_until) at = write_varint(at, zigzag(*blob.valid_until));
  at = write_varint(at, blob.facets.size());
  uint32_t before = 0;
  for (const uint32_t facet : blob.facets) {
    at = write_varint(at, facet - before);
    before = facet;
  }
  at = write_varint(at, blob.numbers.size());
  for (const auto& [name, value] : blob.numbers) {
    at = write_varint(at, name);
    at = write_varint(at, zigzag(value));
  }
  return at;
}

}  // namespace

// Written in one go into more room than it can need.
void append_blob(const DocBlob& blob, std::string& out) {
  size_t varints = 6 + blob.facets.size() + 2 * blob.numbers.size();
  for (const auto& field : blob.tokens) varints += 1 + field.size();
  const size_t begin = out.size();
  out.resize(begin + varints * kLongestVarint);
  auto* const to = reinterpret_cast<uint8_t*>(out.data() + begin);
  // The size of the head comes before it and is known after it.
  uint8_t* const head = to + kLongestVarint;
  const auto head_bytes = static_cast<size_t>(write_head(blob, head) - head);
  uint8_t* at = write_varint(to, head_bytes);
  std::memmove(at, head, head_bytes);
  at += head_bytes;
  for (const auto& field : blob.tokens) {
    at = write_varint(at, field.size());
    for (const uint32_t code : field) at = write_varint(at, code);
  }
  out.resize(begin + static_cast<size_t>(at - to));
}

std::optional<int64_t> BlobReader::valid_from() const {
  return valid_from_ == INT64_MIN ? std::nullopt : std::optional(valid_from_);
}

std::optional<int64_t> BlobReader::valid_until() const {
  return valid_until_ == INT64_MAX ? std::nullopt : std::optional(valid_until_);
}

}  // namespace holdfast::search
