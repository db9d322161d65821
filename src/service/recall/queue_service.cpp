#include "service/recall/queue_service.h"

#include <algorithm>

#include "model/json_text.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;

constexpr std::array<std::string_view, 5> kStatuses = {"pending", "processing", "completed",
                                                       "skipped", "failed"};
constexpr size_t kMostLeases = 100;
constexpr size_t kMostFailures = 10;
constexpr size_t kMostRetried = 500;
constexpr auto kDay = std::chrono::hours(24);

search::Filter items_with(std::string_view status) {
  return {.kinds = {item_noun().kind},
          .facets = {{.name = std::string(facet::kStatus), .any_of = {std::string(status)}}}};
}

Text container_of_scope(const std::string& scope) {
  const auto parts = parse_json(scope);
  const Value* container = parts ? parts->find("container_ref") : nullptr;
  const std::string* text = container != nullptr ? container->if_string() : nullptr;
  return text != nullptr ? Text(*text) : std::nullopt;
}

}  // namespace

Status QueueService::count(const SpaceAccess& access, Timestamp now, QueueHealth& health) const {
  for (const std::string_view status : kStatuses) {
    search::Filter filter = items_with(status);
    HOLDFAST_TRY(const auto ever, index_.list(access, {.filter = filter, .limit = 0}));
    if (ever.total == 0) continue;
    health.counts[std::string(status)] = static_cast<int64_t>(ever.total);
    filter.ranges = {{.name = std::string(facet::kCreated), .from = to_micros(now - kDay)}};
    HOLDFAST_TRY(const auto lately, index_.list(access, {.filter = filter, .limit = 0}));
    if (lately.total > 0)
      health.counts_24h[std::string(status)] = static_cast<int64_t>(lately.total);
  }
  return {};
}

Status QueueService::read_jobs(storage::ReadTxn& txn, const SpaceAccess& access, Timestamp now,
                               QueueHealth& health) const {
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  HOLDFAST_TRY(health.leased_items,
               txn.jobs(all, kItemQueue, storage::JobState::kRunning, kMostLeases));
  std::erase_if(health.leased_items,
                [&](const storage::Job& job) { return !txn.get(access, item_key(job.payload)); });
  // What is under way is not pending, though its item says so until the attempt ends.
  const auto move = [&](std::map<std::string, int64_t>& counts, int64_t running) {
    running = std::min(running, counts.contains("pending") ? counts["pending"] : 0);
    if (running == 0) return;
    counts["processing"] += running;
    if ((counts["pending"] -= running) == 0) counts.erase("pending");
  };
  const auto running = static_cast<int64_t>(health.leased_items.size());
  move(health.counts, running);
  move(health.counts_24h, running);
  HOLDFAST_TRY(health.leased_threads,
               txn.jobs(all, kThreadQueue, storage::JobState::kRunning, kMostLeases));
  std::erase_if(health.leased_threads, [&](const storage::Job& job) {
    return !may_reach(access, container_of_scope(job.payload));
  });
  HOLDFAST_TRY(const auto waiting,
               txn.jobs(all, kItemQueue, storage::JobState::kPending, kMostLeases));
  for (const storage::Job& job : waiting) {
    if (job.run_at > now && txn.get(access, item_key(job.payload))) ++health.backing_off;
  }
  return {};
}

Status QueueService::read_failures(storage::ReadTxn& txn, const SpaceAccess& access,
                                   QueueHealth& health) const {
  HOLDFAST_TRY(const auto failed,
               index_.list(access, {.filter = items_with("failed"),
                                    .sort = {{.by = search::SortKey::By::kNumberFacet,
                                              .facet = std::string(facet::kCompleted)}},
                                    .limit = kMostFailures}));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : failed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  for (const Object& object : objects) {
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    health.failures.push_back(std::move(item));
  }
  return {};
}

Status QueueService::check_admin(const CallContext& call) const {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  return {};
}

Result<int64_t> QueueService::retry_failed(const CallContext& call) {
  HOLDFAST_CHECK_OK(check_admin(call));
  HOLDFAST_TRY(const SpaceAccess asked, gatekeeper_.require(call, access::Permission::kWrite));
  const SpaceAccess all = gatekeeper_.engine_access(asked.space());
  return storage::write_returning<int64_t>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<int64_t> {
        HOLDFAST_TRY(const auto page,
                     txn.scan(all, {.kind = item_noun().kind,
                                    .equal = Facet::of(std::string(facet::kStatus), "failed"),
                                    .limit = kMostRetried}));
        for (const Object& object : page.objects) {
          HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
          item.status = "pending";
          item.attempts = 0;
          item.completed_at = std::nullopt;
          HOLDFAST_CHECK_OK(MemoryWriter(txn, all).save(item));
          HOLDFAST_CHECK_OK(txn.enqueue(all, {.space = all.space(),
                                              .queue = std::string(kItemQueue),
                                              .payload = item.about.source_item_id,
                                              .max_attempts = settings_.max_attempts + 1,
                                              .run_at = txn.now()}));
        }
        return static_cast<int64_t>(page.objects.size());
      });
}

Result<QueueHealth> QueueService::health(const CallContext& call) const {
  HOLDFAST_TRY(const SpaceAccess asked, gatekeeper_.require(call, access::Permission::kRead));
  // Items of no container and of actors are counted too, unless the token is for some containers.
  const SpaceAccess access =
      asked.viewer().containers ? asked : gatekeeper_.engine_access(asked.space());
  QueueHealth health{.lease = settings_.lease, .retention_enabled = settings_.retention};
  const Timestamp now = clock_.now();
  HOLDFAST_CHECK_OK(count(access, now, health));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto oldest,
               txn->scan(access, {.kind = item_noun().kind,
                                  .equal = Facet::of(std::string(facet::kStatus), "pending"),
                                  .limit = 1}));
  if (!oldest.objects.empty()) {
    const auto age = now - oldest.objects.front().created_at;
    health.oldest_pending_seconds =
        std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
  }
  HOLDFAST_CHECK_OK(read_jobs(*txn, access, now, health));
  HOLDFAST_CHECK_OK(read_failures(*txn, access, health));
  const auto state = txn->get(gatekeeper_.engine_access(access.space()), retention_key());
  if (state) {
    HOLDFAST_TRY(health.retention, storage::value_of(retention_noun(), *state));
  }
  return health;
}

}  // namespace holdfast::service::recall
