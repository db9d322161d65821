// What people type into a search box:
//
//   deploy rollback          words; each may be an identifier or a path
//   "blue green" deploy      a phrase: these words, one after the other, in one field
//   deploy -staging          not with this word; -"a phrase" works too
//
// Nothing else has a meaning: `field:value` is an identifier like any other, filters are a matter
// of the request. Parsing never fails; what cannot be a term (stray quotes, punctuation) is
// ignored. A quote that is not closed ends with the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::text {

// A query has at most this many words, phrases and exclusions together; the rest is ignored. Words
// of more than the first 4,096 bytes are not read either.
inline constexpr size_t kMaxQueryTerms = 64;
inline constexpr size_t kMaxQueryBytes = 4096;

struct QueryWord {
  std::string form = {};  // folded, as in a document
  std::string stem = {};  // what is looked up
  bool stop_word = false;
  // A whole identifier beside its parts: favours documents that have it, but is not needed where
  // the parts are.
  bool whole = false;
  bool operator==(const QueryWord&) const = default;
};

struct ParsedQuery {
  std::vector<QueryWord> words = {};  // in order, without repetitions; phrases' words included
  std::vector<std::vector<QueryWord>> phrases = {};   // of two words or more
  std::vector<std::vector<QueryWord>> excluded = {};  // words (of one) and phrases
  bool truncated = false;

  bool empty() const { return words.empty() && excluded.empty(); }
  // True if some word is no stop word; then stop words are not looked up.
  bool has_content() const;
};

ParsedQuery parse_query(std::string_view query);

// The words of a text that has no syntax: quotes and minus signs mean nothing. For queries that
// programs make.
ParsedQuery plain_query(std::string_view text);

}  // namespace holdfast::text
