// English stems, so that `deployed` finds `deployment`. Thread-safe: every thread has a stemmer of
// its own.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

// The stem of a folded token. Only words of ASCII letters are changed: identifiers, numbers and
// other scripts are their own stems.
std::string stem(std::string_view folded);

}  // namespace holdfast::text
