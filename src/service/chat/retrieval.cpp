#include "service/chat/retrieval.h"

#include <algorithm>
#include <functional>
#include <span>
#include <unordered_map>

#include "base/utf8.h"
#include "service/chat/as_user.h"
#include "service/chat/budget.h"
#include "service/chat/memory.h"
#include "service/chat/memory_filter.h"
#include "service/chat/words.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::SpaceAccess;

// So many of the best by BM25 are ranked by the number of words.
constexpr size_t kCandidates = 60;
// Unless time changes their order, it is enough to read a few more than are wanted, and more only
// where too many of these name what the user avoids.
constexpr size_t kSpare = 3;
constexpr size_t kSharedBeginning = 4;
// Among so many, words that share a beginning always count as the same.
constexpr int64_t kFewDocuments = 5000;
constexpr double kHazyShare = 0.5;

struct Candidate {
  Memory memory = {};
  std::string id = {};
  size_t matched = 0;
  double score = 0;
};

// A word, and where asked what counts as the same: its beginnings and its continuations, four
// letters and more.
search::PreparedTerm term_of(const Word& word, bool beginnings) {
  search::PreparedTerm term = search::PreparedTerm::of(word.text);
  if (!beginnings) return term;
  const size_t letters = count_code_points(word.text);
  term.alternatives.front().prefix = letters >= kSharedBeginning;
  for (size_t size = kSharedBeginning; size < letters; ++size)
    term.alternatives.push_back({.text = std::string(prefix_code_points(word.text, size))});
  return term;
}

bool is_everything(const std::string& scope) { return scope == "all" || scope == "*"; }

// One filter a scope; their union is asked for by asking each.
search::Filter filter_of(const std::string& scope, const ChatRun& run) {
  search::Filter filter = memories_of(run.user);
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

class Finder {
 public:
  Finder(const search::Index& index, const SpaceAccess& access, const std::vector<Word>& query,
         size_t enough, size_t most)
      : index_(index), access_(access), query_(query), enough_(enough), most_(most) {}

  // Goes from half of the words to one of them until there are enough. Beginnings of words cost
  // many lists each: where there are many documents, they are left out if words as they stand find
  // enough.
  Result<std::vector<search::Hit>> find(const search::Filter& filter) const {
    const size_t half = (query_.size() + 1) / 2;
    Try last{half, false};
    HOLDFAST_TRY(auto found, search(filter, last));
    const bool few = found.documents <= kFewDocuments;
    std::vector<Try> more;
    if (half > 1) more.push_back(few ? Try{half, true} : Try{1, false});
    more.push_back({1, true});
    if (!few && found.hits.size() >= enough_) more.clear();
    for (const Try& one : more) {
      last = one;
      HOLDFAST_TRY(found, search(filter, one));
      if (found.hits.size() >= enough_) break;
    }
    HOLDFAST_CHECK_OK(add_those_with_more(filter, last, found.hits));
    return std::move(found.hits);
  }

 private:
  struct Try {
    size_t minimum;
    bool beginnings;
  };

  Result<search::SearchResponse> search(const search::Filter& filter, const Try& one) const {
    search::SearchRequest request{.match = search::MatchMode::kMinimum,
                                  .minimum_terms = one.minimum,
                                  .filter = filter,
                                  .limit = most_};
    for (const Word& word : query_) request.terms.push_back(term_of(word, one.beginnings));
    return index_.search(access_, request);
  }

  // A search that was cut off kept the best by BM25. Only what has more of the words than the last
  // of the wanted comes before these; where such were cut off in turn, more is asked of them.
  Status add_those_with_more(const search::Filter& filter, Try one,
                             std::vector<search::Hit>& hits) const {
    for (bool cut_off = hits.size() >= most_; cut_off;) {
      one.minimum = std::max(one.minimum, words_of_last_wanted(hits)) + 1;
      if (one.minimum > query_.size()) return {};
      HOLDFAST_TRY(auto found, search(filter, one));
      cut_off = found.hits.size() >= most_;
      hits.insert(hits.end(), found.hits.begin(), found.hits.end());
    }
    return {};
  }

  size_t words_of_last_wanted(const std::vector<search::Hit>& hits) const {
    std::vector<size_t> words;
    for (const search::Hit& hit : hits) words.push_back(hit.matched.size());
    const size_t last = std::min(enough_, words.size()) - 1;
    std::ranges::nth_element(words, words.begin() + static_cast<ptrdiff_t>(last), std::greater());
    return words[last];
  }

  const search::Index& index_;
  const SpaceAccess& access_;
  const std::vector<Word>& query_;
  const size_t enough_;
  const size_t most_;
};

// By how many words they have, then by score.
std::vector<ObjectNumber> best_numbers(const std::unordered_map<ObjectNumber, search::Hit>& found) {
  std::vector<const search::Hit*> hits;
  for (const auto& [number, hit] : found) hits.push_back(&hit);
  std::ranges::sort(hits, [](const search::Hit* a, const search::Hit* b) {
    return std::tuple(a->matched.size(), a->score, a->number) >
           std::tuple(b->matched.size(), b->score, b->number);
  });
  std::vector<ObjectNumber> numbers;
  for (const search::Hit* hit : hits) numbers.push_back(hit->number);
  return numbers;
}

}  // namespace

Result<Retrieved> MemoryRetriever::retrieve(const CallContext& call,
                                            std::unique_ptr<storage::ReadTxn> txn,
                                            const ChatRun& run) const {
  const auto wanted = static_cast<size_t>(std::min(run.retrieval.max_items, kMostItems));
  const std::vector<Word> query = content_words(run.input_text, kQueryWords);
  if (wanted == 0 || query.empty() || run.user.empty()) return Retrieved();
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, run.user), access::Permission::kRead));
  const Phrases avoided(run.around.avoid_topics);
  // Only a memory that was read can be seen to name something avoided: then few may stay of many.
  const size_t most_found = avoided.empty() ? kCandidates : search::kMaxLimit;
  std::unordered_map<ObjectNumber, search::Hit> found;
  const Finder finder(index_, access, query, avoided.empty() ? wanted : most_found, most_found);
  for (const std::string& scope : scopes_of(run.retrieval)) {
    HOLDFAST_TRY(auto hits, finder.find(filter_of(scope, run)));
    for (search::Hit& hit : hits) found.try_emplace(hit.number, std::move(hit));
  }
  if (found.empty()) return Retrieved();
  if (!txn) {
    HOLDFAST_TRY(txn, store_.begin_read(call.deadline));
  }
  std::vector<Candidate> candidates;
  const Timestamp now = clock_.now();
  const auto read = [&](std::span<const ObjectNumber> numbers) -> Status {
    HOLDFAST_TRY(const auto objects, txn->get_many(access, {numbers.begin(), numbers.end()}));
    for (const Object& object : objects) {
      HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
      if (!avoided.empty() && avoided.occur_in(all_text(memory))) continue;
      const search::Hit& hit = found.at(object.number);
      const double share = is_hazy(memory, settings_, now) ? kHazyShare : 1;
      candidates.push_back({.memory = std::move(memory),
                            .id = object.key.id,
                            .matched = hit.matched.size(),
                            .score = hit.score * share});
    }
    return {};
  };
  const std::vector<ObjectNumber> best = best_numbers(found);
  const bool may_fade = settings_.hazy_after.count() > 0;
  const size_t at_once = may_fade ? best.size() : wanted + kSpare;
  for (size_t at = 0; at < best.size() && candidates.size() < wanted; at += at_once)
    HOLDFAST_CHECK_OK(read(std::span(best).subspan(at, std::min(at_once, best.size() - at))));
  sort_best_first(candidates);

  Retrieved used;
  HOLDFAST_TRY(used.at, txn->position());
  size_t bytes = 0;
  const int64_t most = std::min(run.retrieval.per_item_max_summary_tokens, kMostSummaryTokens);
  for (const Candidate& candidate : candidates) {
    if (used.memories.size() == wanted) break;
    const Memory& memory = candidate.memory;
    std::string summary(fit_tokens(memory.summary.value_or(memory.snippet), most));
    if (bytes + summary.size() > kMostRetrievedBytes) break;
    bytes += summary.size();
    used.memories.push_back({.memory_id = candidate.id,
                             .domain = memory.domain,
                             .title = memory.title,
                             .summary = std::move(summary),
                             .hazy = is_hazy(memory, settings_, now),
                             .created_at = memory.created_at});
  }
  return used;
}

}  // namespace holdfast::service::chat
