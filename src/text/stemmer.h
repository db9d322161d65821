// English stems, so that `deployed` finds `deployment`. Thread-safe: every thread has a stemmer of
// its own.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

// The stem of a folded token. Only words of ASCII letters are changed: identifiers, numbers and
// other scripts are their own stems.
std::string stem(std::string_view folded);

// False: the token is its own stem. Costs next to nothing, where stem() has to compare and copy, so
// whoever needs no copy asks this first. True: perhaps it is not.
bool may_have_another_stem(std::string_view folded);

}  // namespace holdfast::text
