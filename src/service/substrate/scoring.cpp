#include "service/substrate/scoring.h"

#include <algorithm>

#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

bool has(const std::string& haystack, const std::string& term) {
  return haystack.find(term) != std::string::npos;
}

}  // namespace

LexicalScore lexical_score(const Haystacks& haystacks, const std::vector<std::string>& terms) {
  LexicalScore out;
  for (const std::string& term : terms) {
    int64_t score = 0;
    if (haystacks.title == term) score += 100;
    if (has(haystacks.title, term)) score += 20;
    if (has(haystacks.summary, term)) score += 10;
    if (has(haystacks.metadata, term)) score += 8;
    if (has(haystacks.payload, term)) score += 5;
    if (has(haystacks.segments, term)) score += 3;
    if (score > 0) out.matched.push_back(term);
    out.score = std::max(out.score, score);
  }
  return out;
}

int64_t context_score(const DocumentView& view, const std::vector<std::string>& terms) {
  const std::string title = lower(view.title());
  const std::string summary = lower(view.summary());
  const std::string words =
      lower(std::string(view.kind()) + " " + std::string(type_name(view.type())));
  int64_t score = 0;
  for (const std::string& term : terms) {
    score += (has(title, term) ? 3 : 0) + (has(summary, term) ? 1 : 0) + (has(words, term) ? 1 : 0);
  }
  return score;
}

}  // namespace holdfast::service::substrate
