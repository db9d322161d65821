// The members of a document that a search looks at, each with a number: known at compile time
// where the name is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "service/substrate/document.h"

namespace holdfast::service::substrate::outline_names {

inline constexpr std::string_view kOther[] = {
    "id",         "title",           "name",    "summary",       "kind",
    "status",     "lifecycle_state", "payload", "evidence_refs", "segments",
    "scope_refs", "identity_key",    "aliases", "artifact_refs"};
inline constexpr size_t kFirstReference = std::size(kOther);
inline constexpr size_t kCount = kFirstReference + std::size(kReferenceFields);
inline constexpr size_t kUnknown = SIZE_MAX;

class Table {
 public:
  constexpr Table() {
    for (const std::string_view name : kOther) add(name);
    for (const ReferenceField& field : kReferenceFields) add(field.field);
  }

  constexpr size_t number_of(std::string_view name) const {
    for (size_t at = place_of(name);; at = (at + 1) % kPlaces) {
      const Place& place = places_[at];
      if (place.name.empty()) return kUnknown;
      if (place.name == name) return place.number;
    }
  }

 private:
  static constexpr size_t kPlaces = 128;
  struct Place {
    std::string_view name = {};
    size_t number = kUnknown;
  };

  static constexpr size_t place_of(std::string_view name) {
    if (name.empty()) return 0;
    const auto first = static_cast<unsigned char>(name.front());
    const auto last = static_cast<unsigned char>(name.back());
    return (name.size() * 11 + first * size_t{5} + last) % kPlaces;
  }

  constexpr void add(std::string_view name) {
    size_t at = place_of(name);
    while (!places_[at].name.empty()) at = (at + 1) % kPlaces;
    places_[at] = {.name = name, .number = count_++};
  }

  std::array<Place, kPlaces> places_ = {};
  size_t count_ = 0;
};

inline constexpr Table kTable;

// Made of a literal it costs nothing; of any other text a look-up.
struct Name {
  template <size_t kSize>
  consteval Name(const char (&name)[kSize])  // NOLINT(google-explicit-constructor)
      : number(kTable.number_of(std::string_view(name, kSize - 1))) {}
  explicit constexpr Name(std::string_view name) : number(kTable.number_of(name)) {}

  size_t number;  // kUnknown if nobody asks for it
};

}  // namespace holdfast::service::substrate::outline_names
