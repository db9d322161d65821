// For those who need the canonical text (json_text.h) as part of another, or of an object and one
// of its members.
#pragma once

#include <string>
#include <string_view>

#include "model/value.h"

namespace holdfast {

struct CanonicalMember {
  std::string_view name = {};
  std::string_view text = {};  // to_canonical_json() of the member, if there is one of that name
};

void append_canonical_json(std::string& out, const Value& value);
// With the text of that member taken as it is.
void append_canonical_json(std::string& out, const Value& value, const CanonicalMember& known);

}  // namespace holdfast
