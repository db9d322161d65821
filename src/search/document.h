// An object on its way into the index: its projection made ready, but not yet numbered into any
// part of the index.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/noun.h"
#include "model/object.h"
#include "search/words.h"

namespace holdfast::search {

// Points into the object and the projection it was made of, and into its maker: all three must
// outlive it.
struct Document {
  struct TextFacet {
    std::string_view text = {};  // as in Part::facet_text
    uint32_t hash = 0;           // StringPool::hash_of
  };
  struct NumberFacet {
    std::string_view name = {};
    int64_t number = 0;
  };

  ObjectNumber number = 0;
  std::string_view kind = {};
  const Label* label = nullptr;
  int64_t at = 0;  // microseconds; the object's creation where the projection gives no time
  std::optional<int64_t> valid_from = std::nullopt;
  std::optional<int64_t> valid_until = std::nullopt;
  std::string_view conversation = {};
  std::string_view speaker = {};
  std::span<const TextFacet> facets = {};  // without repetitions
  std::span<const NumberFacet> numbers = {};
  uint64_t key = 0;  // key_hash()
  const Words* words = nullptr;
  std::shared_ptr<const Words> made_words = nullptr;  // where the projection had none
  uint64_t hash = 0;                                  // of the object's label and projection
};

// A facet where it lies.
struct FacetView {
  uint64_t beginning = 0;  // of the name, as in bytes.h: mostly decides, and compares at once
  std::string_view name = {};
  std::string_view text = {};
  int64_t number = 0;
  bool is_number = false;
  auto operator<=>(const FacetView&) const = default;
};

// Makes documents, and owns what of them lies nowhere else: one for all that are made together, so
// that a document needs no memory of its own. Not thread-safe.
class DocumentMaker {
 public:
  Document make(const Object& object, const Projection& projection);

 private:
  void keep_facets(Document& document);

  std::pmr::monotonic_buffer_resource memory_;
  // Of the document under way:
  std::vector<FacetView> facets_;
  std::string bytes_;
};

// Names an object across parts and restarts, where only its key is known.
uint64_t key_hash(const ObjectKey& key);

// Facets of our own, so that a query knows at once whether a part holds any such document at all:
// one with a validity, one that is a turn of a conversation. As in Part::find_facet.
inline constexpr std::string_view kValidityMark{"\x01valid\0", 7};
inline constexpr std::string_view kTurnMark{"\x01turn\0", 6};

// What DocumentMaker would put into Document::hash.
uint64_t projection_hash(const Object& object, const Projection& projection);

}  // namespace holdfast::search
