// Texts and times as this surface's contract writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/value.h"

namespace holdfast::service::substrate {

// 2025-01-15T10:30:00.123456+00:00
std::string time_text(Timestamp at);
// ISO 8601 with or without a time, a fraction and an offset; without an offset it is UTC.
std::optional<Timestamp> read_time(std::string_view text);
// As read_time; kInvalidArgument with the contract's sentence.
Result<Timestamp> require_time(std::string_view text);

// Trimmed, lower case, every run of other than ASCII letters and digits one `-`; `item` if empty.
std::string slug(std::string_view text);
// At most `limit` code points: the text itself, or its beginning and `...`.
std::string clip(std::string_view text, size_t limit);
// Every run of white space is one blank; none at the ends.
std::string squeeze(std::string_view text);
// Lower case, character by character. Fast for ASCII; bytes that are no UTF-8 stay.
std::string lower(std::string_view text);
std::string lowered(std::string text);  // the same, in place where it can be
bool is_blank(std::string_view text);
// Letters, digits and `_` of any script, as one code point sees them.
bool is_word_point(int32_t point);
bool is_ideograph(int32_t point);
std::vector<int32_t> code_points(std::string_view text);
std::string text_of(const std::vector<int32_t>& points, size_t begin, size_t end);
// Maximal runs of word characters and of those in `extra`, in order.
std::vector<std::string> word_runs(std::string_view text, std::string_view extra = {});

// For comparing: sorted members, no blanks, non-ASCII kept. 1 and 1.0 differ, unlike in
// to_canonical_json.
std::string sorted_json(const Value& value);

// Whether the two lists have a member in common. An empty list of scopes overlaps every other.
bool intersects(const std::vector<std::string>& a, const std::vector<std::string>& b);
bool scopes_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b);
bool contains(const std::vector<std::string>& list, std::string_view text);
void add_once(std::vector<std::string>& list, std::string_view text);

}  // namespace holdfast::service::substrate
