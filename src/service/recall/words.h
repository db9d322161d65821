// Words as the recall surface counts them: which carry content, and how well a text covers them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::service::recall {

struct Word {
  std::string text = {};
  bool specific = false;  // has a digit or capitals inside: API, C1
  bool capitalised = false;
};

// Folded runs of letters and digits; Han and Kana one by one.
std::vector<Word> words_of(std::string_view text);
// The singulars that an English plural may come from, without the word itself.
std::vector<std::string> variants_of(std::string_view word);
bool is_glue(std::string_view word);  // a stop word, or the scaffolding of a conversation
// Those that carry content, each once (a plural and its singular are one), in order.
std::vector<std::string> content_words(std::string_view text);
// All words joined by one blank: the form in which sentences are compared.
std::string normalised(std::string_view text);

// The words of a text with their variants. Made for every candidate of a query and asked a few
// times, so it is a list in one piece of memory.
class WordSet {
 public:
  explicit WordSet(std::string_view text);
  // 1 for the word or a variant, 0.8 for one that begins alike, else 0.
  double match(std::string_view word) const;

 private:
  bool has(std::string_view word) const;
  std::string_view view(const std::pair<uint32_t, uint32_t>& one) const {
    return std::string_view(letters_).substr(one.first, one.second);
  }

  std::string letters_;
  std::vector<std::pair<uint32_t, uint32_t>> words_;  // where each begins, and its length
};

// Shares of the smaller and of the union that two lists have in common; 0 where one is empty.
double overlap_of(const std::vector<std::string>& a, const std::vector<std::string>& b);
double jaccard_of(const std::vector<std::string>& a, const std::vector<std::string>& b);
// 2 * matching blocks / total length, from 0 to 1. Long texts are compared by their beginnings.
double similarity_of(std::string_view a, std::string_view b);
bool is_similar(std::string_view a, std::string_view b, double least);

// A greeting, thanks, or an acknowledgement; `resumed`: "continue" means to go on with the work.
bool is_low_value_query(std::string_view text, bool resumed);
// Says only that there is nothing to say.
bool is_low_value_text(std::string_view text);

}  // namespace holdfast::service::recall
