// The fields of a document and what a word in each of them weighs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::search {

enum class Field : uint8_t { kTitle = 0, kIds = 1, kTags = 2, kSummary = 3, kBody = 4 };
inline constexpr size_t kFieldCount = 5;

// Some of the fields, as bits.
using FieldSet = uint8_t;
constexpr FieldSet field_bit(size_t field) { return static_cast<FieldSet>(1U << field); }

// Text that people wrote to be read.
constexpr bool is_prose(size_t field) {
  return field != static_cast<size_t>(Field::kIds) && field != static_cast<size_t>(Field::kTags);
}

// A word in the title counts like four in the body, in the weighted term frequency and in the
// length.
inline constexpr std::array<uint32_t, kFieldCount> kFieldWeights = {4, 3, 3, 2, 1};
inline constexpr std::array<std::string_view, kFieldCount> kFieldNames = {"title", "ids", "tags",
                                                                          "summary", "body"};

// Weighted frequencies and lengths are counted up to here.
inline constexpr uint32_t kMaxCount = 65535;

}  // namespace holdfast::search
