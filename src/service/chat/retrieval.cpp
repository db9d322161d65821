#include "service/chat/retrieval.h"

#include <algorithm>
#include <unordered_map>

#include "service/chat/as_user.h"
#include "service/chat/budget.h"
#include "service/chat/memory.h"
#include "service/chat/words.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::SpaceAccess;

// So many of the best by BM25 are ranked by the contract's own rule.
constexpr size_t kCandidates = 60;
constexpr size_t kSharedBeginning = 4;
constexpr double kHazyShare = 0.5;

struct Candidate {
  Memory memory = {};
  std::string id = {};
  size_t matched = 0;
  double score = 0;
};

// A word and what counts as the same: its beginnings and its continuations, four letters and more.
search::PreparedTerm term_of(const Word& word) {
  search::PreparedTerm term;
  term.alternatives.push_back({.text = word.text, .prefix = word.text.size() >= kSharedBeginning});
  for (size_t size = kSharedBeginning; size < word.text.size(); ++size)
    term.alternatives.push_back({.text = word.text.substr(0, size)});
  return term;
}

bool is_everything(const std::string& scope) { return scope == "all" || scope == "*"; }

// One filter a scope; their union is asked for by asking each.
search::Filter filter_of(const std::string& scope, const ChatRun& run) {
  search::Filter filter{.kinds = {memory_noun().kind}};
  filter.facets.push_back({.name = std::string(facet::kUser), .any_of = {run.user}});
  if (scope == "thread") {
    filter.facets.push_back(
        {.name = std::string(shared_facet::kThread), .any_of = {run.thread_id}});
  } else if (!is_everything(scope)) {
    filter.facets.push_back({.name = std::string(facet::kDomain), .any_of = {scope}});
  }
  return filter;
}

std::vector<std::string> scopes_of(const Retrieval& retrieval) {
  std::vector<std::string> scopes = retrieval.domain_scope;
  std::erase(scopes, "none");
  const auto all = std::ranges::find_if(scopes, is_everything);
  return all == scopes.end() ? scopes : std::vector<std::string>{*all};
}

std::string all_text(const Memory& memory) {
  std::string text =
      memory.title.value_or("") + "\n" + memory.snippet + "\n" + memory.summary.value_or("");
  for (const std::string& tag : memory.tags) text += "\n" + tag;
  return text;
}

void sort_best_first(std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    if (a.matched != b.matched) return a.matched > b.matched;
    if (a.score != b.score) return a.score > b.score;
    if (a.memory.created_at != b.memory.created_at)
      return a.memory.created_at > b.memory.created_at;
    return a.id < b.id;
  });
}

// Searches from strict to lenient until there are enough, so that those with most of the words are
// among the candidates however many have one.
Result<std::vector<search::Hit>> find(const search::Index& index, const SpaceAccess& access,
                                      const search::Filter& filter, const std::vector<Word>& query,
                                      size_t wanted) {
  search::SearchRequest request{
      .match = search::MatchMode::kMinimum, .filter = filter, .limit = kCandidates};
  for (const Word& word : query) request.terms.push_back(term_of(word));
  std::vector<search::Hit> hits;
  for (const size_t minimum : {query.size(), (query.size() + 1) / 2, size_t{1}}) {
    if (minimum == request.minimum_terms && request.minimum_terms != 1) continue;
    request.minimum_terms = minimum;
    HOLDFAST_TRY(auto found, index.search(access, request));
    hits = std::move(found.hits);
    if (hits.size() >= wanted) break;
  }
  return hits;
}

}  // namespace

Result<std::vector<UsedMemory>> MemoryRetriever::retrieve(const CallContext& call,
                                                          const ChatRun& run) const {
  const auto wanted = static_cast<size_t>(std::min(run.retrieval.max_items, kMostItems));
  const std::vector<Word> query = content_words(run.input_text, kQueryWords);
  if (wanted == 0 || query.empty() || run.user.empty()) return std::vector<UsedMemory>();
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, run.user), access::Permission::kRead));
  std::unordered_map<ObjectNumber, double> scores;
  for (const std::string& scope : scopes_of(run.retrieval)) {
    HOLDFAST_TRY(const auto hits, find(index_, access, filter_of(scope, run), query, wanted));
    for (const search::Hit& hit : hits) scores.emplace(hit.number, hit.score);
  }
  if (scores.empty()) return std::vector<UsedMemory>();
  std::vector<ObjectNumber> numbers;
  for (const auto& [number, score] : scores) numbers.push_back(number);
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto objects, txn->get_many(access, numbers));
  std::vector<Candidate> candidates;
  const Timestamp now = clock_.now();
  for (const Object& object : objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    const std::string text = all_text(memory);
    if (mentions(text, run.around.avoid_topics)) continue;
    const double share = is_hazy(memory, settings_, now) ? kHazyShare : 1;
    candidates.push_back({.memory = std::move(memory),
                          .id = object.key.id,
                          .matched = count_matched(query, all_words(text)),
                          .score = scores[object.number] * share});
  }
  sort_best_first(candidates);

  std::vector<UsedMemory> used;
  size_t bytes = 0;
  const int64_t most = std::min(run.retrieval.per_item_max_summary_tokens, kMostSummaryTokens);
  for (const Candidate& candidate : candidates) {
    if (used.size() == wanted) break;
    const Memory& memory = candidate.memory;
    std::string summary(fit_tokens(memory.summary.value_or(memory.snippet), most));
    if (bytes + summary.size() > kMostRetrievedBytes) break;
    bytes += summary.size();
    used.push_back({.memory_id = candidate.id,
                    .domain = memory.domain,
                    .title = memory.title,
                    .summary = std::move(summary),
                    .hazy = is_hazy(memory, settings_, now),
                    .created_at = memory.created_at});
  }
  return used;
}

}  // namespace holdfast::service::chat
