// Words as people write them, apostrophes and all, for rules about phrases.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::chat {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
// A byte that is part of a word.
bool is_word_byte(char c);

// Case-folded, with straight apostrophes.
std::string plain_text(std::string_view text);
std::vector<std::string> plain_words(std::string_view text);
// With a blank before and after each, for has_phrase().
std::string padded_words(const std::vector<std::string>& words);
inline bool has_phrase(const std::string& padded, std::string_view phrase) {
  return padded.find(" " + std::string(phrase) + " ") != std::string::npos;
}

template <typename Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace holdfast::service::chat
