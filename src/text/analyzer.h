// From text to the tokens that are indexed and searched: NFKD without combining marks, case-folded;
// runs of letters and digits; identifiers whole and split; bigrams for scripts without spaces.
// docs/search.md tells the rules.
//
// The same function serves documents, queries and highlighting, so that they always agree.
// Stateless and thread-safe; any bytes are allowed. Cost: about 60 ns a word of ASCII text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::text {

// Changes whenever the tokens of any text change: an index made with another version is rebuilt.
inline constexpr uint32_t kAnalyzerVersion = 1;

// Longer tokens are cut to this many bytes, in documents and queries alike.
inline constexpr size_t kMaxTokenBytes = 80;

struct Token {
  uint32_t begin = 0;  // of its folded text in TokenList::folded
  uint32_t size = 0;
  uint32_t position = 0;      // counts the plain tokens of the text
  uint32_t source_begin = 0;  // the bytes it was made of
  uint32_t source_end = 0;
  // Stands beside plain tokens and takes no position of its own: a whole identifier (`parse_query`
  // beside `parse`, `query`), a single ideograph beside its bigram.
  bool overlay = false;
  // An overlay that only a query of one ideograph wants.
  bool single_ideograph = false;
};

// The tokens of one or several texts. Reuse one for many texts to avoid allocations.
struct TokenList {
  std::string folded = {};
  std::vector<Token> tokens = {};
  uint32_t next_position = 0;

  // Points into `folded`.
  std::string_view text(const Token& token) const {
    return std::string_view(folded).substr(token.begin, token.size);
  }
  void clear() {
    folded.clear();
    tokens.clear();
    next_position = 0;
  }
};

// Appends the tokens of `source`. Overlays follow the last plain token they cover. Texts over 4 GB
// are cut.
void analyze(std::string_view source, TokenList& out);

}  // namespace holdfast::text
