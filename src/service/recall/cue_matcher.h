// Finds the patterns of cues.h in a sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::recall {

// The words of a sentence as they are written, folded, without punctuation around them.
struct WrittenWord {
  std::string text = {};
  size_t begin = 0;  // in the sentence
  size_t end = 0;
  bool pause_before = false;  // a comma or a semicolon stands before it
};
std::vector<WrittenWord> written_words(std::string_view sentence);

struct Span {
  size_t first = 0;  // words
  size_t last = 0;   // one past
  // Words that the `*`s of the pattern took, each as a range.
  std::vector<std::pair<size_t, size_t>> stars = {};
};
// The pattern where it begins at that word.
std::optional<Span> match_at(std::string_view pattern, const std::vector<WrittenWord>& words,
                             size_t at);
std::optional<Span> find_pattern(std::string_view pattern, const std::vector<WrittenWord>& words);
// Whether one of the patterns begins before that word.
template <typename Patterns>
bool has_any(const Patterns& patterns, const std::vector<WrittenWord>& words, size_t before) {
  for (const std::string_view pattern : patterns) {
    for (size_t at = 0; at < words.size() && at < before; ++at) {
      if (match_at(pattern, words, at)) return true;
    }
  }
  return false;
}

// Whether a word of doubt begins before that word. In May somebody was there; they may have been.
bool is_hedged(const std::vector<WrittenWord>& words, size_t before);

// The text behind `label:` where the sentence begins with one of the labels.
template <typename Labels>
std::optional<std::string> body_after_label(std::string_view sentence, const Labels& labels);
std::optional<std::string> body_after(std::string_view sentence, std::string_view label);

template <typename Labels>
std::optional<std::string> body_after_label(std::string_view sentence, const Labels& labels) {
  for (const std::string_view label : labels) {
    if (auto body = body_after(sentence, label)) return body;
  }
  return std::nullopt;
}

}  // namespace holdfast::service::recall
