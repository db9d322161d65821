// The published continuity API: capsules, context retrieval, reminders, coordination, tasks.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/router.h"
#include "surface/continuity/operations.h"

namespace holdfast::surface::continuity {

struct Face {
  const access::Authenticator* authenticator = nullptr;  // instead of the server's
  // Seconds to wait if the bucket's budget is spent. Empty: no limits.
  std::function<std::optional<int64_t>(const std::string& bucket, int64_t limit)> rate_limit = {};
  int64_t token_limit = 240;
  int64_t address_limit = 480;
  int64_t payload_limit = 262'144;
  std::string version = {};
  std::string contract_version = "2026-02-25";
  std::function<Timestamp()> now = {};
  bool mcp = true;  // serve /v1/mcp
  // The newest position of the journal, as text.
  std::function<Result<std::string>()> position = {};
};

class Surface {
 public:
  virtual ~Surface() = default;
  // All of them, also those whose route another surface serves.
  virtual const std::deque<Operation>& operations() const = 0;
};

// Services behind the operations outlive the router.
std::unique_ptr<Surface> mount(http::Router& router, std::vector<Operation> operations, Face face);

}  // namespace holdfast::surface::continuity
