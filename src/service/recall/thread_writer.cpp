// The memory of a whole thread: its summary and its checkpoint, one active of each.
#include <algorithm>

#include "service/recall/memory_writer.h"

namespace holdfast::service::recall {
namespace {

// Numbers of decisions that came with the thread, apart from those of its items.
constexpr size_t kFirstOfThread = 1000;

void add_evidence(const std::vector<Item>& items, Memory& memory) {
  for (const Item& item : items) {
    memory.evidence.push_back(item.about);
    for (const std::string& ref : item.work_refs) {
      if (memory.work_refs.size() < kMostRefs &&
          std::ranges::find(memory.work_refs, ref) == memory.work_refs.end())
        memory.work_refs.push_back(ref);
    }
  }
}

}  // namespace

Status MemoryWriter::replace_thread_memory(const ThreadPlan& plan, std::string_view memory_type,
                                           const Value* payload) {
  const std::vector<Item>& items = plan.view.items;
  const Evidence& newest = items.back().about;
  Memory memory{.type = std::string(memory_type),
                .visibility = newest.visibility,
                .container_ref = newest.container_ref.value_or(""),
                .thread_ref = newest.thread_ref,
                .freshness_at = moment_of(newest),
                .created_at = txn_.now(),
                .canonical_key = plan.scope};
  HOLDFAST_TRY(auto known, versions_of(memory));
  if (payload == nullptr) return retire(std::move(known));
  memory.payload = *payload;
  if (memory.payload.find("semantic_provenance") == nullptr)
    memory.payload.set("semantic_provenance",
                       Value::object({{"extractor", "rules"}, {"extractor_version", "1"}}));
  add_evidence(items, memory);
  const Memory* before = standing_of(known);
  if (before != nullptr && without_times(before->payload) == without_times(memory.payload)) {
    // It says what it said: the same memory, with the evidence and the time of now.
    Memory same = *before;
    same.payload = std::move(memory.payload);
    same.evidence = std::move(memory.evidence);
    same.work_refs = std::move(memory.work_refs);
    same.freshness_at = memory.freshness_at;
    return save(same);
  }
  HOLDFAST_TRY(const Memory next, renewed(std::move(memory), std::move(known)));
  return save(next);
}

Result<bool> MemoryWriter::still_holds(const ThreadPlan& plan) {
  for (const Item& item : plan.view.items) {
    const auto object = txn_.get(all_, item_key(item.about.source_item_id));
    if (!object && object.error().code == ErrorCode::kNotFound) return false;
    if (!object) return object.error();
  }
  for (const Memory& conclusion : plan.view.conclusions) {
    const auto now = read_memory(txn_, all_, conclusion.id);
    if (!now && now.error().code != ErrorCode::kNotFound) return now.error();
    if (!now || now->lifecycle != "active" || now->payload != conclusion.payload) return false;
  }
  return true;
}

Status MemoryWriter::apply(const ThreadPlan& plan) {
  if (!plan.is_thread) return {};
  HOLDFAST_TRY(const bool holds, still_holds(plan));
  if (!holds) {
    const Evidence& any = plan.view.items.front().about;
    return request_rebuild(any.container_ref, any.thread_ref, any.visibility);
  }
  HOLDFAST_CHECK_OK(replace_thread_memory(plan, type::kSummary, &plan.summary));
  HOLDFAST_CHECK_OK(replace_thread_memory(plan, type::kCheckpoint,
                                          plan.checkpoint ? &*plan.checkpoint : nullptr));
  for (size_t i = 0; i < plan.decisions.size(); ++i) {
    const ThreadDecision& found = plan.decisions[i];
    const Memory memory = memory_from(found.item, found.draft, 0, txn_.now());
    HOLDFAST_TRY(const auto known,
                 memories_with(facet::kCanon, keyed_facet(memory, memory.canonical_key), 1));
    if (known.empty()) HOLDFAST_CHECK_OK(add(found.item, found.draft, kFirstOfThread + i, {}));
  }
  return {};
}

}  // namespace holdfast::service::recall
