// The chat surface: /v1/chat, /v1/memories, /v1/transmissions and /v1/usage.
#pragma once

#include <memory>

#include "http/router.h"
#include "service/chat/chat_service.h"
#include "service/chat/chat_settings.h"
#include "service/chat/distill_service.h"
#include "service/chat/memory_service.h"
#include "service/chat/transmission_service.h"
#include "service/chat/usage.h"

namespace holdfast::access {
class Authenticator;
}

namespace holdfast::surface::chat {

struct Services {
  service::chat::ChatService& chat;
  service::chat::MemoryService& memories;
  service::chat::DistillService& distill;
  service::chat::TransmissionService& transmissions;
  service::chat::UsageService& usage;
};

struct Face {
  const service::chat::ChatSettings& settings;
  const access::Authenticator* authenticator = nullptr;  // API keys beside the server's tokens
  std::function<Timestamp()> now = {};
  // Refuses a caller whose budget is spent: `bucket` names user and purpose. Empty: no limits.
  std::function<std::optional<Error>(const std::string& bucket, int64_t per_minute)> rate_limit =
      {};
  int64_t requests_per_minute = 240;
  int64_t distills_per_minute = 30;
};

class Surface {
 public:
  virtual ~Surface() = default;
};

// Everything outlives the surface, and the surface the router.
std::unique_ptr<Surface> mount(http::Router& router, const Services& services, Face face);

}  // namespace holdfast::surface::chat
