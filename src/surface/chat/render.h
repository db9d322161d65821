// Answers of a chat run, in both dialects.
#pragma once

#include "service/chat/chat_service.h"
#include "service/chat/transmission_service.h"

namespace holdfast::surface::chat {

struct RenderOptions {
  bool audit_always = false;
};

Value canonical_answer(const service::chat::ChatOutcome& outcome, const RenderOptions& options);
Value flat_answer(const service::chat::ChatOutcome& outcome);

Value canonical_pending(const service::chat::ChatRun& run, const service::chat::ChatReply& reply);
Value flat_pending(const service::chat::ChatRun& run, const service::chat::ChatReply& reply);

Value transmission_answer(const service::chat::ShownTransmission& shown);

// The notification policy in force for a run, which depends on what its message says.
std::string notification_policy(const service::chat::ChatRun& run);

}  // namespace holdfast::surface::chat
