// Python source as tokens, with the indentation that its grammar is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::text::python {

enum class TokenKind : uint8_t {
  kName,
  kNumber,
  kString,  // with prefix and quotes
  kOp,
  kNewline,
  kIndent,
  kDedent,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text = {};  // into the source
  int64_t line = 0;            // where it starts, from 1
  int64_t last_line = 0;       // where it ends
};

// Ends with newline, dedents and kEnd. Nothing if the source has a lexical error: a bad character,
// a string without end, brackets or indentation that do not match. The views live as long as the
// source.
std::optional<std::vector<Token>> tokenise(std::string_view source);

}  // namespace holdfast::text::python
