// The Authorization header.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace holdfast::access {

inline constexpr size_t kMaxTokenSize = 512;  // of tokens that are not JWTs

// The token of `Bearer <token>`, with visible characters only and at most `max_size` of them;
// nothing if the header has another shape. Points into `header`.
std::optional<std::string_view> bearer_token(std::string_view header, size_t max_size);

}  // namespace holdfast::access
