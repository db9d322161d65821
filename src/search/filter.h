// What a search or a list is limited to. Everything given must hold.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/object.h"
#include "search/number_bits.h"

namespace holdfast::search {

// Has one of these values of a text facet; negated: has none of them (an object without the facet
// satisfies that).
struct FacetFilter {
  std::string name = {};
  std::vector<std::string> any_of = {};
  bool negated = false;
};

// Has a number facet of that name with a value in the range; negated: has none.
struct RangeFilter {
  std::string name = {};
  int64_t from = INT64_MIN;  // inclusive
  int64_t to = INT64_MAX;    // inclusive
  bool negated = false;
};

struct Filter {
  std::vector<std::string> kinds = {};  // empty: every kind
  std::vector<std::string> not_kinds = {};
  std::vector<FacetFilter> facets = {};
  std::vector<RangeFilter> ranges = {};
  std::optional<Timestamp> from = std::nullopt;  // SearchText::at, inclusive
  std::optional<Timestamp> to = std::nullopt;    // exclusive
  std::optional<Timestamp> valid_at =
      std::nullopt;  // valid_from <= valid_at < valid_until; absent ones are open
  // For each of these, has a word of title, summary or body with it inside. They are folded as the
  // analyser folds words.
  std::vector<std::string> inside_words = {};
  // Objects with this text facet pass inside_words unseen: their words are not all known.
  std::optional<Facet> inside_words_unless = std::nullopt;
  std::vector<ObjectNumber> not_numbers = {};  // these objects are left out
  ObjectNumber after_number = 0;               // only objects that were made after that one
  // Only these, if it is given; shared with whoever found them out.
  std::shared_ptr<const NumberBits> only_numbers = nullptr;
  bool with_text = false;  // only what has something to read: no bookkeeping

  // One word a condition, for explain: "kinds", "facet:tag", "range:due_at", "time", "valid_at",
  // ...
  std::vector<std::string> names() const;
};

}  // namespace holdfast::search
