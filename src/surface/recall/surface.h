// Evidence, memory and injection decisions over HTTP: /items, /query, /item-and-query, /memory,
// /source, /memory-usage-audit, /debug/queue, /status and /shutdown.
#pragma once

#include <functional>
#include <memory>

#include "http/router.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/query_service.h"
#include "service/recall/queue_service.h"
#include "service/recall/source_service.h"
#include "service/recall/statement_service.h"
#include "service/recall/status_service.h"
#include "service/recall/usage_service.h"

namespace holdfast::surface::recall {

struct Services {
  service::recall::IngestService& ingest;
  service::recall::QueryService& query;
  service::recall::MemoryService& memories;
  service::recall::QueueService& queue;
  service::recall::SourceService& sources;
  service::recall::StatementService& statements;
  service::recall::UsageService& usage;
  const service::recall::StatusService& status;
  std::function<void()> stop = {};  // ends the server; none: there is no such route
};

class Surface {
 public:
  virtual ~Surface() = default;
};

// Services and the router outlive it.
std::unique_ptr<Surface> mount(http::Router& router, const Services& services, size_t body_limit);

}  // namespace holdfast::surface::recall
