// What of an object can be searched, and how it stands among others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace holdfast {

struct SearchText {
  // Fields, from heavy to light. An object whose fields are all empty is not searchable but can
  // still be listed.
  std::string title = {};
  std::vector<std::string> ids = {};  // names people type to find it: PROJ-123, a path, a function
  std::vector<std::string> tags = {};
  std::string summary = {};
  std::string body = {};

  std::string conversation = {};  // objects of one conversation are neighbours in the order of `at`
  std::string speaker = {};       // who said it; a query naming the speaker favours it
  Timestamp at = {};              // when it happened; recency and time windows go by it
  std::optional<Timestamp> valid_from = std::nullopt;
  std::optional<Timestamp> valid_until = std::nullopt;
  bool operator==(const SearchText&) const = default;
};

}  // namespace holdfast
