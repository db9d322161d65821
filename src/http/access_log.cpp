#include "http/access_log.h"

#include "base/log.h"
#include "http/pipeline.h"

namespace holdfast::http {

void log_access(const Exchange& exchange, int status, std::chrono::nanoseconds elapsed) {
  const AccessLog wanted = exchange.settings.access_log;
  const bool failed = status >= 500;
  if (wanted == AccessLog::kOff || (wanted == AccessLog::kFailures && !failed)) return;
  log::write(
      failed ? log::Level::kWarn : log::Level::kInfo, "request",
      {{"request_id", exchange.context.request_id},
       {"surface", exchange.mount.name},
       {"method", exchange.request.method},
       {"route", exchange.context.route.empty() ? std::string("none") : exchange.context.route},
       {"status", status},
       {"micros", std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count()},
       {"principal", exchange.call.principal.value},
       {"peer", exchange.request.peer_address}});
}

}  // namespace holdfast::http
