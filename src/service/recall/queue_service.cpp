#include "service/recall/queue_service.h"

#include "service/recall/ingest_service.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;

constexpr std::array<std::string_view, 5> kStatuses = {"pending", "processing", "completed",
                                                       "skipped", "failed"};
constexpr size_t kMostLeases = 100;
constexpr size_t kMostFailures = 10;
constexpr auto kDay = std::chrono::hours(24);

search::Filter items_with(std::string_view status) {
  return {.kinds = {item_noun().kind},
          .facets = {{.name = std::string(facet::kStatus), .any_of = {std::string(status)}}}};
}

}  // namespace

Result<QueueHealth> QueueService::health(const CallContext& call) const {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, access::Permission::kRead));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  QueueHealth health;
  const Timestamp now = clock_.now();
  for (const std::string_view status : kStatuses) {
    search::Filter filter = items_with(status);
    HOLDFAST_TRY(const auto ever, index_.list(all, {.filter = filter, .limit = 0}));
    if (ever.total == 0) continue;
    health.counts[std::string(status)] = static_cast<int64_t>(ever.total);
    filter.ranges = {{.name = std::string(facet::kCreated), .from = to_micros(now - kDay)}};
    HOLDFAST_TRY(const auto lately, index_.list(all, {.filter = filter, .limit = 0}));
    if (lately.total > 0)
      health.counts_24h[std::string(status)] = static_cast<int64_t>(lately.total);
  }
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto oldest,
               txn->scan(all, {.kind = item_noun().kind,
                               .equal = Facet::of(std::string(facet::kStatus), "pending"),
                               .limit = 1}));
  if (!oldest.objects.empty()) {
    const auto age = now - oldest.objects.front().created_at;
    health.oldest_pending_seconds =
        std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
  }
  HOLDFAST_TRY(health.leased_items,
               txn->jobs(all, kItemQueue, storage::JobState::kRunning, kMostLeases));
  HOLDFAST_TRY(health.leased_threads,
               txn->jobs(all, kThreadQueue, storage::JobState::kRunning, kMostLeases));
  HOLDFAST_TRY(const auto waiting,
               txn->jobs(all, kItemQueue, storage::JobState::kPending, kMostLeases));
  for (const storage::Job& job : waiting) health.backing_off += job.run_at > now ? 1 : 0;
  HOLDFAST_TRY(const auto failed,
               index_.list(all, {.filter = items_with("failed"),
                                 .sort = {{.by = search::SortKey::By::kNumberFacet,
                                           .facet = std::string(facet::kCompleted)}},
                                 .limit = kMostFailures}));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : failed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn->get_many(all, numbers));
  for (const Object& object : objects) {
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    health.failures.push_back(std::move(item));
  }
  return health;
}

}  // namespace holdfast::service::recall
