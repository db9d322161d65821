// A made-up but lifelike corpus: short texts of 10 to 40 words over a Zipfian vocabulary whose most
// frequent words are English stop words, as in real text. Every text follows from the seed and its
// number, so none needs to be kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace holdfast::bench {

class Corpus {
 public:
  explicit Corpus(uint64_t seed, size_t vocabulary = 200'000) : seed_(seed) {
    std::mt19937_64 random(seed);
    for (const char* word : {"the", "to",   "and",  "of",  "a",   "in",   "is",    "that", "it",
                             "for", "was",  "on",   "we",  "i",   "with", "be",    "this", "have",
                             "are", "not",  "but",  "at",  "as",  "from", "by",    "or",   "they",
                             "you", "what", "when", "can", "had", "will", "there", "if",   "so"}) {
      words_.emplace_back(word);
    }
    stop_words_ = words_.size();
    static constexpr const char* kOnsets[] = {"b", "br", "d", "dr", "f", "g",  "gr",
                                              "k", "l",  "m", "n",  "p", "pl", "r",
                                              "s", "st", "t", "tr", "v", "z"};
    static constexpr const char* kVowels[] = {"a", "e", "i", "o", "u", "ai", "ou"};
    static constexpr const char* kCodas[] = {"", "l", "m", "n", "r", "s", "t", "k", "nd", "rt"};
    while (words_.size() < vocabulary) {
      std::string word;
      for (uint64_t syllables = 1 + random() % 2 + (words_.size() > 500 ? 1 : 0); syllables > 0;
           --syllables) {
        word += kOnsets[random() % 20];
        word += kVowels[random() % 7];
        word += kCodas[random() % 10];
      }
      words_.push_back(std::move(word));
    }
    double sum = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      sum += 1.0 / (static_cast<double>(i) + 2.7);  // Zipf and Mandelbrot
      cumulative_.push_back(sum);
    }
  }

  std::string text(size_t number) const {
    std::mt19937_64 random(seed_ * 1'000'003 + number);
    std::string out;
    for (uint64_t words = 10 + random() % 31; words > 0; --words) {
      if (!out.empty()) out += ' ';
      out += words_[rank(random)];
    }
    return out;
  }

  // Six different words, as frequent as in the texts; content terms are without the small words.
  std::vector<std::string> natural_terms(size_t number) const { return terms(number, 0); }
  std::vector<std::string> content_terms(size_t number) const { return terms(number, stop_words_); }

 private:
  std::vector<std::string> terms(size_t number, size_t least_rank) const {
    std::mt19937_64 random(seed_ * 7'919 + number);
    std::vector<std::string> terms;
    while (terms.size() < 6) {
      const size_t at = rank(random);
      if (at < least_rank || std::find(terms.begin(), terms.end(), words_[at]) != terms.end())
        continue;
      terms.push_back(words_[at]);
    }
    return terms;
  }

  size_t rank(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<double>(0, cumulative_.back())(random);
    return static_cast<size_t>(std::lower_bound(cumulative_.begin(), cumulative_.end(), at) -
                               cumulative_.begin());
  }

  uint64_t seed_;
  size_t stop_words_ = 0;
  std::vector<std::string> words_;
  std::vector<double> cumulative_;
};

}  // namespace holdfast::bench
