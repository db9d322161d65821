// The answer to a batch repeats titles, for as long as there are repetitions. They are not kept
// with it: whoever repeats the request sends them again, and what was erased since must be nowhere.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::service::observation {

// The title of an item, by its place in the batch, as the answer has it: JSON.
using TitleOf = std::function<std::string(size_t item)>;

// Leaves a place for the title of an item in the JSON text of an answer.
void leave_out_title(std::string& out, size_t item);
// The answer, from a text with such places.
std::string with_titles(std::string_view text, const TitleOf& title_of);

}  // namespace holdfast::service::observation
