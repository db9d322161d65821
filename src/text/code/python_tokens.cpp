// The parser's footing: tokens, names, keywords.
#include <algorithm>
#include <array>

#include "text/code/python_parser.h"

namespace holdfast::text::python {
namespace {

constexpr std::array<std::string_view, 32> kKeywords = {
    "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
    "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
    "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
    "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield"};
constexpr std::array<std::string_view, 3> kConstants = {"None", "True", "False"};

bool is_word_token(const Token& token) {
  return token.kind == TokenKind::kName || token.kind == TokenKind::kOp;
}

}  // namespace

bool Parser::is(std::string_view text) const {
  return current().text == text && is_word_token(current());
}

bool Parser::is_any(std::initializer_list<std::string_view> texts) const {
  return std::ranges::any_of(texts, [&](std::string_view text) { return is(text); });
}

bool Parser::is_name() const {
  return is_kind(TokenKind::kName) &&
         std::ranges::find(kKeywords, current().text) == kKeywords.end() &&
         std::ranges::find(kConstants, current().text) == kConstants.end();
}

void Parser::advance() {
  const Token& token = current();
  if (is_word_token(token) || token.kind == TokenKind::kString || token.kind == TokenKind::kNumber)
    last_line_ = token.last_line;
  if (at_ + 1 < tokens_.size()) ++at_;
}

bool Parser::accept(std::string_view text) {
  if (!is(text)) return false;
  advance();
  return true;
}

bool Parser::accept(TokenKind kind) {
  if (!is_kind(kind)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) fail();
}

void Parser::expect(TokenKind kind) {
  if (!accept(kind)) fail();
}

std::string Parser::expect_name() {
  if (!is_name()) {
    fail();
    return {};
  }
  std::string name(current().text);
  advance();
  return name;
}

void Parser::fail() {
  ok_ = false;
  at_ = tokens_.size() - 1;
}

std::string Parser::dotted_name() {
  std::string name = expect_name();
  while (accept(".")) name += '.' + expect_name();
  return name;
}

std::string Parser::text_since(size_t begin) const {
  return ok_ ? render(&tokens_[begin], &tokens_[at_]) : std::string();
}

std::optional<Module> parse_module(std::string_view source) {
  auto tokens = tokenise(source);
  if (!tokens) return std::nullopt;
  return Parser(std::move(*tokens)).run();
}

}  // namespace holdfast::text::python
