// The words that retrieval, answers and distillation compare: folded, stop words left out, stemmed.
#pragma once

#include <initializer_list>
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

// From the first letter or digit to the last.
std::string_view without_marks_around(std::string_view text);

inline constexpr size_t kQueryWords = 12;

bool is_stop_word(std::string_view folded);

// The same stem, or one the beginning of the other with at least four characters in common.
bool same_word(const Word& a, const Word& b);

// Phrases to look for, folded once: fixed ones are kept as statics.
class Phrases {
 public:
  Phrases() = default;
  Phrases(std::initializer_list<std::string_view> phrases) {
    for (const std::string_view phrase : phrases) add(phrase);
  }
  explicit Phrases(const std::vector<std::string>& phrases) {
    for (const std::string& phrase : phrases) add(phrase);
  }
  bool empty() const { return padded_.empty(); }
  // True if one of them occurs in the text as whole words, however it is spelt.
  bool occur_in(std::string_view text) const;

 private:
  void add(std::string_view phrase);
  std::vector<std::string> padded_ = {};
};

// How many of the wanted words occur among the given.
size_t count_matched(const std::vector<Word>& wanted, const std::vector<Word>& given);

}  // namespace holdfast::service::chat
