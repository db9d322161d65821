#include "text/code/python_lexer.h"

#include <algorithm>
#include <array>
#include <string>

namespace holdfast::text::python {
namespace {

constexpr size_t kMaxIndents = 100;  // CPython's own limits
constexpr size_t kMaxBrackets = 200;
constexpr size_t kTab = 8;

constexpr std::array<std::string_view, 25> kLongOps = {
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "**", "//",
    "<<",  ">>",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "@=", "<>"};
constexpr std::string_view kShortOps = "+-*/%@&|^~<>()[]{},:.;=";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

char closing_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    if (source_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  std::optional<std::vector<Token>> run() {
    while (ok_ && at_ < source_.size()) {
      if (line_begins_ && brackets_.empty()) indentation();
      if (ok_ && at_ < source_.size()) next();
    }
    if (!ok_ || !brackets_.empty() || source_.ends_with("\\")) return std::nullopt;
    end_line();
    for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::kDedent, 0);
    push(TokenKind::kEnd, 0);
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void push(TokenKind kind, size_t length, int64_t first_line = 0) {
    tokens_.push_back({.kind = kind,
                       .text = source_.substr(at_, length),
                       .line = first_line == 0 ? line_ : first_line,
                       .last_line = line_});
    at_ += length;
  }

  void end_line() {
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::kNewline &&
        tokens_.back().kind != TokenKind::kDedent && tokens_.back().kind != TokenKind::kIndent)
      push(TokenKind::kNewline, 0);
  }

  // Skips blank and comment lines, then compares the indentation with the blocks that are open.
  void indentation() {
    size_t width = 0;
    for (;; ++at_) {
      const char c = peek();
      if (c == ' ') {
        ++width;
      } else if (c == '\t') {
        width = (width / kTab + 1) * kTab;
      } else if (c == '\f') {
        width = 0;
      } else {
        break;
      }
      if (at_ >= source_.size()) return;
    }
    if (at_ >= source_.size() || peek() == '#' || peek() == '\n' || peek() == '\r') return;
    line_begins_ = false;
    if (width > indents_.back()) {
      if (indents_.size() >= kMaxIndents) return fail();
      indents_.push_back(width);
      push(TokenKind::kIndent, 0);
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      push(TokenKind::kDedent, 0);
    }
    if (width != indents_.back()) fail();
  }

  void next() {
    const char c = peek();
    if (c == '\n' || c == '\r') {
      line_break();
    } else if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(source_.find_first_of("\r\n", at_), source_.size());
    } else if (c == '\\') {
      continuation();
    } else if (c == '"' || c == '\'') {
      string(0);
    } else if (is_letter(c)) {
      name();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else {
      op();
    }
  }

  size_t break_length() const { return peek() == '\r' && peek(1) == '\n' ? 2 : 1; }

  void line_break() {
    if (brackets_.empty()) end_line();
    at_ += break_length();
    ++line_;
    line_begins_ = brackets_.empty();
  }

  void continuation() {
    ++at_;
    if (peek() != '\n' && peek() != '\r') return fail();
    at_ += break_length();
    ++line_;
  }

  void name() {
    size_t length = 0;
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    const char after = peek(length);
    if (length <= 3 && (after == '"' || after == '\'') && is_prefix(length)) return string(length);
    push(TokenKind::kName, length);
  }

  bool is_prefix(size_t length) const {
    return std::ranges::all_of(source_.substr(at_, length), [](char c) {
      return std::string_view("rRbBuUfF").find(c) != std::string_view::npos;
    });
  }

  void number() {
    size_t length = 0;
    while (is_letter(peek(length)) || is_digit(peek(length)) || peek(length) == '.') {
      const char c = peek(length);
      const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
      ++length;
      const char sign = peek(length);
      if (!hex && (c == 'e' || c == 'E') && (sign == '+' || sign == '-')) ++length;
    }
    // 1_000, 0xff, 1e5j are numbers; 1abc is none.
    const std::string_view text = source_.substr(at_, length);
    const bool prefixed = text.size() > 2 && text[0] == '0' && !is_digit(text[1]) && text[1] != '.';
    const bool plain = std::ranges::all_of(text, [](char c) {
      return is_digit(c) || std::string_view("._eEjJ+-").find(c) != std::string_view::npos;
    });
    if (!prefixed && !plain) return fail();
    push(TokenKind::kNumber, length);
  }

  void string(size_t prefix) {
    const size_t begin = at_;
    const int64_t first_line = line_;
    const char quote = peek(prefix);
    const bool triple = peek(prefix + 1) == quote && peek(prefix + 2) == quote;
    size_t at = at_ + prefix + (triple ? 3 : 1);
    for (;; ++at) {
      if (at >= source_.size()) return fail();
      const char c = source_[at];
      if (c == '\n' || (c == '\r' && !source_.substr(at).starts_with("\r\n"))) {
        if (!triple) return fail();
        ++line_;
      } else if (c == '\\') {
        ++at;
        if (source_.substr(std::min(at, source_.size())).starts_with("\r\n")) ++at;
        if (at < source_.size() && (source_[at] == '\n' || source_[at] == '\r')) ++line_;
      } else if (c == quote && !triple) {
        break;
      } else if (c == quote && source_.substr(at, 3) == std::string(3, quote)) {
        at += 2;
        break;
      }
    }
    push(TokenKind::kString, at + 1 - begin, first_line);
  }

  void op() {
    for (const std::string_view text : kLongOps) {
      if (source_.substr(at_).starts_with(text)) return push(TokenKind::kOp, text.size());
    }
    const char c = peek();
    if (kShortOps.find(c) == std::string_view::npos) return fail();
    if (c == '(' || c == '[' || c == '{') {
      if (brackets_.size() >= kMaxBrackets) return fail();
      brackets_.push_back(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (brackets_.empty() || closing_of(brackets_.back()) != c) return fail();
      brackets_.pop_back();
    }
    push(TokenKind::kOp, 1);
  }

  void fail() { ok_ = false; }

  std::string_view source_;
  size_t at_ = 0;
  int64_t line_ = 1;
  bool ok_ = true;
  bool line_begins_ = true;
  std::vector<size_t> indents_ = {0};
  std::vector<char> brackets_ = {};
  std::vector<Token> tokens_ = {};
};

}  // namespace

std::optional<std::vector<Token>> tokenise(std::string_view source) { return Lexer(source).run(); }

}  // namespace holdfast::text::python
