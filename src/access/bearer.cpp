#include "access/bearer.h"

#include <algorithm>

namespace holdfast::access {

std::optional<std::string_view> bearer_token(std::string_view header, size_t max_size) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char c = header[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != kScheme[i]) return std::nullopt;
  }
  header.remove_prefix(kScheme.size());
  const auto visible = [](char c) { return c > 0x20 && c < 0x7f; };
  if (header.size() > max_size || !std::ranges::all_of(header, visible)) return std::nullopt;
  return header;
}

}  // namespace holdfast::access
