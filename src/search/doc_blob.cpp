#include "search/doc_blob.h"

#include <cstring>

namespace holdfast::search {

void DocBlob::clear() {
  valid_from.reset();
  valid_until.reset();
  facets.clear();
  numbers.clear();
  tokens.clear();
  field_sizes.fill(0);
}

namespace {

uint8_t* write_head_itself(const DocBlob& blob, uint8_t* at) {
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

// The size of the head comes before it and is known after it.
uint8_t* write_head(const DocBlob& blob, uint8_t* to) {
  uint8_t* const head = to + kLongestVarint;
  const auto bytes = static_cast<size_t>(write_head_itself(blob, head) - head);
  to = write_varint(to, bytes);
  std::memmove(to, head, bytes);
  return to + bytes;
}

uint8_t* write_tokens(const DocBlob& blob, uint8_t* to) {
  const uint32_t* code = blob.tokens.data();
  for (const uint32_t size : blob.field_sizes) {
    to = write_varint(to, size);
    for (uint32_t left = size; left > 0; --left) to = write_varint(to, *code++);
  }
  return to;
}

// In one go into more room than `varints` can need.
template <typename Write>
void append_varints(std::string& out, size_t varints, Write&& write) {
  const size_t begin = out.size();
  out.resize(begin + varints * kLongestVarint);
  auto* const to = reinterpret_cast<uint8_t*>(out.data() + begin);
  out.resize(begin + static_cast<size_t>(write(to) - to));
}

size_t head_varints(const DocBlob& blob) {
  return 6 + blob.facets.size() + 2 * blob.numbers.size();
}

}  // namespace

void append_blob(const DocBlob& blob, std::string& out) {
  append_varints(out, head_varints(blob) + kFieldCount + blob.tokens.size(),
                 [&](uint8_t* to) { return write_tokens(blob, write_head(blob, to)); });
}

void append_blob_head(const DocBlob& blob, std::string& out) {
  append_varints(out, head_varints(blob), [&](uint8_t* to) { return write_head(blob, to); });
}

std::optional<int64_t> BlobReader::valid_from() const {
  return valid_from_ == INT64_MIN ? std::nullopt : std::optional(valid_from_);
}

std::optional<int64_t> BlobReader::valid_until() const {
  return valid_until_ == INT64_MAX ? std::nullopt : std::optional(valid_until_);
}

}  // namespace holdfast::search
