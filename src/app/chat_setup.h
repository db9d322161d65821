// The chat surface, from its settings to its routes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/key_authenticator.h"
#include "app/settings.h"
#include "app/surface_parts.h"
#include "embed/completer.h"
#include "http/router.h"
#include "model/noun.h"
#include "service/chat/chat_settings.h"
#include "service/chat/driver_blocks.h"

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
                                       const SurfaceParts& parts);

}  // namespace holdfast::app
