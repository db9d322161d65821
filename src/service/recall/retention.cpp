#include "service/recall/retention.h"

#include <algorithm>

#include "service/recall/erasure.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;

constexpr size_t kBatch = 200;
constexpr std::chrono::seconds kLease{300};
// A protected item is looked at again after a day.
constexpr auto kPostponed = std::chrono::hours(24);

const Codec<RetentionState>& state_codec() {
  static const Codec<RetentionState> codec =
      Codec<RetentionState>()
          .field("started_at", &RetentionState::started_at)
          .field("completed_at", &RetentionState::completed_at)
          .field("items", &RetentionState::items)
          .field("memories", &RetentionState::memories)
          .field("relations", &RetentionState::relations)
          .field("index_entries", &RetentionState::index_entries)
          .field("stripped", &RetentionState::stripped)
          .field("skipped", &RetentionState::skipped)
          .field("goes_on", &RetentionState::goes_on);
  return codec;
}

// One batch under way.
class Sweep {
 public:
  Sweep(WriteTxn& txn, const SpaceAccess& all, RetentionState& state)
      : txn_(txn), all_(all), state_(state), writer_(txn, all) {}

  // True if there may be more.
  Result<bool> run() {
    bool more = false;
    HOLDFAST_TRY(const auto memories, due(memory_noun().kind, facet::kExpires));
    more = memories.size() == kBatch;
    for (const Object& object : memories) HOLDFAST_CHECK_OK(drop_memory(object));
    HOLDFAST_TRY(const auto items, due(item_noun().kind, facet::kExpires));
    more = more || items.size() == kBatch;
    for (const Object& object : items) HOLDFAST_CHECK_OK(drop_item(object));
    HOLDFAST_TRY(const auto debug, due(item_noun().kind, facet::kDebugUntil));
    more = more || debug.size() == kBatch;
    for (const Object& object : debug) HOLDFAST_CHECK_OK(strip(object));
    return more;
  }

 private:
  Result<std::vector<Object>> due(const std::string& kind, std::string_view facet) {
    HOLDFAST_TRY(auto page,
                 txn_.scan(all_, {.kind = kind,
                                  .range = storage::Scan::Range{.name = std::string(facet),
                                                                .to = to_micros(txn_.now())},
                                  .limit = kBatch}));
    return std::move(page.objects);
  }

  Status drop_memory(const Object& object) {
    HOLDFAST_TRY(const Memory memory, storage::value_of(memory_noun(), object));
    HOLDFAST_TRY(const auto edges, txn_.neighbours(all_, object.key, kSupersedes, kMostEdges));
    state_.relations += static_cast<int64_t>(memory.evidence.size() + edges.size());
    ++state_.memories;
    ++state_.index_entries;
    return Erasure(txn_, all_).erase(memory, "retention");
  }

  // The memories that an item backs; nothing if one of them protects it.
  Result<std::optional<std::vector<Memory>>> backed_by(const Object& object) {
    HOLDFAST_TRY(const auto edges, txn_.neighbours(all_, object.key, kSupportedBy, kMostEdges));
    std::vector<Memory> memories;
    for (const storage::Neighbour& edge : edges) {
      const auto other = txn_.get(all_, edge.other);
      if (edge.outgoing || !other) continue;
      HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), *other));
      const bool fresh = is_working_type(memory.type) && memory.lifecycle == "active";
      if (is_durable_type(memory.type) || fresh) return std::optional<std::vector<Memory>>();
      memories.push_back(std::move(memory));
    }
    return std::optional<std::vector<Memory>>(std::move(memories));
  }

  Status drop_item(const Object& object) {
    HOLDFAST_TRY(const Item item, storage::value_of(item_noun(), object));
    HOLDFAST_TRY(auto memories, backed_by(object));
    if (!memories) {
      ++state_.skipped;
      HOLDFAST_TRY(const int64_t was_due, due_at(object.key));
      HOLDFAST_CHECK_OK(txn_.count(all_, object.key, facet::kExpires,
                                   to_micros(txn_.now() + kPostponed) - was_due));
      return {};
    }
    for (Memory& memory : *memories) {
      std::erase_if(memory.evidence, [&](const Evidence& evidence) {
        return evidence.source_item_id == item.about.source_item_id;
      });
      HOLDFAST_CHECK_OK(writer_.save(memory));
    }
    state_.relations += static_cast<int64_t>(memories->size());
    ++state_.items;
    ++state_.index_entries;
    return txn_.erase(all_, object.key, "retention");
  }

  Result<int64_t> due_at(const ObjectKey& key) {
    HOLDFAST_TRY(const auto facets, txn_.facets(all_, key));
    const auto found = std::ranges::find(facets, facet::kExpires, &Facet::name);
    return found == facets.end() ? 0 : found->number;
  }

  Status strip(const Object& object) {
    // The sweep above may have removed it.
    if (!txn_.get(all_, object.key)) return {};
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    item.produced.clear();
    item.rebuild_requested = false;
    item.debug_stripped = true;
    ++state_.stripped;
    return writer_.save(item);
  }

  WriteTxn& txn_;
  const SpaceAccess& all_;
  RetentionState& state_;
  MemoryWriter writer_;
};

Status run_batch(WriteTxn& txn, const SpaceAccess& all) {
  RetentionState state;
  if (const auto known = txn.get(all, retention_key())) {
    HOLDFAST_TRY(state, storage::value_of(retention_noun(), *known));
  }
  if (!state.goes_on) state = {.started_at = txn.now()};
  HOLDFAST_TRY(state.goes_on, Sweep(txn, all, state).run());
  state.completed_at = txn.now();
  HOLDFAST_CHECK_OK(txn.add(all, storage::put_of(retention_noun(), retention_key().id, state,
                                                 {.visibility = Visibility::kOwner})));
  HOLDFAST_CHECK_OK(
      txn.enqueue(all, {.space = all.space(),
                        .queue = std::string(kRetentionQueue),
                        .dedupe_key = "all",
                        .payload = "all",
                        .run_at = state.goes_on ? txn.now() : txn.now() + kRetentionPause}));
  return {};
}

}  // namespace

const Noun<RetentionState>& retention_noun() {
  static const Noun<RetentionState> noun{
      .kind = "recall_retention", .codec = state_codec(), .project = [](const RetentionState&) {
        return Projection{};
      }};
  return noun;
}

void Retention::add_to(jobs::JobRunner& runner) {
  runner.add({.queue = std::string(kRetentionQueue),
              .lease = kLease,
              .run = [this](const storage::Job& job) { return run(job); },
              .serial = true});
}

Result<storage::WriteClosure> Retention::run(const storage::Job& job) const {
  return storage::WriteClosure(
      [all = gatekeeper_.engine_access(job.space)](WriteTxn& txn) { return run_batch(txn, all); });
}

}  // namespace holdfast::service::recall
