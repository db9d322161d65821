// QueryService::search: the index finds candidates, the published score table orders them.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "base/log.h"
#include "service/substrate/candidates.h"
#include "service/substrate/config.h"
#include "service/substrate/query_service.h"
#include "service/substrate/scoring.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kForeignSummary = 240;
constexpr double kFusionConstant = 60;
constexpr std::chrono::milliseconds kVectorPatience{1500};

// A candidate with all that is needed to judge it. Stays where it is made: its outline is one of
// its own text.
struct Judged {
  Judged() = default;
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;

  LexicalScore score(const std::vector<std::string>& terms) const {
    return outline ? lexical_score(*outline, terms) : lexical_score(whole->haystacks, terms);
  }
  std::string_view title() const { return outline ? outline->title() : whole->card.title; }
  std::string_view id() const { return outline ? outline->id() : whole->card.id; }
  Card take_card() { return outline ? card_of(*outline) : std::move(whole->card); }
  void leave_segments_out() {
    if (whole) whole->haystacks.segments.clear();
  }

  std::string body = {};
  // One of these two.
  std::optional<Outline> outline = {};
  struct Whole {
    Card card = {};
    Haystacks haystacks = {};
  };
  std::optional<Whole> whole = {};
  size_t type_order = std::size(kObjectTypes);  // what other surfaces stored comes last
};
using AllJudged = std::deque<Judged>;

size_t order_of(ObjectType type) {
  return static_cast<size_t>(std::ranges::find(kObjectTypes, type) - std::begin(kObjectTypes));
}

std::string lines_in_lower_case(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(lower(word)).append("\n");
  return out;
}

// An object of another surface, seen through its noun.
bool judge_foreign(const Object& object, const NounCatalog& nouns, Judged& judged) {
  const NounEntry* noun = nouns.find(object.key.kind);
  if (noun == nullptr) return false;
  const auto projection = noun->project(object);
  if (!projection) return false;
  const SearchText& text = projection->text;
  const std::string& about = text.summary.empty() ? text.body : text.summary;
  judged.whole = {
      .card = {.object_type = object.key.kind,
               .id = object.key.id,
               .kind = object.key.kind,
               .title = text.title.empty() ? clip(squeeze(about), 80) : text.title,
               .status = object.state,
               .summary = clip(about, kForeignSummary)},
      .haystacks = {.title = lower(text.title),
                    .summary = lower(text.summary),
                    .metadata = lower(object.key.id + "\n" + object.key.kind + "\n") +
                                lines_in_lower_case(text.ids) + lines_in_lower_case(text.tags),
                    .segments = lower(text.body)}};
  return true;
}

// Adds an object of one of our types, or the record that a graph has of it.
Status judge_own(ObjectType type, storage::ObjectBody object, bool as_record, AllJudged& out) {
  Judged& judged = out.emplace_back();
  judged.type_order = order_of(type);
  judged.body = std::move(object.body);
  if (!as_record && Outline::read_into(judged.outline, type, judged.body)) return {};
  HOLDFAST_TRY(const Stored stored, stored_of(type, {.key = {.kind = std::move(object.kind)},
                                                     .number = object.number,
                                                     .body = std::move(judged.body)}));
  const DocumentView view = stored.view();
  judged.whole = {.card = card_of(view),
                  .haystacks = as_record ? record_haystacks_of(view) : haystacks_of(view)};
  return {};
}

struct Scored {
  Judged* judged = nullptr;
  LexicalScore score = {};
};

bool precedes(const Scored& a, const Scored& b) {
  if (a.score.score != b.score.score) return a.score.score > b.score.score;
  const auto rest = [](const Scored& one) {
    return std::tuple(one.judged->title(), one.judged->type_order, one.judged->id());
  };
  return rest(a) < rest(b);
}

// Adds those from `first` on that have one of the terms.
void add_scored(AllJudged& candidates, size_t first, const std::vector<std::string>& terms,
                std::vector<Scored>& out) {
  for (size_t i = first; i < candidates.size(); ++i) {
    LexicalScore score = candidates[i].score(terms);
    if (score.score > 0) out.push_back({.judged = &candidates[i], .score = std::move(score)});
  }
  std::ranges::sort(out, precedes);
}

// The whole phrase first; where it is found nowhere, one term after the other.
std::vector<Scored> graph_stream(AllJudged& candidates, const std::vector<std::string>& terms,
                                 size_t limit) {
  for (Judged& judged : candidates) judged.leave_segments_out();
  std::vector<Scored> out;
  add_scored(candidates, 0, {terms.front()}, out);
  for (size_t i = 1; i < terms.size() && (i > 1 || out.empty()) && out.size() < limit; ++i) {
    std::vector<Scored> more;
    add_scored(candidates, 0, {terms[i]}, more);
    for (Scored& one : more) {
      const auto known = [&](const Scored& have) { return have.judged == one.judged; };
      if (std::ranges::none_of(out, known)) out.push_back(std::move(one));
    }
  }
  return out;
}

SearchItem item_of(Scored scored, std::string_view stream) {
  return {.card = scored.judged->take_card(),
          .score = static_cast<double>(scored.score.score),
          .lexical_score = scored.score.score,
          .matched_terms = std::move(scored.score.matched),
          .retrieval_sources = {std::string(stream)}};
}

struct Similar {
  Card card = {};
  double similarity = 0;
};

// Reciprocal ranks of both streams, added up.
std::vector<SearchItem> fused(std::vector<SearchItem> items, const std::string& stream,
                              const std::vector<Similar>& similar) {
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].ranks.push_back({stream, static_cast<int64_t>(i + 1)});
    places[{items[i].card.object_type, items[i].card.id}] = i;
  }
  for (size_t i = 0; i < similar.size(); ++i) {
    const auto key = std::pair(similar[i].card.object_type, similar[i].card.id);
    auto place = places.find(key);
    if (place == places.end()) {
      items.push_back({.card = similar[i].card});
      place = places.emplace(key, items.size() - 1).first;
    }
    SearchItem& item = items[place->second];
    item.ranks.push_back({"semantic", static_cast<int64_t>(i + 1)});
    item.retrieval_sources.emplace_back("semantic");
    item.semantic_score = similar[i].similarity;
  }
  for (SearchItem& item : items) {
    double sum = 0;
    for (const auto& rank : item.ranks) {
      sum += 1 / (kFusionConstant + static_cast<double>(rank.rank));
    }
    item.rank_score = std::round(sum * 1e6) / 1e6;
    item.score = 1000 * *item.rank_score;
  }
  std::ranges::stable_sort(items, std::ranges::greater(), &SearchItem::score);
  return items;
}

// One search on its way.
class Searching {
 public:
  Searching(storage::ReadTxn& txn, const SpaceAccess& access, const search::Index& index,
            const NounCatalog& nouns, bool own_types)
      : txn_(txn), access_(access), index_(index), nouns_(nouns), own_types_(own_types) {}

  Result<std::vector<SearchItem>> lexical(const std::vector<std::string>& terms,
                                          const Filters& filters, size_t limit, bool graph) {
    HOLDFAST_TRY(
        const Candidates candidates,
        find_by_terms(
            index_, access_,
            {.terms = terms, .filter = index_filter(filters, own_types_), .wanted = limit}));
    CandidateReader reader(txn_, access_, candidates.numbers, limit);
    AllJudged judged;
    std::vector<Scored> found;
    // Of many that match, as many are judged as it takes until no other seems to be better.
    const auto is_settled = [&] {
      return !candidates.complete && found.size() >= limit && limit > 0 &&
             found[limit - 1].score.score >= candidates.likely[reader.passed()];
    };
    while (!reader.at_end() && !is_settled()) {
      const size_t piece = reader.passed() < limit ? limit - reader.passed() : kMargin;
      const size_t first = judged.size();
      HOLDFAST_TRY(auto objects,
                   candidates.complete ? reader.rest_of_bodies() : reader.next_bodies(piece));
      HOLDFAST_CHECK_OK(judge_all(std::move(objects), graph, judged));
      if (graph) {
        found = graph_stream(judged, terms, limit);
      } else {
        add_scored(judged, first, terms, found);
      }
    }
    std::vector<SearchItem> items;
    items.reserve(std::min(found.size(), limit));
    for (size_t i = 0; i < found.size() && i < limit; ++i) {
      items.push_back(item_of(std::move(found[i]), graph ? "graph" : "lexical"));
    }
    return items;
  }

  Result<std::vector<Similar>> semantic(std::vector<float> vector, const Filters& filters,
                                        size_t limit) {
    search::SearchRequest request{.filter = index_filter(filters, own_types_), .limit = limit};
    request.vector = std::move(vector);
    HOLDFAST_TRY(const auto found, index_.search(access_, request));
    std::vector<Similar> out;
    for (const search::Hit& hit : found.hits) {
      HOLDFAST_TRY(auto objects, txn_.get_bodies(access_, {hit.number}));
      AllJudged judged;
      HOLDFAST_CHECK_OK(judge_all(std::move(objects), false, judged));
      if (judged.empty() || !hit.similarity) continue;
      out.push_back({judged.front().take_card(), std::max(0.0, *hit.similarity)});
    }
    return out;
  }

 private:
  // What is none of ours is read as a whole, where it is wanted.
  Status judge_all(std::vector<storage::ObjectBody> objects, bool as_records,
                   AllJudged& judged) const {
    std::vector<ObjectNumber> foreign;
    for (storage::ObjectBody& object : objects) {
      if (const auto type = type_from_name(object.kind)) {
        HOLDFAST_CHECK_OK(judge_own(*type, std::move(object), as_records, judged));
      } else if (!own_types_) {
        foreign.push_back(object.number);
      }
    }
    if (foreign.empty()) return {};
    HOLDFAST_TRY(const auto whole, txn_.get_many(access_, foreign));
    for (const Object& object : whole) {
      if (!judge_foreign(object, nouns_, judged.emplace_back())) judged.pop_back();
    }
    return {};
  }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  const search::Index& index_;
  const NounCatalog& nouns_;
  const bool own_types_;
};

}  // namespace

Result<SearchAnswer> QueryService::search(const CallContext& call, const SearchQuery& query) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  SearchAnswer answer{.query = sanitize_query(query.query)};
  QueryPlan plan = plan_query(answer.query.text);
  answer.inferred = plan.inferred;
  answer.applied = with_inferred(query.filters, plan.inferred);
  answer.blank = plan.terms.empty();
  if (answer.blank) return answer;

  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Config config, config_.read(*txn, access));
  const bool graph = query.graph_backend || config.graph_backend;
  const auto limit = static_cast<size_t>(std::min(query.max_items, kMaxItems));
  Searching searching(*txn, access, index_, nouns_, own_types_);
  HOLDFAST_TRY(answer.items, searching.lexical(plan.terms, answer.applied, limit, graph));
  // A word that only seemed to name a kind must not hide what it matches.
  if (answer.items.empty() && answer.applied != query.filters) {
    HOLDFAST_TRY(answer.items, searching.lexical(plan.terms, query.filters, limit, graph));
    if (!answer.items.empty()) answer.applied = query.filters;
  }
  answer.semantic_backend =
      query.semantic_backend ? query.semantic_backend : config.semantic_backend;
  if (answer.semantic_backend) {
    if (embeddings_ == nullptr) return semantic_unavailable();
    HOLDFAST_TRY(auto vector,
                 embeddings_->embed_query(
                     answer.query.text,
                     std::min(call.deadline, std::chrono::steady_clock::now() + kVectorPatience)));
    HOLDFAST_TRY(const auto similar, searching.semantic(std::move(vector), answer.applied, limit));
    if (!similar.empty()) {
      answer.items = fused(std::move(answer.items), graph ? "graph" : "lexical", similar);
      if (answer.items.size() > limit) answer.items.resize(limit);
    }
  }
  if (answer.items.empty()) answer.retry_terms.assign(plan.terms.begin() + 1, plan.terms.end());
  answer.terms = std::move(plan.terms);
  return answer;
}

Error semantic_unavailable() {
  return invalid_argument(
      "Semantic search requires optional dependencies. Install with: uv sync --extra semantic");
}

}  // namespace holdfast::service::substrate
