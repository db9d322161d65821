#include "search/neighbours.h"

#include <algorithm>
#include <cstdlib>

namespace holdfast::search {

std::vector<Ranked> NeighbourRanker::rank(const std::vector<Ranked>& best) {
  for (const Ranked& ranked : best) {
    lexical_[key(ranked.part, ranked.doc)] = ranked.lexical;
    const Part& part = *view_.parts[ranked.part];
    const uint32_t conversation = part.columns().conversation[ranked.doc];
    if (conversation == 0) continue;
    Best& top = best_[std::string(part.conversation_text(conversation))];
    if (std::pair(ranked.lexical, ranked.number) > std::pair(top.lexical, top.number)) {
      top = {ranked.lexical, ranked.number};
    }
  }
  std::unordered_map<uint64_t, Ranked> pool;
  for (const Ranked& ranked : best) pool.emplace(key(ranked.part, ranked.doc), ranked);
  if (!plan_.is_strict()) {
    for (const Ranked& ranked : best) {
      for (const Turn& turn : around(ranked.part, ranked.doc)) {
        if (!filters_[turn.part].passes(turn.doc)) continue;
        Ranked added{.lexical = lexical(turn.part, turn.doc),
                     .number = turn.number,
                     .part = turn.part,
                     .doc = turn.doc};
        Boosts boosts(request_, plan_, *view_.parts[turn.part]);
        added.score = added.lexical + added.lexical * boosts.recency(turn.doc) +
                      added.lexical * boosts.speaker(turn.doc);
        pool.emplace(key(turn.part, turn.doc), added);
      }
    }
  }
  std::vector<Ranked> ranked;
  for (auto& [unused, one] : pool) {
    one.score += score(one.part, one.doc).sum;
    if (one.score > 0) ranked.push_back(one);
  }
  std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) { return a.before(b); });
  return ranked;
}

// The two turns before and the two after, in the order of the conversation.
std::vector<NeighbourRanker::Turn> NeighbourRanker::around(uint32_t part, uint32_t doc) {
  const Columns& columns = view_.parts[part]->columns();
  const uint32_t conversation = columns.conversation[doc];
  if (conversation == 0) return {};
  const auto& ids = conversation_ids(view_.parts[part]->conversation_text(conversation));
  const Turn centre{.at = columns.at[doc], .number = columns.number[doc]};
  std::vector<Turn> turns;
  for (const int direction : {-1, 1}) {
    std::vector<Turn> side;
    for (uint32_t i = 0; i < view_.parts.size(); ++i) {
      if (ids[i]) collect(i, centre, *ids[i], direction, side);
    }
    std::ranges::sort(side, [&](const Turn& a, const Turn& b) {
      const bool less = std::pair(a.at, a.number) < std::pair(b.at, b.number);
      return direction > 0 ? less : std::pair(b.at, b.number) < std::pair(a.at, a.number);
    });
    if (side.size() > 2) side.resize(2);
    for (size_t i = 0; i < side.size(); ++i) {
      side[i].distance = direction * static_cast<int>(i + 1);
      turns.push_back(side[i]);
    }
  }
  return turns;
}

void NeighbourRanker::collect(uint32_t part, const Turn& centre, uint32_t conversation,
                              int direction, std::vector<Turn>& out) const {
  const Columns& columns = view_.parts[part]->columns();
  const auto docs = view_.parts[part]->conversation_docs(conversation);
  const auto place = [&](uint32_t doc) { return std::pair(columns.at[doc], columns.number[doc]); };
  const std::pair here(centre.at, centre.number);
  auto at = direction > 0 ? std::ranges::upper_bound(docs, here, {}, place)
                          : std::ranges::lower_bound(docs, here, {}, place);
  int found = 0;
  while (found < 2) {
    if (direction > 0 ? at == docs.end() : at == docs.begin()) return;
    const uint32_t doc = direction > 0 ? *at++ : *--at;
    if (!filters_[part].sees(doc)) continue;
    out.push_back({columns.at[doc], columns.number[doc], part, doc, 0});
    ++found;
  }
}

const std::vector<std::optional<uint32_t>>& NeighbourRanker::conversation_ids(
    std::string_view conversation) {
  const auto known = ids_.find(conversation);
  if (known != ids_.end()) return known->second;
  std::vector<std::optional<uint32_t>> ids;
  for (const Part* part : view_.parts) ids.push_back(part->find_conversation(conversation));
  return ids_.emplace(conversation, std::move(ids)).first->second;
}

double NeighbourRanker::lexical(uint32_t part, uint32_t doc) {
  const auto [it, added] = lexical_.try_emplace(key(part, doc));
  if (added) it->second = scorers_[part].lexical(doc);
  return it->second;
}

NeighbourScore NeighbourRanker::score(uint32_t part, uint32_t doc) {
  NeighbourScore result;
  const NeighbourWeights& weights = request_.neighbour_weights;
  const auto add = [&](ObjectNumber number, int distance, double own, double weight) {
    if (own * weight == 0) return;
    result.parts.push_back(
        {.number = number, .distance = distance, .lexical = own, .contribution = own * weight});
    result.sum += own * weight;
  };
  for (const Turn& turn : around(part, doc)) {
    const double weight = std::abs(turn.distance) == 1 ? weights.adjacent : weights.second;
    if (weight > 0) add(turn.number, turn.distance, lexical(turn.part, turn.doc), weight);
  }
  const uint32_t conversation = view_.parts[part]->columns().conversation[doc];
  if (conversation == 0) return result;
  const auto best = best_.find(view_.parts[part]->conversation_text(conversation));
  if (best != best_.end()) add(best->second.number, 0, best->second.lexical, weights.conversation);
  return result;
}

}  // namespace holdfast::search
