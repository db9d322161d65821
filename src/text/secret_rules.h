// What find_secrets looks for; each table is in a file of its own. Used by secret_scan.cpp, and the
// small words at the end by secrets.cpp too.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "text/secret_scan.h"

namespace holdfast::text::secret_rules {

struct Range {
  size_t begin = 0;
  size_t end = 0;
};

// What an allow-list may forgive.
enum class Forgive : uint8_t {
  kNothing,
  kExamples,      // text that says EXAMPLE
  kPlaceholders,  // the same, and values that stand for a value: ****, <your-password>
};

// What one look at every byte tells of a text, a bit each. Most texts have few of them, and are
// done with the rules that need another.
using Signs = uint16_t;
namespace sign {
inline constexpr Signs kDash = 1U << 0U;
inline constexpr Signs kUnderscore = 1U << 1U;
inline constexpr Signs kAssignment = 1U << 2U;  // a colon or an equals sign
inline constexpr Signs kAt = 1U << 3U;
inline constexpr Signs kCapitalI = 1U << 4U;
inline constexpr Signs kCapitalJ = 1U << 5U;
inline constexpr Signs kCapital = 1U << 6U;  // any of them
inline constexpr Signs kDigit = 1U << 7U;
inline constexpr Signs kBeyondAscii = 1U << 8U;
inline constexpr Signs kOfToken = 1U << 9U;     // a letter, a digit, or one of _-.~+/=
inline constexpr Signs kLongToken = 1U << 10U;  // at least kLongTokenSize of those in a row
}  // namespace sign
// No rule that needs a long token is content with fewer.
inline constexpr size_t kLongTokenSize = 20;

struct Rule {
  std::string_view code;
  SecretSeverity severity = SecretSeverity::kMedium;
  // The match that begins at `at`, if one does. Bytes of cleaned text; never crosses a line end.
  std::optional<Range> (*find)(std::string_view text, size_t at);
  Signs needs = 0;  // all of these are in every text with a match
  // One of these is, too, in ascii_lower case, if there are any.
  std::array<std::string_view, 5> hints = {};
  Forgive forgive = Forgive::kExamples;
  bool yields = false;  // gives way to a more exact rule about the same text
  Signs begins = 0;     // if any: a match begins with one of these
};

std::span<const Rule> token_rules();   // known by how they begin
std::span<const Rule> phrase_rules();  // known by what stands around them
std::span<const Rule> number_rules();  // known by their check digits

// Every payment card number of the text.
std::vector<Range> find_payment_cards(std::string_view text);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_word(char c) { return is_ascii_alnum(c) || c == '_'; }
constexpr bool is_token(char c) { return is_word(c) || c == '-'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// No letter, digit or underscore on the other side.
inline bool edge_before(std::string_view text, size_t at) {
  return at == 0 || !is_word(text[at - 1]);
}
inline bool edge_after(std::string_view text, size_t end) {
  return end >= text.size() || !is_word(text[end]);
}
inline size_t run_of(std::string_view text, size_t at, bool (*fits)(char)) {
  while (at < text.size() && fits(text[at])) ++at;
  return at;
}
// `folded` is in ascii_lower case.
inline bool starts_folded(std::string_view text, size_t at, std::string_view folded) {
  if (at > text.size() || text.size() - at < folded.size()) return false;
  for (size_t i = 0; i < folded.size(); ++i) {
    if (ascii_lower(text[at + i]) != folded[i]) return false;
  }
  return true;
}

}  // namespace holdfast::text::secret_rules
