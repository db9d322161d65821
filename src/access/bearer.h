// The Authorization header.
#pragma once

#include <optional>
#include <string_view>

namespace holdfast::access {

// The token of `Bearer <token>`, with visible characters only and at most `max_size` of them;
// nothing if the header has another shape. Points into `header`.
std::optional<std::string_view> bearer_token(std::string_view header, size_t max_size);

}  // namespace holdfast::access
