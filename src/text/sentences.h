// Where sentences end, by rules that need no model: at line ends, after `.`, `!`, `?` and `…`
// followed by white space, after `。！？` anywhere. Not after a single letter, a common
// abbreviation, or inside numbers and names like file.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::text {

// Trimmed, in order, empty ones left out. They point into `text`. Linear time.
std::vector<std::string_view> split_sentences(std::string_view text);

// True for a sentence that ends in a question mark of any script, closing quotes apart.
bool ends_as_question(std::string_view sentence);

// Runs of white space as one space, none at the ends.
std::string collapse_space(std::string_view text);

}  // namespace holdfast::text
