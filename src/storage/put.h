// One object to store.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "model/noun.h"
#include "model/object.h"

namespace holdfast::storage {

// What to store. Facets, links and text come from the noun's projection.
struct Put {
  ObjectKey key = {};
  std::string state = "active";
  std::string body = {};
  Label label = {};
  Projection projection = {};
  // Nothing: whatever is there. 0: it must not exist (kAlreadyExists). Otherwise the current
  // revision must be this one (kConflict, kRevisionConflict; kNotFound if there is none).
  std::optional<Revision> expected = std::nullopt;
  // The id was made for this put, by a generator that never repeats one: nobody looks whether there
  // is or was such an object. kInternal if there is, from this put or a later call of the write,
  // and the write fails.
  bool fresh = false;
  std::string action = {};   // for the journal; empty: created or updated
  std::string message = {};  // why
  // Imports and migrations give the times of old; everyone else leaves them out.
  std::optional<Timestamp> created_at = std::nullopt;
  std::optional<Timestamp> updated_at = std::nullopt;
};

}  // namespace holdfast::storage
