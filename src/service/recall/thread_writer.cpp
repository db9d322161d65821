#include <algorithm>

#include "service/recall/memory_writer.h"
#include "service/recall/thread_memory.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostItems = 100;
constexpr size_t kMostMemories = 50;

}  // namespace

Status MemoryWriter::replace_thread_memory(const std::string& scope, std::string_view memory_type,
                                           const Value* payload, const std::vector<Item>& items) {
  const Evidence& newest = items.back().about;
  Memory memory{.type = std::string(memory_type),
                .visibility = newest.visibility,
                .container_ref = newest.container_ref.value_or(""),
                .thread_ref = newest.thread_ref,
                .freshness_at = moment_of(newest),
                .created_at = txn_.now(),
                .canonical_key = scope};
  HOLDFAST_TRY(auto known, memories_with(facet::kCanon, keyed_facet(memory, scope), kMostMemories));
  std::erase_if(known, [](const Memory& old) { return old.lifecycle != "active"; });
  if (payload == nullptr) {
    for (Memory& old : known) {
      old.lifecycle = "superseded";
      HOLDFAST_CHECK_OK(save(old));
    }
    return {};
  }
  memory.payload = *payload;
  memory.payload.set("semantic_provenance",
                     Value::object({{"extractor", "rules"}, {"extractor_version", "1"}}));
  const Value bare = without_times(memory.payload);
  if (known.size() == 1 && without_times(known.front().payload) == bare) return {};
  for (const Item& item : items) {
    memory.evidence.push_back(item.about);
    for (const std::string& ref : item.work_refs) {
      if (memory.work_refs.size() < 5 &&
          std::ranges::find(memory.work_refs, ref) == memory.work_refs.end())
        memory.work_refs.push_back(ref);
    }
  }
  memory.id = derived_id(
      {scope, memory.type, to_json(bare), known.empty() ? "" : std::string_view(known.front().id)});
  for (Memory& old : known) HOLDFAST_CHECK_OK(supersede(memory, std::move(old)));
  return save(memory);
}

Status MemoryWriter::rebuild(const std::string& scope) {
  HOLDFAST_TRY(const auto page,
               txn_.scan(all_, {.kind = item_noun().kind,
                                .equal = Facet::of(std::string(facet::kThreadScope), scope),
                                .descending = true,
                                .limit = kMostItems}));
  if (page.objects.size() < 2) return {};
  std::vector<Item> items;
  for (const Object& object : page.objects) {
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    items.push_back(std::move(item));
  }
  ThreadView view;
  HOLDFAST_TRY(auto memories, memories_with(facet::kThreadScope, scope, kMostMemories));
  for (Memory& memory : memories) {
    if (memory.type == type::kDecision || memory.type == type::kOutcome)
      view.conclusions.push_back(std::move(memory));
  }
  std::ranges::stable_sort(view.conclusions, [](const Memory& a, const Memory& b) {
    return std::tuple(a.freshness_at, a.created_at) < std::tuple(b.freshness_at, b.created_at);
  });
  view.items = window_of(std::move(items));
  const Value summary = summary_payload(view);
  HOLDFAST_CHECK_OK(replace_thread_memory(scope, type::kSummary, &summary, view.items));
  const auto checkpoint = checkpoint_payload(view);
  HOLDFAST_CHECK_OK(replace_thread_memory(scope, type::kCheckpoint,
                                          checkpoint ? &*checkpoint : nullptr, view.items));
  for (Item& item : view.items) {
    if (item.rebuild_completed) continue;
    item.rebuild_completed = true;
    const Evidence& about = item.about;
    HOLDFAST_CHECK_OK(txn_.put(
        all_, storage::put_of(item_noun(), about.source_item_id, item,
                              label_of(about.visibility, about.container_ref, about.actor_ref))));
  }
  return {};
}

}  // namespace holdfast::service::recall
