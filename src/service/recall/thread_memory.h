// What a thread as a whole amounts to: its summary and, where work is under way, its checkpoint.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/recall/item.h"
#include "service/recall/memory.h"

namespace holdfast::service::recall {

struct ThreadView {
  std::vector<Item> items = {};          // chronological, as many as the window holds
  std::vector<Memory> conclusions = {};  // active decisions and outcomes, chronological
};

Value summary_payload(const ThreadView& view);
// Nothing without progress, blocker or next step.
std::optional<Value> checkpoint_payload(const ThreadView& view);
void sort_by_moment(std::vector<Item>& items);
// Whether they hold more than the window takes.
bool fills_window(const std::vector<Item>& items);
// The newest items whose contents fit in the window, oldest first.
std::vector<Item> window_of(std::vector<Item> items);
// The payload without what changes by itself as time goes on.
Value without_times(const Value& payload);

}  // namespace holdfast::service::recall
