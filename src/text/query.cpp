#include "text/query.h"

#include <algorithm>

#include "text/analyzer.h"
#include "text/stemmer.h"
#include "text/stop_words.h"

namespace holdfast::text {
namespace {

// One token, which is the text itself.
bool is_one_word(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTokenBytes &&
         std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::vector<QueryWord> words_of(std::string_view text) {
  if (is_one_word(text))
    return {{.form = std::string(text), .stem = stem(text), .stop_word = is_stop_word(text)}};
  TokenList list;
  analyze(text, list);
  std::vector<QueryWord> words;
  for (const Token& token : list.tokens) {
    if (token.single_ideograph) continue;
    const std::string_view form = list.text(token);
    words.push_back({.form = std::string(form),
                     .stem = stem(form),
                     .stop_word = is_stop_word(form),
                     .whole = token.overlay});
  }
  return words;
}

class Parser {
 public:
  ParsedQuery parse(std::string_view query, bool with_syntax) {
    if (query.size() > kMaxQueryBytes) {
      query = query.substr(0, kMaxQueryBytes);
      parsed_.truncated = true;
    }
    if (!with_syntax) {
      add_words(words_of(query));
      return std::move(parsed_);
    }
    while (!query.empty()) {
      const bool minus = query[0] == '-' && query.size() > 1 && at_word_start_;
      if (minus) query.remove_prefix(1);
      if (query[0] == '"') {
        query.remove_prefix(1);
        take_phrase(query, minus);
        at_word_start_ = true;
        continue;
      }
      const size_t end = std::min(query.find_first_of(" \t\r\n\""), query.size());
      take_word(query.substr(0, end), minus);
      query.remove_prefix(end);
      at_word_start_ = !query.empty() && query[0] != '"';
      while (!query.empty() && is_blank(query[0])) {
        query.remove_prefix(1);
        at_word_start_ = true;
      }
    }
    return std::move(parsed_);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  void take_phrase(std::string_view& query, bool minus) {
    const size_t end = std::min(query.find('"'), query.size());
    std::vector<QueryWord> words = words_of(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
    if (words.empty() || full()) return;
    if (!minus) add_words(words);
    std::erase_if(words, [](const QueryWord& word) { return word.whole; });
    if (words.size() > kMaxQueryTerms) words.resize(kMaxQueryTerms);
    spent_ += words.size();
    if (minus) {
      parsed_.excluded.push_back(std::move(words));
    } else if (words.size() > 1) {
      parsed_.phrases.push_back(std::move(words));
    }
  }

  void take_word(std::string_view text, bool minus) {
    std::vector<QueryWord> words = words_of(text);
    if (words.empty() || full()) return;
    if (!minus) {
      add_words(words);
      return;
    }
    // -foo-bar excludes foo next to bar, which is what the identifier is made of.
    std::erase_if(words, [](const QueryWord& word) { return word.whole; });
    if (words.size() > kMaxQueryTerms) words.resize(kMaxQueryTerms);
    spent_ += words.size();
    parsed_.excluded.push_back(std::move(words));
  }

  void add_words(const std::vector<QueryWord>& words) {
    for (const QueryWord& word : words) {
      const bool known = std::ranges::any_of(
          parsed_.words, [&](const QueryWord& have) { return have.stem == word.stem; });
      if (known) continue;
      if (full()) return;
      parsed_.words.push_back(word);
      ++spent_;
    }
  }

  bool full() {
    if (spent_ < kMaxQueryTerms) return false;
    parsed_.truncated = true;
    return true;
  }

  ParsedQuery parsed_;
  size_t spent_ = 0;
  bool at_word_start_ = true;
};

}  // namespace

bool ParsedQuery::has_content() const {
  return std::ranges::any_of(words, [](const QueryWord& word) { return !word.stop_word; });
}

ParsedQuery parse_query(std::string_view query) { return Parser().parse(query, true); }
ParsedQuery plain_query(std::string_view text) { return Parser().parse(text, false); }

}  // namespace holdfast::text
