// An object as storage keeps it: a kind, an id, a revision, a state, a body. Storage knows no
// nouns; what a body means is said by the noun of its kind (model/noun.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/label.h"

namespace holdfast {

// Names an object inside its space. Ids are opaque and compared byte for byte.
struct ObjectKey {
  std::string kind = {};
  std::string id = {};
  auto operator<=>(const ObjectKey&) const = default;
};

// Counts the objects of a space in the order of their creation, from 1. Never reused.
using ObjectNumber = int64_t;
// Counts an object's contents, from 1.
using Revision = int64_t;
// A place in the journal. Grows with every change of any space; 0 is before the first.
using JournalPosition = int64_t;

struct Object {
  ObjectKey key = {};
  ObjectNumber number = 0;
  Revision revision = 0;
  std::string state = "active";  // the noun's own word
  std::string body = {};         // JSON text made by the noun's codec
  Label label = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};     // strictly later than the one before, even within a microsecond
  JournalPosition position = 0;  // of the change that made this revision
  bool operator==(const Object&) const = default;
};

// An exact-match attribute that lists can filter on: a text or a number.
struct Facet {
  std::string name = {};
  std::string text = {};
  int64_t number = 0;
  bool is_number = false;

  static Facet of(std::string name, std::string text) {
    return {.name = std::move(name), .text = std::move(text)};
  }
  static Facet of(std::string name, int64_t number) {
    return {.name = std::move(name), .number = number, .is_number = true};
  }
  auto operator<=>(const Facet&) const = default;
};

// A typed, directed edge from the object that declares it. The target need not exist (yet).
struct Link {
  std::string relation = {};  // supports, supersedes, about, ...
  ObjectKey target = {};
  std::string provenance = {};  // who or what drew it: "declared", an extractor's name
  auto operator<=>(const Link&) const = default;
};

// One change of one object.
struct JournalEntry {
  JournalPosition position = 0;
  JournalPosition change =
      0;  // the first position of the write it belongs to: entries written together share it
  Timestamp at = {};
  std::string principal = {};
  std::string surface = {};  // native, recall, ...
  std::string action = {};   // created, updated, deleted, erased, or a noun's own word
  ObjectKey key = {};
  Revision revision = 0;
  std::string message = {};  // why, in the caller's words; emptied when the object is erased
  std::string request_id = {};
  Label label = {};  // as it was then, so that the journal is read with a viewer's eyes
  bool operator==(const JournalEntry&) const = default;
};

namespace journal_action {
inline constexpr std::string_view kCreated = "created";
inline constexpr std::string_view kUpdated = "updated";
inline constexpr std::string_view kDeleted = "deleted";
inline constexpr std::string_view kErased = "erased";
}  // namespace journal_action

}  // namespace holdfast
