#include "service/substrate/soft_duplicates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/sorted.h"
#include "service/substrate/claim.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using Tokens = std::vector<std::string>;

constexpr size_t kMaxPossible = 5;
// Candidates taken from the index for one comparison, and where some of them are alike, so that
// more may be, or among so few documents that looking costs little; and the words of each text they
// are found by: the longest, which are the rarest.
constexpr size_t kWindow = 16;
constexpr size_t kWideWindow = 256;
constexpr int64_t kFewDocuments = 400;
constexpr size_t kMaxWords = 6;
constexpr double kTextWeight = 0.4;
constexpr double kBonus = 0.1;
// Without any bonus missing, one of the two texts must be this similar to reach the score.
constexpr double kLeastSimilarity = (kSoftDuplicateScore - 3 * kBonus) / (2 * kTextWeight);

// Sorted.
constexpr std::array<std::string_view, 21> kCommonWords = {
    "a",  "an", "and", "are", "as",     "be",   "by",  "for",  "from", "in",  "is",
    "it", "of", "on",  "or",  "should", "that", "the", "this", "to",   "with"};

Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::string& token : word_runs(lower(text))) {
    if (std::ranges::binary_search(kCommonWords, token)) continue;
    if (token.size() > 3 && token.back() == 's' && is_ascii(token)) token.pop_back();
    tokens.push_back(std::move(token));
  }
  sort_once(tokens);
  return tokens;
}

double jaccard(const Tokens& a, const Tokens& b) {
  if (a.empty() || b.empty()) return 0;
  size_t shared = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int order = a[i].compare(b[j]);
    if (order == 0) ++shared;
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

Tokens longest(Tokens tokens) {
  std::ranges::stable_sort(tokens, std::ranges::greater(), &std::string::size);
  if (tokens.size() > kMaxWords) tokens.resize(kMaxWords);
  return tokens;
}

// Two sets this similar share one of their rarest tokens, so only those need to be looked up.
class Blocking {
 public:
  Blocking(const std::vector<SoftText>& texts, Tokens SoftText::*tokens)
      : texts_(texts), tokens_(tokens) {
    for (const SoftText& text : texts) {
      for (const std::string& token : text.*tokens) ++frequency_[token];
    }
  }

  // Calls `pair` for candidates (earlier, later), each once.
  template <typename Pair>
  void each(const Pair& pair) {
    std::unordered_map<std::string_view, std::vector<size_t>> by_token;
    std::vector<size_t> met(texts_.size(), texts_.size());  // the last one each was paired with
    for (size_t i = 0; i < texts_.size(); ++i) {
      for (const auto& [frequency, token] : rarest(texts_[i].*tokens_)) {
        if (frequency == 1) continue;  // leads to no other text
        auto& earlier = by_token[token];
        for (const size_t other : earlier) {
          if (std::exchange(met[other], i) != i) pair(other, i);
        }
        earlier.push_back(i);
      }
    }
  }

 private:
  using Counted = std::pair<size_t, std::string_view>;  // in how many texts, and which token

  // Each token is looked up once, not for every comparison: a long text has half a million.
  std::vector<Counted> rarest(const Tokens& tokens) const {
    std::vector<Counted> sorted;
    sorted.reserve(tokens.size());
    for (const std::string& token : tokens) sorted.emplace_back(frequency_.at(token), token);
    std::ranges::sort(sorted);
    const auto size = static_cast<double>(sorted.size());
    const auto needed = static_cast<size_t>(std::ceil(kLeastSimilarity * size - 1e-9));
    sorted.resize(sorted.size() - std::min(sorted.size(), std::max<size_t>(needed, 1) - 1));
    return sorted;
  }

  const std::vector<SoftText>& texts_;  // whose tokens the maps point into
  Tokens SoftText::*tokens_;
  std::unordered_map<std::string_view, size_t> frequency_;
};

}  // namespace

bool is_soft_comparable(const Knowledge& knowledge) {
  return !is_retired(knowledge.status) && knowledge.status != "contested" &&
         !claim_of(knowledge.kind, knowledge.subject_refs, knowledge.payload);
}

SoftText soft_text_of(const Knowledge& knowledge) {
  SoftText out{.id = knowledge.id,
               .kind = knowledge.kind,
               .title = knowledge.title,
               .status = knowledge.status,
               .title_tokens = tokens_of(knowledge.title),
               .summary_tokens = tokens_of(knowledge.summary),
               .subjects = knowledge.subject_refs,
               .scopes = knowledge.scope_refs};
  for (const EvidenceRef& ref : knowledge.evidence_refs) {
    out.evidence.push_back(ref.source_id + "#" + ref.segment_id);
  }
  return out;
}

SoftMatch compare(const SoftText& a, const SoftText& b) {
  SoftMatch match;
  const double title = jaccard(a.title_tokens, b.title_tokens);
  const double summary = jaccard(a.summary_tokens, b.summary_tokens);
  double score = kTextWeight * title + kTextWeight * summary;
  if (title >= 0.3) match.reasons.emplace_back("title_overlap");
  if (summary >= 0.25) match.reasons.emplace_back("summary_overlap");
  const auto bonus = [&](bool given, const char* reason) {
    if (!given) return;
    score += kBonus;
    match.reasons.emplace_back(reason);
  };
  bonus(a.kind == b.kind, "same_kind");
  bonus(intersects(a.subjects, b.subjects), "shared_subject");
  bonus(intersects(a.evidence, b.evidence), "shared_evidence");
  match.score = std::round(std::min(score, 1.0) * 1000) / 1000;
  return match;
}

namespace {

search::SearchRequest request_for(const SoftText& fresh) {
  search::SearchRequest request;
  request.filter.kinds = {std::string(type_name(ObjectType::kKnowledge))};
  request.filter.facets.push_back({.name = std::string(facet::kUnstructured), .any_of = {"yes"}});
  if (!fresh.scopes.empty()) {
    request.filter.facets.push_back({.name = std::string(facet::kScope), .any_of = fresh.scopes});
  }
  Tokens tokens = longest(fresh.title_tokens);
  for (const std::string& token : longest(fresh.summary_tokens)) add_once(tokens, token);
  for (const std::string& token : tokens) request.terms.push_back(search::PreparedTerm::of(token));
  // Texts this similar share more than one of their words, unless they have few.
  const bool wordy = fresh.title_tokens.size() > 4 && fresh.summary_tokens.size() > 4;
  request.match = search::MatchMode::kMinimum;
  request.minimum_terms = wordy ? 2 : 1;
  return request;
}

// Those of the stored objects that are similar enough.
Result<std::vector<PossibleDuplicate>> alike(storage::ReadTxn& txn,
                                             const access::SpaceAccess& access,
                                             const std::vector<ObjectNumber>& numbers,
                                             const SoftText& fresh) {
  HOLDFAST_TRY(auto objects, txn.get_many(access, numbers));
  std::vector<PossibleDuplicate> out;
  for (Object& object : objects) {
    HOLDFAST_TRY(const Stored stored, stored_of(ObjectType::kKnowledge, std::move(object)));
    HOLDFAST_TRY(const Knowledge knowledge, struct_of<Knowledge>(stored));
    if (knowledge.id == fresh.id || !scopes_overlap(knowledge.scope_refs, fresh.scopes)) continue;
    SoftMatch match = compare(fresh, soft_text_of(knowledge));
    if (match.score < kSoftDuplicateScore) continue;
    out.push_back({.object_id = knowledge.id,
                   .score = match.score,
                   .reasons = std::move(match.reasons),
                   .title = knowledge.title,
                   .kind = knowledge.kind,
                   .status = knowledge.status});
  }
  return out;
}

}  // namespace

Result<std::vector<PossibleDuplicate>> possible_duplicates(storage::ReadTxn& txn,
                                                           const access::SpaceAccess& access,
                                                           const search::Index& index,
                                                           const SoftText& fresh) {
  search::SearchRequest request = request_for(fresh);
  std::vector<PossibleDuplicate> out;
  for (const size_t window : {kWindow, kWideWindow}) {
    request.limit = window;
    HOLDFAST_TRY(const auto found, index.search(access, request));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(out, alike(txn, access, numbers, fresh));
    const bool look_on = !out.empty() || found.documents <= kFewDocuments;
    if (!look_on || numbers.size() < window) break;
  }
  std::ranges::sort(out, {}, [](const PossibleDuplicate& one) {
    return std::tuple(-one.score, one.title, one.object_id);
  });
  if (out.size() > kMaxPossible) out.resize(kMaxPossible);
  return out;
}

std::vector<SoftPair> soft_pairs(const std::vector<SoftText>& texts) {
  std::set<std::pair<size_t, size_t>> seen;
  std::vector<SoftPair> pairs;
  const auto judge = [&](size_t a, size_t b) {
    if (!seen.emplace(a, b).second) return;
    if (!scopes_overlap(texts[a].scopes, texts[b].scopes)) return;
    SoftMatch match = compare(texts[a], texts[b]);
    if (match.score < kSoftDuplicateScore) return;
    auto [first, second] = std::minmax(texts[a].id, texts[b].id);
    pairs.push_back({.first = first, .second = second, .match = std::move(match)});
  };
  Blocking(texts, &SoftText::title_tokens).each(judge);
  Blocking(texts, &SoftText::summary_tokens).each(judge);
  std::ranges::sort(pairs, {}, [](const SoftPair& pair) {
    return std::tuple(-pair.match.score, pair.first, pair.second);
  });
  return pairs;
}

}  // namespace holdfast::service::substrate
