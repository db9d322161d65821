#include "text/stop_words.h"

#include <algorithm>
#include <array>

namespace holdfast::text {
namespace {

// Sorted.
constexpr std::array<std::string_view, 178> kStopWords = {
    "a",       "about",    "above",   "after",   "again",   "against",  "all",     "am",
    "an",      "and",      "any",     "are",     "aren't",  "as",       "at",      "be",
    "because", "been",     "before",  "being",   "below",   "between",  "both",    "but",
    "by",      "can",      "can't",   "cannot",  "could",   "couldn't", "d",       "did",
    "didn't",  "do",       "does",    "doesn't", "doing",   "don't",    "down",    "during",
    "each",    "few",      "for",     "from",    "further", "had",      "hadn't",  "has",
    "hasn't",  "have",     "haven't", "having",  "he",      "he'd",     "he'll",   "her",
    "here",    "hers",     "herself", "him",     "himself", "his",      "how",     "i",
    "i'd",     "i'll",     "i'm",     "i've",    "if",      "in",       "into",    "is",
    "isn't",   "it",       "it'd",    "it'll",   "its",     "itself",   "just",    "ll",
    "m",       "may",      "me",      "might",   "more",    "most",     "must",    "my",
    "myself",  "no",       "nor",     "not",     "of",      "off",      "on",      "once",
    "only",    "or",       "other",   "our",     "ours",    "out",      "over",    "own",
    "re",      "s",        "same",    "shall",   "she",     "she'd",    "she'll",  "should",
    "so",      "some",     "such",    "t",       "than",    "that",     "that'd",  "that'll",
    "the",     "their",    "theirs",  "them",    "then",    "there",    "these",   "they",
    "they'd",  "they'll",  "they're", "they've", "this",    "those",    "through", "to",
    "too",     "under",    "until",   "up",      "upon",    "us",       "ve",      "very",
    "was",     "wasn't",   "we",      "we'd",    "we'll",   "we're",    "we've",   "were",
    "weren't", "what",     "when",    "where",   "whether", "which",    "while",   "who",
    "whom",    "whose",    "why",     "will",    "with",    "within",   "without", "won't",
    "would",   "wouldn't", "yet",     "you",     "you'd",   "you'll",   "you're",  "you've",
    "your",    "yours",
};
static_assert(std::ranges::is_sorted(kStopWords));

}  // namespace

bool is_stop_word(std::string_view folded) {
  return std::ranges::binary_search(kStopWords, folded);
}

}  // namespace holdfast::text
