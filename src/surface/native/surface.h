// The native surface: everything at once, under /holdfast/v1, and what the whole server shares:
// /health, /metrics, /openapi.json.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/router.h"
#include "model/value.h"
#include "service/native/admin_service.h"
#include "service/native/archive_service.h"
#include "service/native/care_service.h"
#include "service/native/context_service.h"
#include "service/native/event_hub.h"
#include "service/native/memory_service.h"
#include "service/native/object_service.h"
#include "service/native/search_service.h"

namespace holdfast::surface::native {

// The services it speaks for. They outlive the router.
struct Services {
  service::MemoryService& memories;
  service::ObjectService& objects;
  service::SearchService& search;
  service::ContextService& context;
  service::AdminService& admin;
  service::ArchiveService& archive;
  service::CareService& care;
  service::EventHub& events;
};

// What of the server it shows.
struct ServerFace {
  std::string version;
  std::string contract_version;          // of the continuity API, which shares /health
  std::function<std::string()> metrics;  // Prometheus text
  std::function<Timestamp()> now;
  std::function<bool()> ready;  // false while the store or the index is opening
  std::function<bool(const http::Request&)> knows_caller;  // before a large body is read
  std::function<std::optional<Error>(const CallContext&)> rate_limit = {};  // none: no limits
  std::function<void(int64_t)> advance_clock = {};  // set only with --test-clock
};

// Mounted once; keep the result as long as the router.
class Surface {
 public:
  virtual ~Surface() = default;
};
std::unique_ptr<Surface> mount(http::Router& router, const Services& services, ServerFace face);

}  // namespace holdfast::surface::native
