// For those who need the canonical text (json_text.h) as part of another, or have something that
// stands for one of an object's members.
#pragma once

#include <string>
#include <string_view>

#include "model/value.h"

namespace holdfast {

struct CanonicalMember {
  std::string_view name = {};
  std::string_view text = {};  // instead of the member, if there is one of that name
};

void append_canonical_json(std::string& out, const Value& value);
// With that text taken as it is.
void append_canonical_json(std::string& out, const Value& value, const CanonicalMember& known);

}  // namespace holdfast
