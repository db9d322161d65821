#include "search/field_order.h"

#include <algorithm>
#include <numeric>

namespace holdfast::search {
namespace {

constexpr uint32_t kAllFields = (1U << kFieldCount) - 1;
constexpr uint32_t kWholeWeight =
    std::accumulate(kFieldWeights.begin(), kFieldWeights.end(), uint32_t{0});

}  // namespace

FieldWorth::FieldWorth(const FieldOrder& order) : most_(kWholeWeight + 1) {
  for (uint32_t set = 1; set <= kAllFields; ++set) {
    uint32_t weight = 0;
    for (size_t field = 0; field < kFieldCount; ++field) {
      if ((set & field_bit(field)) == 0) continue;
      of_set_[set] += order.worth[field];
      weight += kFieldWeights[field];
    }
    most_[weight] = std::max(most_[weight], of_set_[set]);
  }
  // What is left may be words once more in a field that has one already.
  for (size_t weight = 1; weight < most_.size(); ++weight)
    most_[weight] = std::max(most_[weight], most_[weight - 1]);
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
                                   const std::function<int64_t(size_t)>& look_into) {
  std::vector<Worth> places(most.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = {.hit = i, .worth = most[i]};
  const auto sort_places = [&] {
    // The places that they have already decide between equals.
    for (size_t i = 0; i < places.size(); ++i) places[i].place = i;
    std::ranges::sort(places, [](const Worth& a, const Worth& b) {
      if (a.worth != b.worth) return a.worth > b.worth;
      return a.is_sure != b.is_sure ? a.is_sure : a.place < b.place;
    });
  };
  sort_places();
  std::vector<int64_t> seen;  // the worth of those looked into
  const auto enough_are_worth = [&](int64_t least) {
    const auto no_less = [&](int64_t worth) { return worth >= least; };
    return static_cast<size_t>(std::ranges::count_if(seen, no_less)) >= wanted;
  };
  for (Worth& place : places) {
    if (enough_are_worth(place.worth)) break;
    seen.push_back(place.worth = look_into(place.hit));
    place.is_sure = true;
  }
  sort_places();
  return places;
}

}  // namespace holdfast::search
