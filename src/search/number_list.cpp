// numbers_view: all that passes a filter, and nothing about it.
#include <algorithm>
#include <span>

#include "search/part_filter.h"
#include "search/searcher.h"

namespace holdfast::search {
namespace {

ObjectNumber largest_in(const Part& part) {
  const Columns& columns = part.columns();
  if (columns.count == 0) return 0;
  if (part.in_number_order()) return columns.number[columns.count - 1];
  return std::ranges::max(std::span(columns.number, columns.count));
}

}  // namespace

NumberList numbers_view(const access::SpaceAccess& access, const Filter& filter, const View& view) {
  const VisibleLabels visible(access, *view.tables);
  NumberList list;
  for (const Part* part : view.parts) {
    list.until = std::max(list.until, largest_in(*part));
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
