// Tokens as this surface counts them, and texts cut to fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::service::chat {

inline constexpr size_t kTokenBytes = 4;  // of UTF-8; a rest counts as one, too
inline int64_t count_tokens(std::string_view text) {
  return static_cast<int64_t>((text.size() + kTokenBytes - 1) / kTokenBytes);
}

// The longest beginning of at most `bytes` bytes that ends between words (between code points if
// the first word alone is longer), without blanks at its end.
std::string_view fit_bytes(std::string_view text, size_t bytes);
// ... of at most so many tokens.
inline std::string_view fit_tokens(std::string_view text, int64_t tokens) {
  return fit_bytes(text, static_cast<size_t>(tokens > 0 ? tokens : 0) * kTokenBytes);
}
// ... of at most so many code points.
std::string_view fit_code_points(std::string_view text, size_t count);

// The leading sentences of a text that fit, else its beginning: purely extractive.
std::string summarise(std::string_view text, size_t max_code_points);

}  // namespace holdfast::service::chat
