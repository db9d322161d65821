// For those who need the canonical text (json_text.h) of an object and of one of its members.
#pragma once

#include <string>
#include <string_view>

#include "model/value.h"

namespace holdfast {

struct CanonicalMember {
  std::string_view name = {};
  std::string_view text = {};  // to_canonical_json() of the member, if there is one of that name
};

// As to_canonical_json(), with the text of that member taken as it is.
std::string to_canonical_json(const Value& value, const CanonicalMember& known);

}  // namespace holdfast
