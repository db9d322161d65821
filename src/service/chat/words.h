// The words that retrieval, answers and distillation compare: folded, stop words left out, stemmed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::chat {

struct Word {
  std::string text = {};  // folded
  std::string stem = {};
};

// Every word of a text, in order, repeats kept: runs of letters and digits of any script; runs of
// ideographs as bigrams.
std::vector<Word> all_words(std::string_view text);

// The words that carry meaning: three letters or more (two with a digit in it), no stop words, each
// once, at most `limit`.
std::vector<Word> content_words(std::string_view text, size_t limit = SIZE_MAX);

inline constexpr size_t kQueryWords = 12;

bool is_stop_word(std::string_view folded);

// The same stem, or one the beginning of the other with at least four characters in common.
bool same_word(const Word& a, const Word& b);

// True if one of the phrases occurs as whole words, however it is spelt.
bool mentions(std::string_view text, const std::vector<std::string>& phrases);

// How many of the wanted words occur among the given.
size_t count_matched(const std::vector<Word>& wanted, const std::vector<Word>& given);

}  // namespace holdfast::service::chat
