#include "text/glob.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <utf8proc.h>

namespace holdfast::text {
namespace {

// Broken bytes count as characters of their own, above every code point.
std::vector<int32_t> points_of(std::string_view text) {
  std::vector<int32_t> points;
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t point = -1;
    const auto length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                         static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (length > 0) {
      points.push_back(point);
      at += static_cast<size_t>(length);
    } else {
      points.push_back(0x110000 + static_cast<unsigned char>(text[at++]));
    }
  }
  return points;
}

using Points = std::vector<int32_t>;

// Whether the set that starts at `at` (a '[') holds `point`; `at` moves behind it. Nothing if the
// set has no end.
std::optional<bool> set_holds(const Points& pattern, size_t& at, int32_t point) {
  size_t next = at + 1;
  const bool negated = next < pattern.size() && pattern[next] == '!';
  if (negated) ++next;
  bool held = false;
  for (size_t i = next; i < pattern.size(); ++i) {
    if (pattern[i] == ']' && i > next) {
      at = i + 1;
      return held != negated;
    }
    const bool range = i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']';
    if (range) {
      held = held || (pattern[i] <= point && point <= pattern[i + 2]);
      i += 2;
    } else {
      held = held || pattern[i] == point;
    }
  }
  return std::nullopt;
}

// Matches one character; `at` moves behind what matched it.
bool match_one(const Points& pattern, size_t& at, int32_t point) {
  if (at >= pattern.size()) return false;
  if (pattern[at] == '?') return ++at, true;
  if (pattern[at] == '[') {
    if (const auto held = set_holds(pattern, at, point)) return *held;
  }
  if (pattern[at] != point) return false;
  return ++at, true;
}

}  // namespace

bool glob_match(std::string_view pattern_text, std::string_view text) {
  const Points pattern = points_of(pattern_text);
  const Points points = points_of(text);
  size_t at = 0;
  size_t in_text = 0;
  // Where to go on after the last star when what follows it does not match: only the last star
  // ever needs to take more.
  std::optional<size_t> star;
  size_t star_text = 0;
  while (in_text < points.size()) {
    size_t behind = at;
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_text = in_text;
    } else if (match_one(pattern, behind, points[in_text])) {
      at = behind;
      ++in_text;
    } else if (star) {
      at = *star;
      in_text = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace holdfast::text
