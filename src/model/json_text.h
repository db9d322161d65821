// JSON text to Value and back. The reader is strict about syntax and only reports what surfaces
// judge differently (duplicate members, depth); wire/ turns its answer into issues.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace holdfast {

inline constexpr size_t kRequestDepth = 64;  // levels that a surface lets in, if it says no other

struct JsonLimits {
  // Whatever a surface let in can be read again, also with what is stored around it.
  size_t max_depth = 512;
  bool allow_duplicates = false;  // true: the last one wins, in the place of the first
};

namespace json_reason {
inline constexpr std::string_view kSyntax = "json_syntax";
inline constexpr std::string_view kDuplicate = "json_duplicate_member";
inline constexpr std::string_view kDepth = "json_too_deep";
inline constexpr std::string_view kUtf8 = "json_invalid_utf8";
}  // namespace json_reason

// One JSON value and nothing after it. Refuses invalid UTF-8, lone surrogate escapes, NaN and
// infinities, comments and trailing commas. Integers up to 64 bits stay exact; other numbers become
// the nearest double. Errors: kInvalidArgument with one of the reasons above; the message says what
// and where (byte offset).
Result<Value> parse_json(std::string_view text, const JsonLimits& limits = {});

// Compact text in insertion order; non-ASCII as it is; doubles in their shortest form that reads
// back the same and always recognisable as doubles (1.0, 1e+30).
std::string to_json(const Value& value);
void append_json(std::string& out, const Value& value);
void append_json_string(std::string& out, std::string_view text);

// For hashing and comparing: members sorted by name at every level, otherwise as to_json. Integral
// doubles are written as integers, so json_equal values have equal canonical texts.
std::string to_canonical_json(const Value& value);

// Two-space indentation, for people.
std::string to_pretty_json(const Value& value);

}  // namespace holdfast
