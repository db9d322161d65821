// The operations as JSON-RPC tools at /v1/mcp: one request a POST, no batches, no streams.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "http/exchange.h"
#include "surface/continuity/help.h"
#include "surface/continuity/operations.h"

namespace holdfast::surface::continuity {

inline constexpr const char* kRpcPath = "/v1/mcp";

// The message that refuses a page of another origin.
Value origin_refusal(std::string_view origin);

class RpcEndpoint {
 public:
  // Judges the limits of an operation before it runs; an Error refuses it.
  using Limits = std::function<std::optional<Error>(const Operation&, const http::Exchange&,
                                                    const CallContext&)>;
  // Who calls; an Error where the credential is no good.
  using Caller = std::function<Result<CallContext>(const http::Exchange&)>;

  RpcEndpoint(const std::deque<Operation>& operations, std::string version,
              std::function<Timestamp()> now, Limits limits, Caller caller)
      : operations_(operations),
        help_(operations),
        version_(std::move(version)),
        now_(std::move(now)),
        limits_(std::move(limits)),
        caller_(std::move(caller)) {}

  http::Reply serve(http::Exchange& exchange);

 private:
  Value initialize(const Value& params, const std::string& caller);
  Value call_tool(const Value& params, const http::Exchange& exchange) const;
  Value list_tools(const Value& params) const;
  Value show_help(const Help::Page& page, const Value& params) const;
  bool is_ready(const std::string& caller) const;
  // The peer; a caller whose credential is no good is known by what it sent.
  std::string name_of_caller(const http::Exchange& exchange) const;

  static constexpr size_t kMostCallers = 10'000;

  const std::deque<Operation>& operations_;
  const Help help_;
  const std::string version_;
  const std::function<Timestamp()> now_;
  const Limits limits_;
  const Caller caller_;
  mutable Mutex mutex_;
  std::set<std::string> ready_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::surface::continuity
