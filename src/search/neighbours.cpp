#include "search/neighbours.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/prefetch.h"

namespace holdfast::search {
namespace {

// Turns this far away count.
constexpr size_t kReach = 2;
// Turns looked at for each match, about.
constexpr size_t kKnownAMatch = 8;

}  // namespace

NeighbourRanker::NeighbourRanker(const SearchRequest& request, const Plan& plan, const View& view,
                                 const std::vector<PartFilter>& filters,
                                 std::vector<PartScorer>& scorers, size_t pool)
    : request_(request),
      plan_(plan),
      view_(view),
      filters_(filters),
      scorers_(scorers),
      conversation_by_id_(pool),
      known_(pool * kKnownAMatch) {}

std::vector<Ranked> NeighbourRanker::rank(const std::vector<Ranked>& best) {
  boosts_.reserve(view_.parts.size());
  for (const Part* part : view_.parts) boosts_.emplace_back(request_, plan_, *part);
  for (PartScorer& scorer : scorers_) scorer.expect_many();
  fetch(best);
  std::vector<const Conversation*> conversations;
  conversations.reserve(best.size());
  for (const Ranked& ranked : best) {
    known_[key(ranked.part, ranked.doc)] = {
        .scored = true, .judged = true, .lexical = ranked.lexical, .groups = ranked.groups};
    Conversation* conversation = conversation_of(ranked.part, ranked.doc);
    conversations.push_back(conversation);
    if (conversation == nullptr) continue;
    if (std::pair(ranked.lexical, ranked.number) >
        std::pair(conversation->best_lexical, conversation->best)) {
      conversation->best_lexical = ranked.lexical;
      conversation->best = ranked.number;
    }
  }
  std::vector<Ranked> ranked;
  ranked.reserve(best.size() * (1 + 2 * kReach));
  for (size_t n = 0; n < best.size(); ++n) {
    const Ranked& one = best[n];
    const Conversation* conversation = conversations[n];
    if (conversation == nullptr) {
      ranked.push_back(one);
      continue;
    }
    // Wide enough to judge the turns next to it as well.
    const Window& window = around(one.part, one.doc, *conversation, 2 * kReach);
    judge(window, *conversation, window.centre, one.score, ranked);
    if (plan_.is_strict()) continue;
    const size_t first = window.centre - std::min(window.centre, kReach);
    const size_t last = std::min(window.centre + kReach, window.turns.size() - 1);
    for (size_t i = first; i <= last; ++i) {
      const Turn& turn = window.turns[i];
      if (std::exchange(known_[key(turn.part, turn.doc)].judged, true)) continue;
      if (filters_[turn.part].passes(turn.doc))
        judge(window, *conversation, i, own_score(turn), ranked);
    }
  }
  return ranked;
}

void NeighbourRanker::judge(const Window& window, const Conversation& conversation, size_t place,
                            double own, std::vector<Ranked>& out) {
  const Turn& turn = window.turns[place];
  const double around = score(window, conversation, place, false).sum;
  const Known& own_words = known(turn);
  const Ranked ranked{.score = own + around,
                      .lexical = own_words.lexical,
                      .number = turn.number,
                      .part = turn.part,
                      .doc = turn.doc,
                      .groups = own_words.groups};
  if (ranked.score > 0) out.push_back(ranked);
}

NeighbourScore NeighbourRanker::explain(const Ranked& ranked) {
  const Conversation* conversation = conversation_of(ranked.part, ranked.doc);
  if (conversation == nullptr) return {};
  const Window& window = around(ranked.part, ranked.doc, *conversation, kReach);
  return score(window, *conversation, window.centre, true);
}

void NeighbourRanker::fetch(const std::vector<Ranked>& best) const {
  for (const Ranked& ranked : best) {
    const Columns& columns = view_.parts[ranked.part]->columns();
    prefetch(columns.conversation + ranked.doc);
    prefetch(columns.at + ranked.doc);
    prefetch(columns.label + ranked.doc);
  }
}

// None for a document outside of conversations.
NeighbourRanker::Conversation* NeighbourRanker::conversation_of(uint32_t part, uint32_t doc) {
  const uint32_t id = view_.parts[part]->columns().conversation[doc];
  if (id == 0) return nullptr;
  Conversation*& known = conversation_by_id_[key(part, id)];
  if (known != nullptr) return known;
  Conversation* const added = known = &conversations_.emplace_back();
  const std::string_view text = view_.parts[part]->conversation_text(id);
  for (uint32_t i = 0; i < view_.parts.size(); ++i) {
    added->ids.push_back(i == part ? id : view_.parts[i]->find_conversation(text));
    if (i != part && added->ids.back()) conversation_by_id_[key(i, *added->ids.back())] = added;
  }
  return added;
}

const NeighbourRanker::Window& NeighbourRanker::around(uint32_t part, uint32_t doc,
                                                       const Conversation& conversation,
                                                       size_t reach) {
  const Columns& columns = view_.parts[part]->columns();
  const Turn centre{.at = columns.at[doc], .number = columns.number[doc], .part = part, .doc = doc};
  before_.clear();
  after_.clear();
  size_t parts = 0;
  for (uint32_t i = 0; i < view_.parts.size(); ++i) {
    if (!conversation.ids[i]) continue;
    collect(i, *conversation.ids[i], centre, reach);
    ++parts;
  }
  if (parts > 1) {  // one part brings them in their order
    const auto place = [](const Turn& turn) { return std::pair(turn.at, turn.number); };
    std::ranges::sort(before_, std::ranges::greater(), place);
    std::ranges::sort(after_, std::ranges::less(), place);
  }
  if (before_.size() > reach) before_.resize(reach);
  if (after_.size() > reach) after_.resize(reach);
  window_.turns.assign(before_.rbegin(), before_.rend());
  window_.centre = before_.size();
  window_.turns.push_back(centre);
  window_.turns.insert(window_.turns.end(), after_.begin(), after_.end());
  return window_;
}

// The nearest turns of one part, the nearest first.
void NeighbourRanker::collect(uint32_t part, uint32_t conversation, const Turn& centre,
                              size_t reach) {
  const Columns& columns = view_.parts[part]->columns();
  const auto docs = view_.parts[part]->conversation_docs(conversation);
  const auto place = [&](uint32_t doc) { return std::pair(columns.at[doc], columns.number[doc]); };
  const std::pair here(centre.at, centre.number);
  const auto add = [&](uint32_t doc, std::vector<Turn>& out) {
    if (!filters_[part].sees(doc)) return false;
    out.push_back({columns.at[doc], columns.number[doc], part, doc});
    return true;
  };
  const auto middle = std::ranges::lower_bound(docs, here, {}, place);
  size_t found = 0;
  for (auto at = middle; at != docs.begin() && found < reach;) found += add(*--at, before_) ? 1 : 0;
  found = 0;
  for (auto at = middle; at != docs.end() && found < reach; ++at) {
    if (place(*at) != here) found += add(*at, after_) ? 1 : 0;
  }
}

double NeighbourRanker::own_score(const Turn& turn) {
  const double own = known(turn).lexical;
  Boosts& boosts = boosts_[turn.part];
  return own + own * boosts.recency(turn.doc) + own * boosts.speaker(turn.doc);
}

const NeighbourRanker::Known& NeighbourRanker::known(const Turn& turn) {
  Known& known = known_[key(turn.part, turn.doc)];
  if (!std::exchange(known.scored, true)) {
    PartScorer& scorer = scorers_[turn.part];
    known.lexical = scorer.lexical(turn.doc);
    known.groups = scorer.groups();
  }
  return known;
}

NeighbourScore NeighbourRanker::score(const Window& window, const Conversation& conversation,
                                      size_t place, bool with_parts) {
  NeighbourScore result;
  const NeighbourWeights& weights = request_.neighbour_weights;
  const auto add = [&](ObjectNumber number, int distance, double own, double weight) {
    if (own * weight == 0) return;
    result.sum += own * weight;
    if (with_parts) {
      result.parts.push_back(
          {.number = number, .distance = distance, .lexical = own, .contribution = own * weight});
    }
  };
  // The nearest first, as they are always added up.
  const auto near = [&](int distance) {
    const int64_t at = static_cast<int64_t>(place) + distance;
    if (at < 0 || at >= static_cast<int64_t>(window.turns.size())) return;
    const Turn& turn = window.turns[static_cast<size_t>(at)];
    const double weight = std::abs(distance) == 1 ? weights.adjacent : weights.second;
    if (weight > 0) add(turn.number, distance, known(turn).lexical, weight);
  };
  for (const int distance : {-1, -2, 1, 2}) near(distance);
  add(conversation.best, 0, conversation.best_lexical, weights.conversation);
  return result;
}

}  // namespace holdfast::search
