#include "mcp/active_client.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "mcp/log_level.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

// How soon a connection that went is noticed while waiting.
constexpr std::chrono::milliseconds kLookInterval{50};

// 50 rather than 50.0: numbers read as they were meant.
Value number(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (std::floor(value) == value && std::abs(value) < kExact) return static_cast<int64_t>(value);
  return value;
}

Error cannot_ask(std::string message) {
  return {.code = ErrorCode::kConflict, .message = std::move(message)};
}

Result<Value> answer_of(std::optional<Message> answer) {
  if (!answer) return cannot_ask("The client did not answer in time.");
  if (answer->error.is_null()) return std::move(answer->result);
  const Value* text = answer->error.find("message");
  return cannot_ask(fmt::format("The client refused: {}", text != nullptr && text->is_string()
                                                              ? *text->if_string()
                                                              : "it gave no reason."));
}

}  // namespace

std::string_view capability_of(std::string_view method) {
  return method.substr(0, method.find('/'));
}

ActiveClient::ActiveClient(const Message& request, ClientTerms terms, Outlet& outlet,
                           std::shared_ptr<Cancellation> cancellation)
    : terms_(std::move(terms)), outlet_(outlet), cancellation_(std::move(cancellation)) {
  const Value* token = request.meta(meta::kProgressToken);
  if (token != nullptr && is_id(*token)) progress_token_ = *token;
}

bool ActiveClient::cancelled() const {
  return cancellation_->cancelled() || (is_modern() && outlet_.is_lost());
}

bool ActiveClient::pause(std::chrono::milliseconds time) {
  const Deadline until = std::chrono::steady_clock::now() + time;
  while (!cancelled()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= until) return true;
    cancellation_->wait_until(std::min(until, now + kLookInterval), [] { return false; });
  }
  return false;
}

void ActiveClient::progress(const Progress& report) {
  if (progress_token_.is_null()) return;
  if (const auto now = gate_.offer(report, std::chrono::steady_clock::now())) send_progress(*now);
}

void ActiveClient::send_progress(const Progress& report) {
  if (cancelled()) return;
  Value params =
      Value::object({{"progressToken", progress_token_}, {"progress", number(report.done)}});
  if (report.total) params.set("total", number(*report.total));
  if (!report.message.empty() && has_progress_message(terms_.revision))
    params.set("message", report.message);
  outlet_.send(notification_message("notifications/progress", std::move(params)));
}

void ActiveClient::log(LogLevel level, Value data) {
  const auto least = terms_.session && terms_.log_level
                         ? std::optional(terms_.session->log_level())
                         : terms_.log_level;
  if (!least || level < *least || cancelled()) return;
  outlet_.send(notification_message(
      "notifications/message",
      Value::object({{"level", log_level_name(level)}, {"data", std::move(data)}})));
}

bool ActiveClient::can(std::string_view capability) const {
  if (terms_.session) return terms_.session->client_can(capability);
  const Value* declared = terms_.capabilities.find(capability);
  return declared != nullptr && declared->is_object();
}

Result<Value> ActiveClient::ask(std::string_view method, Value params) {
  if (!terms_.session) {
    return cannot_ask("This needs a session of protocol revision 2025-11-25 or earlier.");
  }
  if (!can(capability_of(method))) {
    return cannot_ask(
        fmt::format("The client did not declare the capability '{}'.", capability_of(method)));
  }
  const auto ask = terms_.session->open_ask(cancellation_);
  if (!ask) return cannot_ask("The client cannot be asked now.");
  if (!outlet_.send(request_message(*ask, method, std::move(params)))) {
    terms_.session->close_ask(*ask);
    return cannot_ask("The client takes no requests with this answer: it must accept a stream.");
  }
  cancellation_->wait_until(std::chrono::steady_clock::now() + kAskLimit,
                            [&] { return terms_.session->is_answered(*ask); });
  return answer_of(terms_.session->close_ask(*ask));
}

void ActiveClient::set_round(Value inputs, Value state) {
  inputs_ = std::move(inputs);
  state_ = std::move(state);
}

void ActiveClient::finish() {
  if (const auto held = gate_.finish()) send_progress(*held);
}

}  // namespace holdfast::mcp
