// How strict a surface reads requests: one of these a surface, stated once in its surface.cpp.
#pragma once

#include <optional>

#include "base/clock.h"

namespace holdfast::wire {

struct Strictness {
  bool reject_unknown_members =
      true;  // of body objects; a schema may say otherwise for its own object
  bool reject_unknown_parameters = true;  // of the query string
  bool null_is_absent = true;  // false: null for a member not declared nullable is a type issue
  bool unknown_nulls_are_absent = false;  // null for a member that nobody knows is no issue
  bool integral_doubles = true;           // 3.0 counts as the integer 3
  // In bodies: "3" counts as 3, "0.5" as 0.5, and yes/no/on/off/y/n/t/f/0/1 as booleans. (Texts
  // from the query, the path and headers always become what their field declares.)
  bool coerce_scalars = false;
  bool bare_dates = true;             // 2025-01-15 is a time (midnight UTC)
  std::optional<Timestamp> now = {};  // given: times may be told from it, as now-2h (moment.h)
  bool unknown_first =
      false;  // unknown members before all other issues, in the order of the document
};

}  // namespace holdfast::wire
