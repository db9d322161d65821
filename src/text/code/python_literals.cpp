// Texts of tokens: strings and expressions.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/characters.h"
#include "text/code/python_syntax.h"
#include "text/lines.h"

namespace holdfast::text::python {
namespace {

// Prefix, quotes and what is between them.
struct Literal {
  std::string_view prefix;
  std::string_view body;
};

Literal literal_of(std::string_view text) {
  const size_t quote = text.find_first_of("'\"");
  const std::string_view quoted = text.substr(quote);
  const bool triple = quoted.size() >= 6 && quoted[1] == quoted[0] && quoted[2] == quoted[0];
  const size_t marks = triple ? 3 : 1;
  return {text.substr(0, quote), quoted.substr(marks, quoted.size() - 2 * marks)};
}

bool has_any(std::string_view text, std::string_view letters) {
  return text.find_first_of(letters) != std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Appends the code point of \xhh, \uhhhh or \Uhhhhhhhh; `at` is on the letter and moves to the last
// digit. False if the digits are missing.
bool append_coded(std::string_view body, size_t& at, std::string& out) {
  const size_t digits = body[at] == 'x' ? 2 : body[at] == 'u' ? 4 : 8;
  int64_t point = 0;
  for (size_t i = 1; i <= digits; ++i) {
    const int digit = at + i < body.size() ? hex_digit(body[at + i]) : -1;
    if (digit < 0) return false;
    point = point * 16 + digit;
  }
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return false;
  append_utf8(out, static_cast<int32_t>(point));
  at += digits;
  return true;
}

std::string unescape(std::string_view body) {
  constexpr std::string_view kFrom = "nrtabfv0\\'\"";
  constexpr std::string_view kTo("\n\r\t\a\b\f\v\0\\'\"", 11);
  std::string out;
  for (size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '\\' || at + 1 >= body.size()) {
      out += body[at];
      continue;
    }
    ++at;
    if (const size_t found = kFrom.find(body[at]); found != std::string_view::npos) {
      out += kTo[found];
    } else if (has_any(body.substr(at, 1), "xuU") && append_coded(body, at, out)) {
      continue;
    } else if (body[at] != '\n') {  // an escaped line end joins lines
      out += '\\';
      out += body[at];
    }
  }
  return out;
}

bool is_word(const Token& token) {
  return token.kind == TokenKind::kName || token.kind == TokenKind::kNumber ||
         token.kind == TokenKind::kString;
}

constexpr std::array<std::string_view, 12> kWordOperators = {
    "and", "or", "not", "in", "is", "if", "else", "lambda", "await", "for", "async", "yield"};

bool ends_operand(const Token& token) {
  if (token.kind == TokenKind::kName)
    return std::ranges::find(kWordOperators, token.text) == kWordOperators.end();
  return is_word(token) || token.text == ")" || token.text == "]" || token.text == "}";
}

std::string text_of(const Token& token) {
  if (token.kind != TokenKind::kString) return std::string(token.text);
  const auto value = string_value(token);
  if (!value || has_any(*value, "'\"\\\n\r\t") || !literal_of(token.text).prefix.empty())
    return std::string(token.text);
  return '\'' + *value + '\'';
}

// Whether a blank stands between two tokens; `open` is the innermost bracket, `unary` says that
// `left` is a sign of its operand.
bool blank_between(const Token& left, const Token& right, char open, bool unary) {
  if (right.text == "," || right.text == ")" || right.text == "]" || right.text == "}" ||
      right.text == "." || right.text == ":")
    return false;
  if (left.text == "(" || left.text == "[" || left.text == "{" || left.text == "." || unary)
    return false;
  if (left.text == ",") return true;
  if (left.text == ":") return open != '[';
  if (left.text == "=" || right.text == "=") return false;
  if ((right.text == "(" || right.text == "[") && ends_operand(left)) return false;
  return true;
}

}  // namespace

std::optional<std::string> string_value(const Token& token) {
  if (token.kind != TokenKind::kString) return std::nullopt;
  const Literal literal = literal_of(token.text);
  if (has_any(literal.prefix, "bBfF")) return std::nullopt;
  if (has_any(literal.prefix, "rR")) return std::string(literal.body);
  return unescape(literal.body);
}

std::string clean_doc(std::string_view text) {
  const auto lines = split_lines(text);
  size_t margin = std::string::npos;
  for (size_t i = 1; i < lines.size(); ++i) {
    const size_t indent = lines[i].find_first_not_of(" \t");
    if (indent != std::string_view::npos) margin = std::min(margin, indent);
  }
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    if (i == 0) {
      out += trim_space(lines[0]);
    } else if (lines[i].size() > margin) {
      out += lines[i].substr(margin);
    }
  }
  return std::string(trim_space(out));
}

std::string render(const Token* begin, const Token* end) {
  std::string out;
  std::string open;
  bool unary = false;
  for (const Token* token = begin; token < end; ++token) {
    if (token != begin && blank_between(token[-1], *token, open.empty() ? ' ' : open.back(), unary))
      out += ' ';
    out += text_of(*token);
    const bool sign = token->text == "-" || token->text == "+" || token->text == "~" ||
                      token->text == "*" || token->text == "**";
    unary = token->kind == TokenKind::kOp && sign && (token == begin || !ends_operand(token[-1]));
    if (token->kind != TokenKind::kOp) continue;
    if (token->text == "(" || token->text == "[" || token->text == "{") open += token->text[0];
    if (!open.empty() && (token->text == ")" || token->text == "]" || token->text == "}"))
      open.pop_back();
  }
  return out;
}

}  // namespace holdfast::text::python
