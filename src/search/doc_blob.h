// What a document stores beside its columns: validity, facets, and its token sequence. Numbers of
// facets, names and forms are those of the part of the index that holds the document.
//
//   varint size of the head | head: flags, [valid_from], [valid_until], facets, number facets |
//   five fields of tokens
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/bytes.h"
#include "search/fields.h"

namespace holdfast::search {

// In a token sequence 0 separates two ids or tags; a form is written so:
inline constexpr uint32_t kBoundaryToken = 0;
constexpr uint32_t token_code(uint32_t form, bool overlay) {
  return ((form << 1) | (overlay ? 1U : 0U)) + 1;
}
constexpr uint32_t token_form(uint32_t code) { return (code - 1) >> 1; }
constexpr bool token_is_overlay(uint32_t code) { return ((code - 1) & 1) != 0; }

struct DocBlob {
  std::optional<int64_t> valid_from = std::nullopt;
  std::optional<int64_t> valid_until = std::nullopt;
  std::vector<uint32_t> facets = {};                       // sorted
  std::vector<std::pair<uint32_t, int64_t>> numbers = {};  // name and value
  std::vector<uint32_t> tokens = {};                       // codes, field after field
  std::array<uint32_t, kFieldCount> field_sizes = {};      // how many are of each

  void clear();
};

void append_blob(const DocBlob& blob, std::string& out);
// The same without the fields of tokens.
void append_blob_head(const DocBlob& blob, std::string& out);

// Reads a blob in place. Each function may be called on its own, any number of times.
class BlobReader {
 public:
  explicit BlobReader(const uint8_t* at) {
    const uint64_t head_bytes = get_varint(at);
    tokens_ = at + head_bytes;
    const uint8_t flags = *at++;
    if ((flags & 1) != 0) valid_from_ = unzigzag(get_varint(at));
    if ((flags & 2) != 0) valid_until_ = unzigzag(get_varint(at));
    facets_ = at;
  }

  const uint8_t* tokens() const { return tokens_; }  // the sequence's first byte
  bool valid_at(int64_t time) const { return time >= valid_from_ && time < valid_until_; }
  std::optional<int64_t> valid_from() const;
  std::optional<int64_t> valid_until() const;

  // use(facet), in ascending order.
  template <typename Use>
  void for_each_facet(Use&& use) const {
    const uint8_t* at = facets_;
    read_facets(at, use);
  }
  // use(name, value)
  template <typename Use>
  void for_each_number(Use&& use) const {
    const uint8_t* at = facets_;
    read_facets(at, [](uint32_t) {});
    for (uint64_t left = get_varint(at); left > 0; --left) {
      const auto name = static_cast<uint32_t>(get_varint(at));
      use(name, unzigzag(get_varint(at)));
    }
  }
  // use(field number, code), in order.
  template <typename Use>
  void for_each_token(Use&& use) const {
    each_token_while([&](size_t field, uint32_t code) {
      use(field, code);
      return true;
    });
  }
  // The same until it returns false.
  template <typename Use>
  void each_token_while(Use&& use) const {
    each_token_while([](size_t) { return FieldChoice::kRead; }, std::forward<Use>(use));
  }
  // The same as choose(field number) says when a field is reached.
  enum class FieldChoice : uint8_t { kRead, kPass, kStop };
  template <typename Choose, typename Use>
  void each_token_while(Choose&& choose, Use&& use) const {
    const uint8_t* at = tokens_;
    for (size_t field = 0; field < kFieldCount; ++field) {
      uint64_t left = get_varint(at);
      const FieldChoice choice = choose(field);
      if (choice == FieldChoice::kStop) return;
      if (choice == FieldChoice::kPass) {
        skip_varints(at, left);
        continue;
      }
      for (; left > 0; --left)
        if (!use(field, static_cast<uint32_t>(get_varint(at)))) return;
    }
  }

 private:
  template <typename Use>
  static void read_facets(const uint8_t*& at, Use&& use) {
    uint32_t facet = 0;
    for (uint64_t left = get_varint(at); left > 0; --left) {
      facet += static_cast<uint32_t>(get_varint(at));
      use(facet);
    }
  }

  const uint8_t* tokens_ = nullptr;
  const uint8_t* facets_ = nullptr;
  int64_t valid_from_ = INT64_MIN;
  int64_t valid_until_ = INT64_MAX;
};

}  // namespace holdfast::search
