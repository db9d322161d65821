// The published score tables. The index finds candidates; these decide.
#pragma once

#include <string>
#include <vector>

#include "service/substrate/document_text.h"

namespace holdfast::service::substrate {

struct LexicalScore {
  int64_t score = 0;                      // of the best term
  std::vector<std::string> matched = {};  // terms that occur, in the order of the plan
};
// 100 title equal, 20 in the title, 10 summary, 8 metadata, 5 payload, 3 segments, added up for a
// term; an object counts its best term.
LexicalScore lexical_score(const Haystacks& haystacks, const std::vector<std::string>& terms);
// The same without making haystacks. Terms are in lower case and have no line breaks.
LexicalScore lexical_score(const Outline& outline, const std::vector<std::string>& terms);

// 3 title, 1 summary, 1 kind or type, added up over all terms.
int64_t context_score(const DocumentView& view, const std::vector<std::string>& terms);

}  // namespace holdfast::service::substrate
