#include "text/sentences.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace holdfast::text {
namespace {

// Lower case; a dot after one of these ends no sentence.
constexpr std::array<std::string_view, 13> kAbbreviations = {
    "e.g", "i.e", "etc", "vs", "cf", "approx", "mr", "mrs", "ms", "dr", "no", "fig", "st"};
constexpr std::array<std::string_view, 3> kWideEnds = {"。", "！", "？"};
constexpr std::string_view kEllipsis = "…";

bool is_space_in_line(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool is_any_letter(char c) { return is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80; }

// The word that ends at `end`, dots inside included.
std::string_view word_before(std::string_view text, size_t begin, size_t end) {
  size_t at = end;
  while (at > begin && (is_any_letter(text[at - 1]) || text[at - 1] == '.')) --at;
  return text.substr(at, end - at);
}

bool is_abbreviation(std::string_view word) {
  while (!word.empty() && word.front() == '.') word.remove_prefix(1);
  if (count_code_points(word) == 1) return true;
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return std::ranges::find(kAbbreviations, lower) != kAbbreviations.end();
}

// How many bytes of closing quotes and brackets stand here.
size_t closing(std::string_view text, size_t at) {
  static constexpr std::array<std::string_view, 6> kClosing = {"\"", "'", ")", "]", "”", "’"};
  const size_t begin = at;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view mark : kClosing) {
      if (!text.substr(at).starts_with(mark)) continue;
      at += mark.size();
      found = true;
    }
  }
  return at - begin;
}

// The end of a sentence that has a terminator at `at`, or `at` itself if it is none.
size_t end_after(std::string_view text, size_t begin, size_t at) {
  for (const std::string_view wide : kWideEnds) {
    if (text.substr(at).starts_with(wide)) return at + wide.size();
  }
  size_t end = at;
  while (end < text.size()) {
    if (text[end] == '.' || text[end] == '!' || text[end] == '?') {
      ++end;
    } else if (text.substr(end).starts_with(kEllipsis)) {
      end += kEllipsis.size();
    } else {
      break;
    }
  }
  if (end == at) return at;
  const bool one_dot = end == at + 1 && text[at] == '.';
  end += closing(text, end);
  if (end < text.size() && !is_space_in_line(text[end]) && text[end] != '\n') return at;
  if (one_dot && end < text.size()) {
    const std::string_view word = word_before(text, begin, at);
    if (!word.empty() && is_abbreviation(word)) return at;
  }
  return end;
}

}  // namespace

std::vector<std::string_view> split_sentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  const auto cut = [&](size_t end) {
    const std::string_view sentence = trim_space(text.substr(begin, end - begin));
    if (!sentence.empty()) sentences.push_back(sentence);
    begin = end;
  };
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      cut(++at);
      continue;
    }
    const size_t end = end_after(text, begin, at);
    if (end > at) cut(end);
    at = std::max(end, at + 1);
  }
  cut(text.size());
  return sentences;
}

bool ends_as_question(std::string_view sentence) {
  sentence = trim_space(sentence);
  for (const std::string_view mark : {"\"", "'", ")", "]", "”", "’"}) {
    while (sentence.ends_with(mark)) sentence.remove_suffix(mark.size());
  }
  return sentence.ends_with('?') || sentence.ends_with("？");
}

std::string collapse_space(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : trim_space(text)) {
    if (is_space_in_line(c) || c == '\n') {
      gap = true;
      continue;
    }
    if (gap) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

}  // namespace holdfast::text
