// numbers_view: all that passes a filter, and nothing about it.
#include <algorithm>

#include "search/part_filter.h"
#include "search/searcher.h"

namespace holdfast::search {

NumberList numbers_view(const access::SpaceAccess& access, const Filter& filter, const View& view) {
  const VisibleLabels visible(access, *view.tables);
  NumberList list;
  for (const Part* part : view.parts) {
    list.until = std::max(list.until, part->largest_number());
    const PartFilter passing(filter, visible, *view.tables, *part);
    if (passing.empty()) continue;
    const auto add = [&](uint32_t doc) { list.numbers.push_back(part->columns().number[doc]); };
    if (const auto few = passing.few_passing()) {
      std::ranges::for_each(*few, add);
    } else {
      passing.all_passing().for_each(add);
    }
  }
  return list;
}

}  // namespace holdfast::search
