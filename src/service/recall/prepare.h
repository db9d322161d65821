// Text made ready for extraction: no code, no quotes, no mark-up; sentence by sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace holdfast::service::recall {

struct Sentence {
  std::string text = {};
  std::optional<bool> checked = {};  // stood behind a check box
  bool question = false;             // asks, whatever else it says
};

std::vector<Sentence> prepare(std::string_view content);
// Without fenced code blocks, quoted lines and HTML comments; lines stay apart.
std::string without_quotations(std::string_view content);
// Without `. ! ? ; :` and blanks at the end.
std::string without_stop(std::string_view text);
// The beginning of a content in one line, for lists.
std::string excerpt_of(std::string_view content);
// For the surface too, which has no other way to them.
using text::lower_first;
using text::upper_first;

}  // namespace holdfast::service::recall
