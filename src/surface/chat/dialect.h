// How the chat surface words its failures: the structured form, the flat form of the older dialect,
// and the literal body for unknown keys.
#pragma once

#include "wire/dialect.h"

namespace holdfast::surface::chat {

class ChatDialect : public wire::Dialect {
 public:
  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;
};

// True if the body is written in the flat dialect of POST /v1/chat.
bool is_flat(const Value& body);

// Extra members that a failed run shows.
struct FailureExtras {
  std::string transmission_id = {};
  std::string trace_run_id = {};
  std::vector<std::string> linter_flags = {};
  std::string fallback_text = {};
  std::string notification_policy = {};
};
wire::Answer failure_answer(const wire::AnswerContext& context, const Error& error,
                            const FailureExtras& extras);

}  // namespace holdfast::surface::chat
