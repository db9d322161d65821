// The form of a bearer credential.
#pragma once

#include <optional>
#include <string_view>

namespace holdfast::access {

// The token of `Bearer <token>` (the scheme in any case, 1 to 512 visible ASCII characters);
// nothing if the header has another shape. Points into the header.
std::optional<std::string_view> bearer_token(std::string_view header);

}  // namespace holdfast::access
