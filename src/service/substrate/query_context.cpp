// QueryService::context: what to read before a task, within a budget.
#include <algorithm>
#include <set>

#include "base/sorted.h"
#include "service/substrate/candidates.h"
#include "service/substrate/config.h"
#include "service/substrate/query_service.h"
#include "service/substrate/scoring.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kItemSummary = 240;

struct Ranked {
  Stored stored = {};
  int64_t score = 0;
  int rank = 0;
};

bool ranks_before(const Ranked& a, const Ranked& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.rank != b.rank) return a.rank < b.rank;
  const auto rest = [](const Ranked& one) {
    return std::tuple(type_name(one.stored.type), one.stored.view().title(),
                      one.stored.view().id());
  };
  return rest(a) < rest(b);
}

class Packing {
 public:
  Packing(storage::ReadTxn& txn, const SpaceAccess& access, const search::Index& index,
          const std::vector<std::string>& terms)
      : txn_(txn), access_(access), index_(index), terms_(terms) {}

  // What matches first; what does not fills the pack, by status.
  Result<std::vector<Ranked>> run(const Filters& scope, size_t limit) {
    HOLDFAST_CHECK_OK(add_matching(scope, limit));
    const auto matching = static_cast<size_t>(
        std::ranges::count_if(ranked_, [](const Ranked& one) { return one.score > 0; }));
    if (matching < limit) {
      HOLDFAST_TRY(auto others, list_ordered(txn_, access_, index_, scope,
                                             {.facet = facet::kContextOrder, .wanted = limit}));
      add(std::move(others));
    }
    std::ranges::sort(ranked_, ranks_before);
    if (ranked_.size() > limit) ranked_.resize(limit);
    return std::move(ranked_);
  }

 private:
  // Those that match best; where there are more than are looked at, also those that come first
  // among equals: by status, then by title.
  Status add_matching(const Filters& scope, size_t limit) {
    const TermSearch wanted{.terms = terms_, .filter = index_filter(scope, true), .wanted = limit};
    // All that were found are judged: they come by their best word, and a pack counts every word.
    HOLDFAST_TRY(const Candidates found, find_by_terms(index_, access_, wanted));
    const std::vector<ObjectNumber>& numbers = found.numbers;
    HOLDFAST_TRY(auto objects, CandidateReader(txn_, access_, numbers, limit).rest());
    HOLDFAST_TRY(auto matches, own_documents(std::move(objects)));
    add(std::move(matches));
    if (numbers.size() < limit) return {};
    HOLDFAST_TRY(auto first, first_by_term(index_, access_, wanted));
    sort_once(first);
    HOLDFAST_TRY(auto equals, txn_.get_many(access_, first));
    HOLDFAST_TRY(auto documents, own_documents(std::move(equals)));
    add(std::move(documents));
    return {};
  }

  void add(std::vector<Stored> documents) {
    for (Stored& stored : documents) {
      if (!known_.insert(stored.id()).second) continue;
      const int64_t score = context_score(stored.view(), terms_);
      const int rank = status_rank(stored.view().status());
      ranked_.push_back({.stored = std::move(stored), .score = score, .rank = rank});
    }
  }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  const search::Index& index_;
  const std::vector<std::string>& terms_;
  std::set<std::string> known_;
  std::vector<Ranked> ranked_;
};

bool is_open_work(const Card& card) {
  return card.object_type == "work_item" &&
         (card.status == "open" || card.status == "in_progress" || card.status == "blocked");
}

void add_item(ContextAnswer& answer, const Stored& stored,
              std::set<std::pair<std::string, std::string>>& cited) {
  ContextItem item{.card = card_of(stored.view())};
  item.card.summary = clip(item.card.summary, kItemSummary);
  const Card& card = item.card;
  for (const auto& ref : stored.view().evidence()) {
    Citation citation{
        .source_id = ref.source_id, .segment_id = ref.segment_id, .object_id = card.id};
    if (cited.emplace(ref.source_id, ref.segment_id).second) answer.citations.push_back(citation);
    item.evidence.push_back(std::move(citation));
  }
  const bool knowledge = stored.type == ObjectType::kKnowledge;
  if (knowledge && card.kind == "decision") answer.decisions.push_back(card.id);
  if (knowledge && card.kind == "procedure") answer.procedures.push_back(card.id);
  if (is_open_work(card)) answer.open_work.push_back(card.id);
  answer.items.push_back(std::move(item));
}

}  // namespace

Result<ContextAnswer> QueryService::context(const CallContext& call, const ContextQuery& query) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Config config, config_.read(*txn, access));
  ContextAnswer answer{.id = random_id("ctx"),
                       .task = sanitize_query(query.task),
                       .with_graph = query.graph_backend || config.graph_backend,
                       .max_items = query.max_items,
                       .generated_at = time_text(clock_.now())};
  QueryPlan plan = plan_query(answer.task.text);
  answer.inferred = plan.inferred;
  answer.scope = with_inferred(query.scope, plan.inferred);

  const auto limit = static_cast<size_t>(std::min(query.max_items, kMaxItems));
  Filters applied = answer.scope;
  applied.source_ids.clear();
  HOLDFAST_TRY(auto found, Packing(*txn, access, index_, plan.terms).run(applied, limit));
  // Nodes narrow the pack where something is about them, and are ignored where nothing is.
  if (found.empty() && !applied.node_ids.empty()) {
    applied.node_ids.clear();
    HOLDFAST_TRY(found, Packing(*txn, access, index_, plan.terms).run(applied, limit));
  }
  std::set<std::pair<std::string, std::string>> cited;
  for (const Ranked& ranked : found) add_item(answer, ranked.stored, cited);
  answer.terms = std::move(plan.terms);
  return answer;
}

}  // namespace holdfast::service::substrate
