#include "text/markdown_source.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace holdfast::text {
namespace {

// Rare punctuation (the class matters: emphasis depends on what stands beside it), all with the
// same first byte. A text that uses all of them loses one to `<`, which still is no HTML.
constexpr std::array<std::string_view, 8> kMarks = {"\xE2\xB8\xB1", "\xE2\xB8\xB2", "\xE2\xB8\xB3",
                                                    "\xE2\xB8\xB4", "\xE2\xB8\xB5", "\xE2\xB8\xB6",
                                                    "\xE2\xB8\xB7", "\xE2\xB8\xB8"};

// The text between `<` and `>`, if nothing in it could not be part of a link.
std::string_view inside_brackets(std::string_view text, size_t at) {
  const size_t end = text.find_first_of("<> \t\n", at + 1);
  if (end == std::string_view::npos || text[end] != '>') return {};
  return text.substr(at + 1, end - at - 1);
}

bool is_uri(std::string_view inside) {
  const size_t colon = inside.find(':');
  if (colon == std::string_view::npos || colon < 2 || colon > 32 ||
      !is_ascii_letter(inside.front()))
    return false;
  return std::ranges::all_of(inside.substr(0, colon),
                             [](char c) { return is_ascii_alnum(c) || is_one_of(c, "+.-"); });
}

bool is_mail(std::string_view inside) {
  const size_t sign = inside.find('@');
  if (sign == std::string_view::npos || sign == 0 || sign + 1 >= inside.size()) return false;
  // At the beginning of a line a parser would rather see a comment or an instruction.
  if (is_one_of(inside.front(), "!?")) return false;
  const auto local = [](char c) {
    return is_ascii_alnum(c) || is_one_of(c, ".!#$%&'*+/=?^_`{|}~-");
  };
  const auto host = [](char c) { return is_ascii_alnum(c) || c == '-' || c == '.'; };
  return std::ranges::all_of(inside.substr(0, sign), local) &&
         std::ranges::all_of(inside.substr(sign + 1), host);
}

bool is_escaped(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] == '\\') --begin;
  return (at - begin) % 2 == 1;
}

// Tags that begin a block of HTML in the middle of a paragraph.
constexpr std::array<std::string_view, 67> kBlockTags = {
    "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",   "caption",
    "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",    "div",
    "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",   "frame",
    "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",     "head",
    "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",   "main",
    "menu",     "menuitem", "nav",      "noframes",   "ol",       "optgroup",   "option", "p",
    "param",    "pre",      "script",   "search",     "section",  "source",     "style",  "summary",
    "table",    "tbody",    "td",       "textarea",   "tfoot",    "th",         "thead",  "title",
    "tr",       "track",    "ul"};

// Whether a `<` at the beginning of a line would be more to a parser than the target of a link.
bool opens_block(std::string_view text, size_t at) {
  text.remove_prefix(at + 1);
  if (text.empty() || is_one_of(text.front(), "!?")) return true;
  if (text.front() == '/') text.remove_prefix(1);
  std::string name;
  for (size_t i = 0; i < text.size() && is_ascii_alnum(text[i]); ++i) name += ascii_lower(text[i]);
  return std::ranges::binary_search(kBlockTags, std::string_view(name));
}

size_t before_blanks(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at;
}

// `](<target>` and `]: <target>`, the target perhaps on a line of its own.
bool opens_target(std::string_view text, size_t at) {
  size_t before = before_blanks(text, at);
  const bool next_line = before > 0 && text[before - 1] == '\n';
  if (next_line) before = before_blanks(text, before - 1);
  const bool follows = before >= 2 && text[before - 2] == ']' && is_one_of(text[before - 1], "(:");
  return follows && !(next_line && opens_block(text, at));
}

// Whether a `<` is no tag.
bool stays(std::string_view text, size_t at) {
  const std::string_view inside = inside_brackets(text, at);
  return is_uri(inside) || is_mail(inside) || opens_target(text, at) || is_escaped(text, at);
}

// `&#12345678;` and `&#x1234567;` have a digit too many for CommonMark, but not for the parser.
bool is_too_long_reference(std::string_view text) {
  if (!text.starts_with("&#")) return false;
  text.remove_prefix(2);
  const bool hex = text.starts_with('x') || text.starts_with('X');
  if (hex) text.remove_prefix(1);
  const size_t most = hex ? 6 : 7;
  const size_t digits = text.find_first_not_of(hex ? "0123456789ABCDEFabcdef" : "0123456789");
  return digits != std::string_view::npos && digits > most && text[digits] == ';';
}

}  // namespace

MarkdownSource::MarkdownSource(std::string_view markdown) {
  choose_marks(markdown);
  text_.reserve(markdown.size() + 16);
  for (size_t at = 0; at < markdown.size(); ++at) {
    const char c = markdown[at];
    if (c == '\0') {
      text_ += kReplacementCharacter;
    } else if (c == '<' && !stays(markdown, at)) {
      text_ += less_;
    } else if (c == '&' && !ampersand_.empty() && is_too_long_reference(markdown.substr(at)) &&
               !is_escaped(markdown, at)) {
      text_ += ampersand_;
    } else {
      text_ += c;
    }
  }
}

void MarkdownSource::choose_marks(std::string_view markdown) {
  for (const std::string_view mark : kMarks) {
    if (markdown.find(mark) != std::string_view::npos) continue;
    if (!less_.empty()) {
      ampersand_ = mark;
      return;
    }
    less_ = mark;
  }
  if (less_.empty()) less_ = kMarks.back();
}

std::string MarkdownSource::restored(const char* piece) const {
  return restored(piece != nullptr ? std::string_view(piece) : std::string_view());
}

std::string MarkdownSource::restored(std::string_view rest) const {
  std::string out;
  while (!rest.empty()) {
    const size_t at = rest.find(less_.front());
    out += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at);
    const bool is_less = rest.starts_with(less_);
    const bool is_ampersand = !ampersand_.empty() && rest.starts_with(ampersand_);
    out += is_less ? '<' : is_ampersand ? '&' : rest.front();
    rest.remove_prefix(is_less || is_ampersand ? less_.size() : 1);
  }
  return out;
}

}  // namespace holdfast::text
