#include "service/substrate/concept_terms.h"

#include <algorithm>
#include <array>

#include <utf8proc.h>

#include "base/utf8.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::array<std::string_view, 8> kArticles = {"a",    "an",   "and",   "the",
                                                       "this", "that", "these", "those"};

bool is_mark(char c) { return std::string_view("`*_#:-").find(c) != std::string_view::npos; }

// Trims blanks and marks together: either may hide the other.
std::string_view trim_marks(std::string_view text) {
  for (size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    text = trim_space(text);
    while (!text.empty() && is_mark(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
  }
  return text;
}

bool is_letter_or_digit(utf8proc_int32_t point) {
  const auto category = utf8proc_category(point);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string clean_term(std::string_view term) {
  std::string cleaned = squeeze(trim_marks(term));
  for (size_t space = cleaned.find(' '); space != std::string::npos; space = cleaned.find(' ')) {
    const std::string first = lower(std::string_view(cleaned).substr(0, space));
    if (std::ranges::find(kArticles, first) == kArticles.end()) break;
    cleaned = std::string(trim_marks(std::string_view(cleaned).substr(space + 1)));
  }
  return cleaned;
}

std::string concept_key(std::string_view term) {
  std::string key;
  const std::string text = lower(clean_term(term));
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t point = -1;
    const auto length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                         static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    const size_t step = length > 0 ? static_cast<size_t>(length) : 1;
    if (length > 0 && is_letter_or_digit(point)) key.append(text, at, step);
    at += step;
  }
  return key;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    if (end > at) words.push_back(lower(text.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  return words;
}

}  // namespace holdfast::service::substrate
