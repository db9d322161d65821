// Documents of published contracts whose members are kept as they came: reading members, canonical
// text, rendering.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/value.h"

namespace holdfast::service::continuity {

// The text of a member; empty if it is absent or no text.
std::string text_of(const Value& from, std::string_view name);
// The elements of a member; none if it is absent or no list.
const Value::Array& list_of(const Value& from, std::string_view name);
// The member if it is there and not null.
const Value* present(const Value& from, std::string_view name);
bool flag_of(const Value& from, std::string_view name);
int64_t integer_of(const Value& from, std::string_view name, int64_t otherwise);
void remove_member(Value& from, std::string_view name);
// Member by member along dots: "continuity.open_loops". nullptr if a part is missing.
Value* find_path(Value& from, std::string_view path);
const Value* find_path(const Value& from, std::string_view path);

// Members sorted at every level, no blanks, integral floats with .0: what is stored and hashed.
std::string canonical_text(const Value& value);
// A float as the published API writes it: shortest, with .0, exponents from 1e16 and below 1e-4.
std::string float_text(double value);

// The text of a value by which tokens are estimated, and the estimate: four characters a token.
std::string rendering(const Value& value);
int64_t tokens_of(const Value& value);

// 2025-01-15T10:30:00.123456Z, without the fraction if it is zero.
std::string format_exact(Timestamp at);

}  // namespace holdfast::service::continuity
