#include "search/build_input.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace holdfast::search {
namespace {

bool all_live(const BuildInput& input) {
  size_t living = 0;
  for (const uint64_t word : input.live) living += static_cast<size_t>(std::popcount(word));
  return living == input.part->columns().count;
}

}  // namespace

bool is_whole(std::span<const BuildInput> inputs) {
  const Part& part = *inputs.front().part;
  const Columns& columns = part.columns();
  return inputs.size() == 1 && part.has_plain_lists() && all_live(inputs.front()) &&
         std::is_sorted(columns.number, columns.number + columns.count, std::less_equal<>());
}

bool are_joined(std::span<const BuildInput> inputs) {
  ObjectNumber last = 0;
  for (const BuildInput& input : inputs) {
    const Columns& columns = input.part->columns();
    if (input.part->has_plain_lists() || !all_live(input)) return false;
    if (columns.count == 0 || columns.number[0] <= last) return false;
    last = columns.number[columns.count - 1];
  }
  return true;
}

}  // namespace holdfast::search
