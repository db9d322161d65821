#include "service/recall/status_service.h"

#include <algorithm>

#include "service/recall/memory.h"

namespace holdfast::service::recall {

Result<ServiceStatus> StatusService::status(const CallContext& call) const {
  HOLDFAST_TRY(const access::SpaceAccess asked,
               gatekeeper_.require(call, access::Permission::kRead));
  const access::SpaceAccess access =
      asked.viewer().containers ? asked : gatekeeper_.engine_access(asked.space());
  ServiceStatus out{.facts = facts_};
  const auto up =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - facts_.started_at);
  out.uptime_seconds = std::max<int64_t>(0, up.count());
  HOLDFAST_TRY(const QueueHealth health, queue_.health(call));
  out.items = health.counts;
  for (const std::string_view memory_type : type::kAll) {
    const search::Filter filter{
        .kinds = {memory_noun().kind},
        .facets = {{.name = std::string(facet::kType), .any_of = {std::string(memory_type)}},
                   {.name = std::string(facet::kLive), .any_of = {"yes"}}}};
    HOLDFAST_TRY(const auto listed, index_.list(access, {.filter = filter, .limit = 0}));
    if (listed.total > 0)
      out.memories[std::string(memory_type)] = static_cast<int64_t>(listed.total);
  }
  return out;
}

}  // namespace holdfast::service::recall
