// An object on its way into the index: its projection analysed, but not yet numbered into any part
// of the index. Making one is the costly half of indexing and needs no lock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/noun.h"
#include "model/object.h"
#include "search/fields.h"
#include "text/analyzer.h"

namespace holdfast::search {

struct Document {
  ObjectNumber number = 0;
  std::string kind = {};
  Label label = {};
  int64_t at = 0;  // microseconds; the object's creation where the projection gives no time
  std::optional<int64_t> valid_from = std::nullopt;
  std::optional<int64_t> valid_until = std::nullopt;
  std::string conversation = {};
  std::string speaker = {};
  std::vector<Facet> facets = {};  // sorted, without repetitions
  uint64_t key = 0;                // key_hash()
  text::TokenList tokens = {};     // a token of size 0 stands between two ids or tags
  std::array<uint32_t, kFieldCount + 1> field_begin = {};  // into tokens; the last is their number
  uint64_t hash = 0;  // of everything above, made before analysis

  // Plain tokens times the weight of their field, at most kMaxCount.
  uint32_t weighted_length() const;
};

Document make_document(const Object& object, const Projection& projection);

// Names an object across parts and restarts, where only its key is known.
uint64_t key_hash(const ObjectKey& key);

// Facets of our own, so that a query knows at once whether a part holds any such document at all:
// one with a validity, one that is a turn of a conversation. As in Part::find_facet.
inline constexpr std::string_view kValidityMark{"\x01valid\0", 7};
inline constexpr std::string_view kTurnMark{"\x01turn\0", 6};

// What make_document would put into Document::hash, without analysing.
uint64_t projection_hash(const Object& object, const Projection& projection);

}  // namespace holdfast::search
