// Shell-like patterns over paths.
#pragma once

#include <string_view>

namespace holdfast::text {

// True if the whole text matches. `*` is any run of characters, slashes included; `?` one
// character; `[abc]`, `[a-z]` and `[!abc]` one of a set; a `[` without its `]` is itself. There is
// no escape character. Case counts. Time is bounded by the product of the lengths.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace holdfast::text
