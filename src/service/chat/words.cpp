#include "service/chat/words.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "base/utf8.h"
#include "text/analyzer.h"
#include "text/characters.h"
#include "text/stemmer.h"

namespace holdfast::service::chat {
namespace {

// Articles, pronouns, auxiliaries, prepositions, question words and politeness.
const std::unordered_set<std::string_view>& stop_words() {
  static const std::unordered_set<std::string_view> words = {
      "a",      "about",  "after", "again",  "all",     "also",   "am",     "an",      "and",
      "any",    "anyone", "are",   "aren",   "as",      "at",     "be",     "because", "been",
      "before", "being",  "but",   "by",     "can",     "cannot", "could",  "couldn",  "did",
      "didn",   "do",     "does",  "doesn",  "doing",   "don",    "down",   "during",  "each",
      "for",    "from",   "had",   "has",    "have",    "haven",  "having", "he",      "hello",
      "her",    "here",   "hers",  "hey",    "him",     "his",    "how",    "if",      "in",
      "into",   "is",     "isn",   "it",     "its",     "just",   "kindly", "let",     "may",
      "me",     "might",  "mine",  "more",   "most",    "must",   "my",     "no",      "nor",
      "not",    "now",    "of",    "off",    "on",      "only",   "or",     "other",   "our",
      "ours",   "out",    "over",  "please", "shall",   "she",    "should", "so",      "some",
      "such",   "tell",   "than",  "thank",  "thanks",  "that",   "the",    "their",   "theirs",
      "them",   "then",   "there", "these",  "they",    "this",   "those",  "to",      "too",
      "under",  "until",  "up",    "upon",   "us",      "very",   "was",    "wasn",    "we",
      "were",   "weren",  "what",  "when",   "where",   "which",  "while",  "who",     "whom",
      "whose",  "why",    "will",  "with",   "without", "won",    "would",  "wouldn",  "you",
      "your",   "yours"};
  return words;
}

bool has_digit(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Of a script that is indexed in pairs, since it has no words.
bool is_pair(std::string_view folded) {
  const text::FoldedChars first = text::fold_char_at(folded, 0);
  return first.count > 0 && text::class_of(first.points.front()) == text::CharClass::kIdeograph;
}

bool carries_meaning(std::string_view folded) {
  if (is_stop_word(folded)) return false;
  const size_t length = count_code_points(folded);
  return length >= 3 || (length == 2 && (has_digit(folded) || is_pair(folded)));
}

// The words with one space around each, so that whole words can be found as substrings.
std::string padded(std::string_view text) {
  text::TokenList list;
  text::analyze(text, list);
  std::string out = " ";
  for (const text::Token& token : list.tokens) {
    if (token.overlay) continue;
    out += list.text(token);
    out += ' ';
  }
  return out;
}

}  // namespace

bool is_stop_word(std::string_view folded) { return stop_words().contains(folded); }

std::vector<Word> all_words(std::string_view text) {
  text::TokenList list;
  text::analyze(text, list);
  std::vector<Word> words;
  words.reserve(list.tokens.size());
  for (const text::Token& token : list.tokens) {
    if (token.overlay) continue;
    const std::string_view folded = list.text(token);
    words.push_back({std::string(folded), text::stem(folded)});
  }
  return words;
}

std::vector<Word> content_words(std::string_view text, size_t limit) {
  std::vector<Word> kept;
  for (Word& word : all_words(text)) {
    if (kept.size() == limit) break;
    const bool known =
        std::ranges::any_of(kept, [&](const Word& earlier) { return earlier.stem == word.stem; });
    if (!known && carries_meaning(word.text)) kept.push_back(std::move(word));
  }
  return kept;
}

bool same_word(const Word& a, const Word& b) {
  if (a.stem == b.stem) return true;
  const std::string& shorter = a.text.size() < b.text.size() ? a.text : b.text;
  const std::string& longer = a.text.size() < b.text.size() ? b.text : a.text;
  return longer.starts_with(shorter) && count_code_points(shorter) >= 4;
}

void Phrases::add(std::string_view phrase) {
  std::string words = padded(phrase);
  if (words.size() > 1) padded_.push_back(std::move(words));
}

bool Phrases::occur_in(std::string_view text) const {
  if (empty()) return false;
  const std::string words = padded(text);
  return std::ranges::any_of(
      padded_, [&](const std::string& phrase) { return words.find(phrase) != std::string::npos; });
}

size_t count_matched(const std::vector<Word>& wanted, const std::vector<Word>& given) {
  return static_cast<size_t>(std::ranges::count_if(wanted, [&](const Word& one) {
    return std::ranges::any_of(given, [&](const Word& other) { return same_word(one, other); });
  }));
}

std::string_view without_marks_around(std::string_view text) {
  size_t begin = text.size();
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const text::FoldedChars folded = text::fold_char_at(text, at);
    const size_t next = at + static_cast<size_t>(folded.source_bytes);
    const auto is_of_word = [](int32_t point) {
      const text::CharClass kind = text::class_of(point);
      return kind == text::CharClass::kLetter || kind == text::CharClass::kIdeograph;
    };
    const std::span points(folded.points.data(), static_cast<size_t>(folded.count));
    const bool mark_of_word = folded.count == 0 && end == at;  // an accent
    if (mark_of_word || std::ranges::any_of(points, is_of_word)) {
      begin = std::min(begin, at);
      end = next;
    }
    at = next;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

}  // namespace holdfast::service::chat
