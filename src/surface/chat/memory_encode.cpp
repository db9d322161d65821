#include "base/digest.h"
#include "base/time_text.h"
#include "surface/chat/memory_operations.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::MemoryCursor;

std::string write_cursor(const MemoryCursor& cursor) {
  return base64url_encode("1|" + format_millis(cursor.created_at) + "|" + cursor.memory_id);
}

Value time_or_null(const std::optional<Timestamp>& at) {
  return at ? Value(format_millis(*at)) : Value();
}

Value item_value(const service::chat::ShownMemory& shown) {
  const service::chat::Memory& memory = shown.memory;
  return Value::object({{"memory_id", shown.id},
                        {"type", memory.type},
                        {"snippet", memory.snippet},
                        {"summary", or_null(memory.summary)},
                        {"domain", or_null(memory.domain)},
                        {"title", or_null(memory.title)},
                        {"tags", Value::array_of(memory.tags)},
                        {"mood_anchor", or_null(memory.mood_anchor)},
                        {"rigor_level", enum_name(memory.rigor)},
                        {"fidelity", shown.hazy ? "hazy" : "direct"},
                        {"transition_to_hazy_at", time_or_null(shown.hazy_at)},
                        {"created_at", format_millis(memory.created_at)},
                        {"updated_at", format_millis(memory.updated_at)},
                        {"thread_id", or_null(memory.thread_id)},
                        {"trigger_message_id", or_null(memory.trigger_message_id)}});
}

}  // namespace

Value created_value(const service::chat::CreatedMemory& created) {
  return Value::object({{"request_id", created.request_id},
                        {"memory", Value::object({{"memory_id", created.memory_id},
                                                  {"created_at", format_millis(created.created_at)},
                                                  {"updated_at", format_millis(created.updated_at)},
                                                  {"domain", created.domain},
                                                  {"title", or_null(created.title)},
                                                  {"summary", created.summary},
                                                  {"tags", Value::array_of(created.tags)},
                                                  {"rigor_level", enum_name(created.rigor)}})}});
}

Value page_value(const service::chat::MemoryPage& page, const std::string& request_id) {
  Value items = Value::array();
  for (const auto& shown : page.items) items.push(item_value(shown));
  return Value::object({{"request_id", request_id},
                        {"items", std::move(items)},
                        {"next_cursor", page.next ? Value(write_cursor(*page.next)) : Value()}});
}

Value shown_value(const service::chat::ShownMemory& shown, const std::string& request_id) {
  Value item = item_value(shown);
  item.set("importance", shown.memory.importance);
  item.set("source_message_id", or_null(shown.memory.source_message_id));
  item.set("source_created_at", time_or_null(shown.memory.source_created_at));
  return Value::object({{"request_id", request_id}, {"memory", std::move(item)}});
}

Value patched_value(const service::chat::PatchedMemory& patched) {
  return Value::object(
      {{"request_id", patched.request_id},
       {"memory", Value::object({{"memory_id", patched.memory_id},
                                 {"updated_at", format_millis(patched.updated_at)}})}});
}

Value deleted_value(const service::chat::DeletedMany& deleted) {
  return Value::object(
      {{"request_id", deleted.request_id}, {"deleted_count", deleted.deleted_count}});
}

Value distill_value(const service::chat::DistillAccepted& accepted) {
  return Value::object({{"request_id", accepted.request_id},
                        {"transmission_id", accepted.transmission_id},
                        {"status", "pending"}});
}

Value usage_value(const service::chat::DayUsage& usage) {
  const auto dollars = [](int64_t micros) { return static_cast<double>(micros) / 1e6; };
  Value threads = Value::array();
  for (const auto& thread : usage.top_threads) {
    threads.push(
        Value::object({{"thread_id", thread.thread_id}, {"total_tokens", thread.total_tokens}}));
  }
  Value calls = Value::array();
  for (const auto& call : usage.recent_calls) {
    calls.push(Value::object({{"request_id", call.request_id},
                              {"thread_id", call.thread_id},
                              {"total_tokens", call.input_tokens + call.output_tokens},
                              {"latency_ms", call.latency_ms},
                              {"estimated_cost", dollars(call.cost_micros)}}));
  }
  return Value::object(
      {{"date", usage.date},
       {"totals", Value::object({{"requests", usage.requests},
                                 {"input_tokens", usage.input_tokens},
                                 {"output_tokens", usage.output_tokens},
                                 {"total_tokens", usage.input_tokens + usage.output_tokens},
                                 {"estimated_cost", dollars(usage.cost_micros)}})},
       {"top_threads", std::move(threads)},
       {"recent_calls", std::move(calls)}});
}

}  // namespace holdfast::surface::chat
