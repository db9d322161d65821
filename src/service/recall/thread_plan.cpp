#include "service/recall/thread_plan.h"

#include <algorithm>
#include <tuple>

#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;

constexpr size_t kLeastOfThread = 2;
constexpr size_t kThreadPage = 160;
constexpr size_t kMostItems = 1600;
constexpr size_t kMostConclusionsRead = 200;

// The newest by when they happened, page by page, until there are more than the window takes.
Result<std::vector<Item>> newest_items(storage::ReadTxn& txn, const search::Index& index,
                                       const SpaceAccess& all, const std::string& scope) {
  std::vector<Item> items;
  search::ListRequest request{
      .filter = {.kinds = {item_noun().kind},
                 .facets = {{.name = std::string(facet::kThreadScope), .any_of = {scope}}}},
      .limit = kThreadPage};
  for (bool more = true; more && items.size() < kMostItems;) {
    HOLDFAST_TRY(const auto page, index.list(all, request));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : page.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn.get_many(all, numbers));
    for (const Object& object : objects) {
      HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
      items.push_back(std::move(item));
    }
    more = page.has_more && !fills_window(items);
    if (more) request.after = page.hits.back().position;
  }
  return items;
}

}  // namespace

Result<ThreadPlan> plan_thread(storage::ReadTxn& txn, const search::Index& index,
                               const SpaceAccess& all, const std::string& scope) {
  ThreadPlan plan{.scope = scope};
  HOLDFAST_TRY(auto newest, newest_items(txn, index, all, scope));
  // Counted before the window is cut: two long turns are a thread of which one is seen.
  plan.is_thread = newest.size() >= kLeastOfThread;
  if (!plan.is_thread) return plan;
  plan.view.items = window_of(std::move(newest));
  HOLDFAST_TRY(const auto page,
               txn.scan(all, {.kind = memory_noun().kind,
                              .equal = Facet::of(std::string(facet::kThreadScope), scope),
                              .descending = true,
                              .limit = kMostConclusionsRead}));
  for (const Object& object : page.objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    if (is_conclusion(memory)) plan.view.conclusions.push_back(std::move(memory));
  }
  std::ranges::stable_sort(plan.view.conclusions, precedes);
  plan.summary = summary_payload(plan.view);
  plan.checkpoint = checkpoint_payload(plan.view);
  return plan;
}

}  // namespace holdfast::service::recall
