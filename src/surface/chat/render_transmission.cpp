#include "base/time_text.h"
#include "surface/chat/render.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::Attempt;
using service::chat::CharUsage;
using service::chat::ShownTransmission;
using service::chat::Transmission;
using service::chat::TransmissionStatus;

constexpr std::string_view kAskWhatToRemember = "What would you like to remember from this?";

Value summary_value(const ShownTransmission& shown) {
  const Transmission& transmission = shown.transmission;
  Value out = Value::object({{"id", shown.id},
                             {"packetType", transmission.packet_type},
                             {"threadId", transmission.thread_id},
                             {"status", enum_name(transmission.status)},
                             {"createdAt", format_millis(transmission.created_at)}});
  if (transmission.status_code) out.set("statusCode", *transmission.status_code);
  if (transmission.retryable) out.set("retryable", *transmission.retryable);
  if (transmission.error_code) out.set("errorCode", *transmission.error_code);
  return out;
}

Value attempts_value(const std::vector<Attempt>& attempts) {
  Value list = Value::array();
  for (const Attempt& attempt : attempts) {
    Value out = Value::object({{"id", attempt.id},
                               {"provider", attempt.provider},
                               {"status", attempt.succeeded ? "succeeded" : "failed"},
                               {"createdAt", format_millis(attempt.created_at)}});
    if (attempt.output_chars) out.set("outputChars", *attempt.output_chars);
    if (attempt.error) out.set("error", *attempt.error);
    list.push(std::move(out));
  }
  return list;
}

Value char_usage_value(const std::vector<CharUsage>& usage) {
  Value list = Value::array();
  for (const CharUsage& one : usage) {
    list.push(Value::object({{"inputChars", one.input_chars},
                             {"outputChars", one.output_chars},
                             {"createdAt", format_millis(one.created_at)}}));
  }
  return list;
}

Value trace_value(const Transmission& transmission) {
  if (transmission.trace_run_id.empty()) return Value();
  return Value::object(
      {{"traceRunId", transmission.trace_run_id},
       {"level", transmission.trace_level},
       {"eventCount", transmission.event_count},
       {"phaseCounts",
        transmission.phase_counts.is_object() ? transmission.phase_counts : Value::object()}});
}

// A card that shows the fact, or asks for one.
Value ghost_envelope(const ShownTransmission& shown) {
  const Transmission& transmission = shown.transmission;
  const bool found = shown.fact.has_value();
  return Value::object(
      {{"assistant_text", found ? *shown.fact : std::string(kAskWhatToRemember)},
       {"notification_policy", "muted"},
       {"meta", Value::object({{"display_hint", "ghost_card"},
                               {"ghost_kind", "memory_artifact"},
                               {"memory_id", found ? or_null(transmission.memory_id) : Value()},
                               {"trigger_message_id", transmission.trigger_message_id},
                               {"rigor_level", found ? transmission.rigor : "normal"},
                               {"snippet", or_null(shown.fact)},
                               {"fact_null", !found},
                               {"fact", or_null(shown.fact)},
                               {"mood_anchor", found ? or_null(transmission.mood_anchor) : Value()},
                               {"notification_policy", "muted"}})}});
}

void add_chat(const ShownTransmission& shown, Value& body) {
  const Value* message = shown.answer.find("assistant_message");
  const Value* text =
      message != nullptr ? message->find("output_text") : shown.answer.find("assistant");
  body.set("assistant", text != nullptr ? *text : Value());
  if (shown.transmission.canonical && shown.answer.is_object()) body.set("response", shown.answer);
  if (const Value* envelope = shown.answer.find("outputEnvelope"))
    body.set("outputEnvelope", *envelope);
}

void add_distillation(const ShownTransmission& shown, Value& body) {
  body.set("assistant", Value());
  if (shown.transmission.status != TransmissionStatus::kCompleted) return;
  body.set("fact", or_null(shown.fact));
  Value envelope = ghost_envelope(shown);
  body.set("assistant", *envelope.find("assistant_text"));
  body.set("outputEnvelope", std::move(envelope));
}

}  // namespace

Value transmission_answer(const ShownTransmission& shown) {
  Value body = Value::object(
      {{"ok", true}, {"transmission", summary_value(shown)}, {"pending", shown.pending}});
  if (shown.transmission.packet_type == "chat") {
    add_chat(shown, body);
  } else {
    add_distillation(shown, body);
  }
  body.set("attempts", attempts_value(shown.transmission.attempts));
  body.set("usage", char_usage_value(shown.transmission.usage));
  body.set("trace", trace_value(shown.transmission));
  return body;
}

}  // namespace holdfast::surface::chat
