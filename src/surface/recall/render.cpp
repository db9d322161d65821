#include "surface/recall/render.h"

#include <algorithm>

#include "base/time_text.h"
#include "service/recall/barrier.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): shows them all

Value index_ids(const ItemState& state) {
  Value ids = Value::array();
  const auto add = [&](const std::string& target) {
    ids.push(index_entry_id(target, "lexical"));
    if (state.vectors) ids.push(index_entry_id(target, "vector"));
  };
  add(state.item.about.source_item_id);
  for (const Memory& memory : state.memories) add(memory.id);
  return ids;
}

Value relation_ids(const ItemState& state) {
  Value ids = Value::array();
  for (const Memory& memory : state.memories)
    ids.push(relation_id(memory.id, kSupportedBy, state.item.about.source_item_id));
  return ids;
}

Value memory_ids(const ItemState& state) {
  Value ids = Value::array();
  for (const Memory& memory : state.memories) ids.push(memory.id);
  return ids;
}

Value provenance(const ItemState& state) {
  Value out = Value::array();
  for (const Memory& memory : state.memories) {
    std::vector<std::string> sources;
    for (const Evidence& evidence : memory.evidence) sources.push_back(evidence.source_item_id);
    std::ranges::sort(sources);
    std::vector<std::string> older = memory.supersedes;
    std::ranges::sort(older);
    out.push(Value::object({{"memory_object_id", memory.id},
                            {"memory_kind", memory.type},
                            {"source_item_ids", Value::array_of(sources)},
                            {"superseded_memory_ids", Value::array_of(older)}}));
  }
  return out;
}

// An item with its whole content.
Value content_value(const Item& item) {
  const Evidence& about = item.about;
  return Value::object({{"source_item_id", about.source_item_id},
                        {"source_type", about.source_type},
                        {"source_id", about.source_id},
                        {"content", shown_content(item)},
                        {"role", or_null(about.role)},
                        {"actor_ref", or_null(about.actor_ref)},
                        {"occurred_at", or_null(about.occurred_at)},
                        {"thread_ref", or_null(about.thread_ref)},
                        {"artifact_kind", or_null(about.artifact_kind)}});
}

Value counts_value(const std::map<std::string, int64_t>& counts) {
  Value out = Value::object();
  for (const auto& [status, count] : counts) out.set(status, count);
  return out;
}

void add_lease(const storage::Job& job, std::chrono::seconds lease, Value& out) {
  std::optional<Timestamp> claimed = job.lease_until;
  if (claimed) *claimed -= lease;
  out.set("processing_claimed_by", job.worker);
  out.set("processing_claimed_at", or_null(claimed));
  out.set("processing_lease_expires_at", or_null(job.lease_until));
}

Value leased_threads(const QueueHealth& health) {
  Value out = Value::array();
  for (const storage::Job& job : health.leased_threads) {
    Value entry = Value::object({{"scope_key", job.payload}});
    const auto scope = parse_json(job.payload);
    for (const std::string_view name : {"use_case", "container_ref", "thread_ref", "visibility"}) {
      const Value* value = scope ? scope->find(name) : nullptr;
      entry.set(name, value != nullptr ? *value : Value());
    }
    add_lease(job, health.lease, entry);
    out.push(std::move(entry));
  }
  return out;
}

Value retention_value(const QueueHealth& health) {
  const RetentionState& last = health.retention;
  return Value::object({{"enabled", health.retention_enabled},
                        {"last_run_started_at", or_null(last.started_at)},
                        {"last_run_completed_at", or_null(last.completed_at)},
                        {"last_deleted_source_items", last.items},
                        {"last_deleted_memory_objects", last.memories},
                        {"last_deleted_relations", last.relations},
                        {"last_deleted_index_entries", last.index_entries},
                        {"last_stripped_debug_metadata", last.stripped},
                        {"last_skipped_protected_source_items", last.skipped}});
}

}  // namespace

Value or_null(const std::optional<Timestamp>& at) {
  return at ? Value(format_micros(*at)) : Value();
}

Value ingest_value(const ItemState& state) {
  const Item& item = state.item;
  return Value::object({{"source_item_id", item.about.source_item_id},
                        {"memory_object_ids", memory_ids(state)},
                        {"relation_ids", relation_ids(state)},
                        {"index_entry_ids", index_ids(state)},
                        {"processing_status", item.status},
                        {"processing_attempts", item.attempts},
                        {"processing_error", or_null(item.error)}});
}

Value processing_value(const ItemState& state) {
  const Item& item = state.item;
  Value out = ingest_value(state);
  Value types = Value::array();
  for (const Produced& produced : item.produced) types.push(produced.type);
  out.set("use_case", item.use_case);
  out.set("processing_claimed_at", or_null(item.claimed_at));
  out.set("processing_completed_at", or_null(item.completed_at));
  out.set("failure_category", or_null(item.failure_category));
  out.set("memory_object_types", std::move(types));
  out.set("thread_rebuild_requested", item.rebuild_requested);
  out.set("thread_rebuild_completed", state.thread_is_built());
  out.set("produced_memory_provenance", provenance(state));
  out.set("packages_processed",
          item.status == "completed" ? Value::array({item.use_case}) : Value::array());
  return out;
}

Value expand_value(const Expanded& expanded) {
  Value items = Value::array();
  for (const Item& item : expanded.items) items.push(content_value(item));
  Value payload = public_payload(expanded.memory);
  payload.if_object()->erase(
      std::remove_if(payload.if_object()->begin(), payload.if_object()->end(),
                     [](const Value::Member& m) { return m.name == "canonical_key"; }),
      payload.if_object()->end());
  return Value::object({{"memory_object_id", expanded.memory.id},
                        {"payload", payload.if_object()->empty() ? Value() : std::move(payload)},
                        {"items", std::move(items)},
                        {"match_text", shown_text(expanded.memory, view_text(expanded.memory))}});
}

Value context_value(const SourceContext& context) {
  Value items = Value::array();
  for (const Item& item : context.items) items.push(content_value(item));
  return Value::object({{"source_item_id", context.source_item_id}, {"items", std::move(items)}});
}

Value flag_value(const Flagged& flagged) {
  return Value::object({{"memory_object_id", flagged.memory_id},
                        {"flag_count", flagged.flag_count},
                        {"unique_sources", flagged.unique_sources},
                        {"suppressed", flagged.suppressed}});
}

Value queue_value(const QueueHealth& health) {
  Value items = Value::array();
  for (const storage::Job& job : health.leased_items) {
    Value entry = Value::object({{"source_item_id", job.payload}, {"use_case", kUseCase}});
    add_lease(job, health.lease, entry);
    items.push(std::move(entry));
  }
  Value failures = Value::array();
  for (const Item& item : health.failures) {
    failures.push(Value::object({{"source_item_id", item.about.source_item_id},
                                 {"use_case", item.use_case},
                                 {"failure_category", or_null(item.failure_category)},
                                 {"processing_error", or_null(item.error)},
                                 {"processing_attempts", item.attempts},
                                 {"processing_completed_at", or_null(item.completed_at)}}));
  }
  Value stuck = Value::array();
  if (health.backing_off > 0)
    stuck.push(Value::object({{"reason", "retry_backoff_active"}, {"count", health.backing_off}}));
  return Value::object(
      {{"status_counts", counts_value(health.counts)},
       {"status_counts_24h", counts_value(health.counts_24h)},
       {"oldest_pending_age_seconds",
        health.oldest_pending_seconds ? Value(*health.oldest_pending_seconds) : Value()},
       {"pending_without_use_case_count", 0},
       {"unclaimable_pending_counts", std::move(stuck)},
       {"leased_source_items", std::move(items)},
       {"leased_thread_scopes", leased_threads(health)},
       {"recent_failures", std::move(failures)},
       {"retention", retention_value(health)}});
}

}  // namespace holdfast::surface::recall
