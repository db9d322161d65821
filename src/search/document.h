// An object on its way into the index: its projection made ready, but not yet numbered into any
// part of the index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/noun.h"
#include "model/object.h"
#include "search/words.h"

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
  // Without repetitions; texts as in Part::facet_text, one behind the other.
  std::string facet_texts = {};
  std::vector<uint32_t> facet_ends = {};    // in facet_texts
  std::vector<uint32_t> facet_hashes = {};  // StringPool::hash_of
  std::vector<std::pair<std::string, int64_t>> numbers = {};
  uint64_t key = 0;                              // key_hash()
  std::shared_ptr<const Words> words = nullptr;  // those of the projection, or made of its text
  uint64_t hash = 0;                             // of the object's label and projection
};

Document make_document(const Object& object, const Projection& projection);

// Names an object across parts and restarts, where only its key is known.
uint64_t key_hash(const ObjectKey& key);

// Facets of our own, so that a query knows at once whether a part holds any such document at all:
// one with a validity, one that is a turn of a conversation. As in Part::find_facet.
inline constexpr std::string_view kValidityMark{"\x01valid\0", 7};
inline constexpr std::string_view kTurnMark{"\x01turn\0", 6};

// What make_document would put into Document::hash.
uint64_t projection_hash(const Object& object, const Projection& projection);

}  // namespace holdfast::search
