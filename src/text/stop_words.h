// English words that say little about what a text is about. They are indexed, so that phrases and
// queries of nothing else work, and left out of queries that have better words.
#pragma once

#include <string_view>

namespace holdfast::text {

bool is_stop_word(std::string_view folded);

}  // namespace holdfast::text
