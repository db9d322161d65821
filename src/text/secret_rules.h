// What find_secrets looks for; each table is in a file of its own. Used by secret_scan.cpp, and the
// small words at the end by secrets.cpp too.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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

struct Rule {
  std::string_view code;
  SecretSeverity severity = SecretSeverity::kMedium;
  // The match that begins at `at`, if one does. Bytes of cleaned text; never crosses a line end.
  std::optional<Range> (*find)(std::string_view text, size_t at);
  // One of these is in every text with a match, in lower case; most texts have none of them and are
  // done with the rule.
  std::array<std::string_view, 5> hints = {};
  Forgive forgive = Forgive::kExamples;
  bool yields = false;  // gives way to a more exact rule about the same text
};

std::span<const Rule> token_rules();   // known by how they begin
std::span<const Rule> phrase_rules();  // known by what stands around them
std::span<const Rule> number_rules();  // known by their check digits

// Every payment card number of the text.
std::vector<Range> find_payment_cards(std::string_view text);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
inline bool is_alnum(char c) { return is_digit(c) || is_letter(c); }
inline bool is_word(char c) { return is_alnum(c) || c == '_'; }
inline bool is_token(char c) { return is_word(c) || c == '-'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

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
// `folded` is in lower case.
inline bool starts_folded(std::string_view text, size_t at, std::string_view folded) {
  if (at > text.size() || text.size() - at < folded.size()) return false;
  for (size_t i = 0; i < folded.size(); ++i) {
    if (lower(text[at + i]) != folded[i]) return false;
  }
  return true;
}

}  // namespace holdfast::text::secret_rules
