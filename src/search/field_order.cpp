#include "search/field_order.h"

#include <algorithm>
#include <bit>

namespace holdfast::search {
FieldWorth::FieldWorth(const FieldOrder& order) {
  std::array<uint32_t, 1U << kFieldCount> weight = {};
  for (uint32_t set = 1; set < of_set_.size(); ++set) {
    const uint32_t rest = set & (set - 1);
    const auto field = static_cast<size_t>(std::countr_zero(set));
    of_set_[set] = of_set_[rest] + order.worth[field];
    weight[set] = weight[rest] + kFieldWeights[field];
    most_[weight[set]] = std::max(most_[weight[set]], of_set_[set]);
  }
  // What is left may be words once more in a field that has one already.
  for (size_t at = 1; at < most_.size(); ++at) most_[at] = std::max(most_[at], most_[at - 1]);
}

int64_t FieldWorth::of(std::span<const FieldSet> terms) const {
  int64_t best = 0;
  for (const FieldSet fields : terms) best = std::max(best, of_set_[fields]);
  return best;
}

int64_t FieldWorth::most(uint32_t frequency) const {
  return frequency == 0 ? most_.back() : most_[std::min(frequency, kWholeWeight)];
}

std::vector<Worth> worthiest_first(std::span<const int64_t> most, size_t wanted,
                                   const LookingInto& look_into) {
  std::vector<Worth> places(most.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = {.hit = i, .worth = most[i]};
  const auto sort_places = [&] {
    // The places that they have already decide between equals.
    for (size_t i = 0; i < places.size(); ++i) places[i].place = i;
    const auto before = [](const Worth& a, const Worth& b) {
      if (a.worth != b.worth) return a.worth > b.worth;
      return a.is_sure != b.is_sure ? a.is_sure : a.place < b.place;
    };
    if (!std::ranges::is_sorted(places, before)) std::ranges::sort(places, before);
  };
  sort_places();
  look_into.prepare(std::span(places).first(std::min(wanted, places.size())));
  std::vector<int64_t> seen;  // the worth of those looked into
  const auto enough_are_worth = [&](int64_t least) {
    const auto no_less = [&](int64_t worth) { return worth >= least; };
    return static_cast<size_t>(std::ranges::count_if(seen, no_less)) >= wanted;
  };
  for (Worth& place : places) {
    if (enough_are_worth(place.worth)) break;
    seen.push_back(place.worth = look_into.worth(place.hit));
    place.is_sure = true;
  }
  sort_places();
  return places;
}

}  // namespace holdfast::search
