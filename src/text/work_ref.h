// Names of work (tickets, pull requests) in one spelling, so that PROJ-123, `proj 123` and proj_123
// meet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::text {

inline constexpr size_t kMaxWorkRefCodePoints = 128;

// Trimmed, case-folded, every run of white space, '_' or '-' made one '-', none at the ends.
// Nothing if that leaves nothing or if the folded text is longer than kMaxWorkRefCodePoints.
std::optional<std::string> normalise_work_ref(std::string_view text);

// A whole text in that spelling, however long it is.
std::string in_ref_spelling(std::string_view text);
// True if a reference stands in such a text, with no letter or digit beside it.
bool mentions_ref(std::string_view spelled, std::string_view ref);

}  // namespace holdfast::text
