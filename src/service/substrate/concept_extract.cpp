#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/substrate/concept_terms.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMinQuoted = 2;
constexpr size_t kMaxQuoted = 80;
constexpr size_t kMaxRunWords = 6;
constexpr size_t kMaxFlags = 3;
constexpr size_t kIdeographsBefore = 8;
constexpr size_t kIdeographsAfter = 4;
constexpr size_t kIdeographBytes = 3;  // U+4E00 to U+9FFF in UTF-8

constexpr std::array<std::string_view, 4> kTools = {"mempalace", "memory-substrate", "codex",
                                                    "claude"};
constexpr std::array<std::string_view, 10> kAnchors = {
    "知识图谱", "记忆系统", "向量数据库", "图数据库", "概念候选",
    "策略检索", "知识沉淀", "证据链",     "生命周期", "上下文包"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }
bool is_word(char c) { return is_alnum(c) || c == '_'; }
bool is_flag_char(char c) { return is_word(c) || c == '-'; }

// True at the beginning of a word of ASCII letters.
bool at_boundary(std::string_view text, size_t at) { return at == 0 || !is_word(text[at - 1]); }

template <typename Test>
size_t skip_while(std::string_view text, size_t at, const Test& test) {
  while (at < text.size() && test(text[at])) ++at;
  return at;
}

void find_quoted(std::string_view text, std::vector<std::string>& out) {
  for (size_t at = text.find('`'); at != std::string_view::npos;) {
    const size_t end = text.find_first_of("`\n", at + 1);
    if (end == std::string_view::npos) return;
    const size_t marks = skip_while(text, at, [](char c) { return c == '`'; }) - at;
    if (marks > 1 || text[end] == '\n') {  // a fence, or a mark that nothing closes on its line
      at = text.find('`', at + marks);
      continue;
    }
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    const size_t length = count_code_points(inside);
    if (length >= kMinQuoted && length <= kMaxQuoted) out.emplace_back(inside);
    at = text.find('`', end + 1);
  }
}

// The end of a capitalised or all-capitals word of two letters or more at `at`; `at` if none.
size_t capitalised_end(std::string_view text, size_t at) {
  if (at >= text.size() || !is_upper(text[at])) return at;
  const size_t end = skip_while(text, at, is_alnum);
  const bool ends_here = end == text.size() || text[end] != '_';
  return ends_here && end - at >= 2 ? end : at;
}

void find_capitalised(std::string_view text, std::vector<std::string>& out) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at_boundary(text, at) ? capitalised_end(text, at) : at;
    if (end == at) {
      ++at;
      continue;
    }
    size_t words = 1;
    while (words < kMaxRunWords && end < text.size()) {
      const char separator = text[end];
      if (separator != ' ' && separator != '\n' && separator != '/' && separator != '-') break;
      const size_t begin =
          separator == ' ' ? skip_while(text, end, [](char c) { return c == ' '; }) : end + 1;
      const size_t next = capitalised_end(text, begin);
      if (next == begin) break;
      end = next;
      ++words;
    }
    if (words >= 2) out.emplace_back(text.substr(at, end - at));
    at = end;
  }
}

void find_memory_tools(std::string_view text, std::vector<std::string>& out) {
  constexpr std::string_view kPrefix = "memory_";
  for (size_t at = text.find(kPrefix); at != std::string_view::npos; at = text.find(kPrefix, at)) {
    const size_t begin = at;
    at = skip_while(text, at, is_word);
    if (!at_boundary(text, begin) || at == begin + kPrefix.size()) continue;
    if (at < text.size() && text[at] == ' ') {
      const size_t next = skip_while(text, at + 1, is_lower);
      const bool whole = next == text.size() || !is_word(text[next]);
      if (next > at + 1 && whole) at = next;
    }
    out.emplace_back(text.substr(begin, at - begin));
  }
}

// The end of `tool subcommand [--flag]...` at `at`; `at` if it is none.
size_t command_end(std::string_view text, size_t at) {
  for (const std::string_view tool : kTools) {
    if (!text.substr(at).starts_with(tool)) continue;
    size_t end = at + tool.size();
    if (end + 1 >= text.size() || text[end] != ' ' || !is_lower(text[end + 1])) continue;
    end = skip_while(text, end + 1, is_flag_char);
    for (size_t flags = 0; flags < kMaxFlags; ++flags) {
      if (end + 2 >= text.size() || text[end] != ' ' || text[end + 1] != '-') break;
      end = skip_while(text, end + 1, is_flag_char);
    }
    return end;
  }
  return at;
}

void find_commands(std::string_view text, std::vector<std::string>& out) {
  for (size_t at = 0; at < text.size();) {
    const bool could = (text[at] == 'm' || text[at] == 'c') && at_boundary(text, at);
    const size_t end = could ? command_end(text, at) : at;
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

void find_markers(std::string_view text, std::vector<std::string>& out) {
  for (size_t dash = text.find('-'); dash != std::string_view::npos;
       dash = text.find('-', dash + 1)) {
    if (dash < 2 || dash + 2 >= text.size()) continue;
    const std::string_view marker = text.substr(dash - 2, 5);
    if (!is_lower(marker[0]) || !is_lower(marker[1]) || !is_lower(marker[3]) ||
        !is_lower(marker[4]))
      continue;
    const bool ends = dash + 3 == text.size() || !is_word(text[dash + 3]);
    if (at_boundary(text, dash - 2) && ends) out.emplace_back(marker);
  }
}

bool is_ideograph_at(std::string_view text, size_t at) {
  if (at + kIdeographBytes > text.size()) return false;
  const auto point = ((static_cast<unsigned char>(text[at]) & 0x0fU) << 12U) |
                     ((static_cast<unsigned char>(text[at + 1]) & 0x3fU) << 6U) |
                     (static_cast<unsigned char>(text[at + 2]) & 0x3fU);
  return (static_cast<unsigned char>(text[at]) & 0xf0U) == 0xe0 && point >= 0x4e00 &&
         point <= 0x9fff;
}

size_t anchor_length(std::string_view text, size_t at) {
  for (const std::string_view anchor : kAnchors) {
    if (text.substr(at).starts_with(anchor)) return anchor.size();
  }
  return 0;
}

size_t skip_ideographs(std::string_view text, size_t at, size_t most) {
  for (; most > 0 && is_ideograph_at(text, at); --most) at += kIdeographBytes;
  return at;
}

// The end of a run around an anchor that begins at `at`; `at` if there is none.
size_t anchored_end(std::string_view text, size_t at) {
  for (size_t anchor = skip_ideographs(text, at, kIdeographsBefore);; anchor -= kIdeographBytes) {
    if (const size_t length = anchor_length(text, anchor); length > 0)
      return skip_ideographs(text, anchor + length, kIdeographsAfter);
    if (anchor == at) return at;
  }
}

void find_anchored(std::string_view text, std::vector<std::string>& out) {
  for (size_t at = 0; at < text.size();) {
    if (!is_ideograph_at(text, at)) {
      ++at;
      continue;
    }
    const size_t end = anchored_end(text, at);
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = std::max(end, at + kIdeographBytes);
  }
}

}  // namespace

std::vector<std::string> extract_terms(std::string_view text) {
  std::vector<std::string> terms;
  find_quoted(text, terms);
  find_capitalised(text, terms);
  find_memory_tools(text, terms);
  find_commands(text, terms);
  find_markers(text, terms);
  find_anchored(text, terms);
  return terms;
}

bool has_ideograph(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_ideograph_at(text, at)) return true;
  }
  return false;
}

bool is_tool_command(std::string_view cleaned) { return command_end(cleaned, 0) > 0; }

}  // namespace holdfast::service::substrate
