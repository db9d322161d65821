#include "model/json_pieces.h"

#include <algorithm>

namespace holdfast::json_pieces {
namespace {

constexpr size_t kMostDigits = 18;  // that surely fit into an integer

bool is_of_a_bare_value(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

bool is_between_values(char c) {
  return c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']';
}

// An integer as this program writes it.
bool is_plain_integer(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= kMostDigits && text.front() != '0' &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Piece container_piece(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = text_piece(text, at).end;
      if (at == kNone) return {};
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return {.end = at + 1};
    ++at;
  }
  return {};
}

Piece bare_piece(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_of_a_bare_value(text[end])) ++end;
  return {.end = end == at ? kNone : end};
}

bool is_plain(std::string_view json) {
  for (size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const Piece text = text_piece(json, at);
      if (text.end == kNone || text.has_escapes) return false;
      at = text.end;
    } else if (is_between_values(json[at])) {
      ++at;
    } else {
      const Piece bare = bare_piece(json, at);
      if (bare.end == kNone) return false;
      const std::string_view value = json.substr(at, bare.end - at);
      if (value != "null" && value != "true" && value != "false" && !is_plain_integer(value))
        return false;
      at = bare.end;
    }
  }
  return true;
}

}  // namespace holdfast::json_pieces
