// The chat surface, from its settings to its routes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/key_authenticator.h"
#include "access/rate_limiter.h"
#include "app/settings.h"
#include "embed/completer.h"
#include "http/router.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/chat/chat_settings.h"
#include "service/chat/driver_blocks.h"
#include "storage/store.h"

namespace holdfast::app {

struct ChatOptions {
  service::chat::ChatSettings settings = {};
  std::vector<access::ApiKey> keys = {};
  int64_t requests_per_minute = 240;
  int64_t distills_per_minute = 30;
};

// kInvalidArgument names a setting that cannot be.
Result<ChatOptions> chat_options(const Settings& settings);

void add_chat_nouns(NounCatalog& nouns);

struct ChatParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  const search::Index& index;
  const Clock& clock;
  const access::Authenticator& authenticator;
  access::RateLimiter* rates = nullptr;  // nullptr: no limits
  bool tokens = false;                   // --auth tokens: keys are in force
};

class ChatSetup {
 public:
  virtual ~ChatSetup() = default;
  // Ends work under way: before the store is closed.
  virtual void stop() = 0;
};

// The driver blocks to refer to. kInvalidArgument for a file that cannot be read.
Result<service::chat::BlockRegistry> chat_blocks(const ChatOptions& options);

std::unique_ptr<ChatSetup> set_up_chat(http::Router& router, const ChatOptions& options,
                                       const service::chat::BlockRegistry& blocks,
                                       const ChatParts& parts);

}  // namespace holdfast::app
