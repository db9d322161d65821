// From a request to its reply, without sockets: the server calls it, and so does the command line.
// The order of everything that happens to a request is written in pipeline.cpp and nowhere else.
// Thread-safe.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "access/authenticator.h"
#include "base/clock.h"
#include "base/ids.h"
#include "http/host_policy.h"
#include "http/metrics.h"
#include "http/request.h"
#include "http/router.h"

namespace holdfast::http {

// Names the space of a request and of its reply.
inline constexpr std::string_view kSpaceHeader = "X-Holdfast-Space";

enum class AccessLog {
  kOff,
  kFailures,  // answers of 500 and above
  kAll,
};

// What the pipeline leans on; everything outlives it.
struct PipelineSettings {
  const Router& router;  // complete: routes added later are not counted apart
  const access::Authenticator& authenticator;
  const Clock& clock;
  Metrics& metrics;
  HostPolicySettings hosts = {};
  std::function<bool()> ready =
      {};  // none: always. False: 503 except for routes that are always served
  AccessLog access_log = AccessLog::kFailures;
};

class Pipeline {
 public:
  explicit Pipeline(PipelineSettings settings);

  // Never throws; a defect becomes a 500 of the surface's dialect.
  Reply handle(Request request) const;

  // The same in two steps, for the server: what the headers alone decide, then the rest. `match`
  // must come from the same request.
  RouteMatch match(const Request& request) const;
  Reply handle(Request& request, RouteMatch match) const;

  // The reply for a request that cannot be handled at all (malformed, too many headers, overload),
  // worded by the dialect of its path as far as that is known.
  Reply refuse(Request& request, const Error& error) const;

 private:
  Reply run(Exchange& exchange, const RouteMatch& match) const;
  Reply barrier(Exchange& exchange, const RouteMatch& match) const;
  void finish(const Exchange& exchange, Reply& reply) const;
  void count(const Exchange& exchange, int status, std::chrono::nanoseconds elapsed) const;
  Exchange begin(Request& request, const RouteMatch& match) const;
  std::string request_id(const Request& request) const;

  const PipelineSettings settings_;
  const HostPolicy hosts_;
  mutable UlidGenerator ids_;
  std::unordered_map<const Route*, RouteMetrics*> route_metrics_;
  RouteMetrics& unmatched_;
};

}  // namespace holdfast::http
