#include "surface/recall/requests.h"

#include "base/time_text.h"
#include "wire/reading.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): their requests
using wire::min_length;
using wire::one_of;
using wire::Reading;
using wire::Schema;

const std::vector<std::string>& artifact_kinds() {
  static const std::vector<std::string> kinds = {
      "message", "assistant_output", "tool_use_summary", "todo_snapshot", "notification", "note"};
  return kinds;
}

// A word, or an object whose `kind` is one.
void read_scope(const Value& value, Scope& out, Reading& reading) {
  const Value* kind = value.is_object() ? value.find("kind") : &value;
  const std::string* text = kind != nullptr ? kind->if_string() : nullptr;
  if (text == nullptr) return reading.add_type("string", value);
  const auto scope = enum_from_name<Scope>(*text);
  if (!scope) return reading.add(wire::rule::kOneOf, {}, kind);
  out = *scope;
}

// +02 and +0200 as +02:00.
void write_out_zone(std::string& text) {
  constexpr size_t kTime = 19;
  const size_t sign = text.find_first_of("+-", kTime);
  if (sign == std::string::npos) return;
  const std::string_view zone = std::string_view(text).substr(sign + 1);
  if (zone.find_first_not_of("0123456789") != std::string_view::npos) return;
  if (zone.size() == 2) text += "00";
  if (zone.size() == 2 || zone.size() == 4) text.insert(sign + 3, ":");
}

// ISO 8601, of which other surfaces take less: seconds may be absent, a blank stand for the T, and
// the zone be short. A time without a zone is in UTC.
void read_moment(const Value& value, Timestamp& out, Reading& reading) {
  const std::string* sent = value.if_string();
  if (sent == nullptr) return reading.add_type("string", value);
  constexpr size_t kDate = 10;
  constexpr size_t kMinutes = 16;
  std::string text = *sent;
  if (text.size() > kDate && text[kDate] == ' ') text[kDate] = 'T';
  if (text.size() >= kMinutes && text.find(':', kMinutes) != kMinutes) text.insert(kMinutes, ":00");
  write_out_zone(text);
  auto at = parse_time(text);
  if (!at) at = parse_time(text + "Z");
  if (!at) return reading.add(wire::rule::kFormat, {{"expected", "date-time"}}, &value);
  out = *at;
}

void check_object(const Value& value, Reading& reading) {
  if (!value.is_object() && !value.is_null()) reading.add_type("object", value);
}

Schema<RuntimeContext> runtime_schema() {
  return Schema<RuntimeContext>()
      .optional("turn_kind", &RuntimeContext::turn_kind,
                one_of({"new_thread", "same_thread", "same_thread_continuation", "resumed_session",
                        "new_session"}))
      .optional("session_has_sufficient_local_context", &RuntimeContext::local_context)
      .optional("evidence_request", &RuntimeContext::evidence_request);
}

}  // namespace

wire::FieldOption scope_option() {
  return wire::read_by<Scope>(read_scope, Value::object({{"type", "string"}}));
}

namespace {

Schema<ItemBody> item_fields() {
  return Schema<ItemBody>()
      .required("source_type", &ItemBody::source_type, min_length(1), "The upstream system.")
      .required("source_id", &ItemBody::source_id, min_length(1), "Its stable id there.")
      .required("content_type", &ItemBody::content_type, min_length(1))
      .required("content", &ItemBody::content, min_length(1), wire::no_echo())
      .optional("container_ref", &ItemBody::container_ref)
      .optional("visibility", &ItemBody::visibility, scope_option())
      .optional("thread_ref", &ItemBody::thread_ref)
      .optional("actor_ref", &ItemBody::actor_ref)
      .optional("agent_ref", &ItemBody::agent_ref)
      .optional("source_ref", &ItemBody::source_ref)
      .optional("role", &ItemBody::role)
      .optional("artifact_kind", &ItemBody::artifact_kind, one_of(artifact_kinds()))
      .optional("work_refs", &ItemBody::work_refs)
      .optional("occurred_at", &ItemBody::occurred_at,
                wire::read_by<Timestamp>(read_moment, Value::object({{"type", "string"}})))
      .optional("metadata", &ItemBody::metadata, wire::rule_of(check_object))
      .optional("use_case", &ItemBody::use_case);
}

}  // namespace

const Schema<ItemBody>& item_schema() {
  static const Schema<ItemBody> schema = item_fields();
  return schema;
}

const Schema<ItemBody>& asking_item_schema() {
  static const Schema<ItemBody> schema =
      item_fields()
          .optional("query_text", &ItemBody::query_text, wire::no_echo())
          .optional("query_limit", &ItemBody::query_limit, wire::range(1, 50))
          .optional("query_actor_ref", &ItemBody::query_actor_ref)
          .optional("runtime_context", &ItemBody::runtime, runtime_schema())
          .optional("trigger_origin", &ItemBody::trigger_origin,
                    wire::alias("query_trigger_origin"));
  return schema;
}

const Schema<ItemsBody>& items_schema() {
  static const Schema<ItemsBody> schema =
      Schema<ItemsBody>().whole_body(&ItemsBody::items, item_schema());
  return schema;
}

const Schema<Query>& query_schema() {
  static const Schema<Query> schema =
      Schema<Query>()
          .required("text", &Query::text, min_length(1), "The question or prompt.")
          .optional("limit", &Query::limit, wire::range(1, 50), "How many results.")
          .optional("container_ref", &Query::container_ref)
          .optional("thread_ref", &Query::thread_ref)
          .optional("actor_ref", &Query::actor_ref)
          .optional("visibility", &Query::visibility, scope_option())
          .optional("source_type", &Query::source_type)
          .optional("role", &Query::role)
          .optional("artifact_kind", &Query::artifact_kind, one_of(artifact_kinds()))
          .optional("work_refs", &Query::work_refs)
          .optional("runtime_context", &Query::runtime, runtime_schema())
          .optional("trigger_origin", &Query::trigger_origin, "What made the query.")
          .optional("source_only", &Query::source_only,
                    "Raw evidence by relevance; nothing is injected.");
  return schema;
}

const Schema<Expand>& expand_schema() {
  static const Schema<Expand> schema =
      Schema<Expand>()
          .path("memory_object_id", &Expand::memory_id)
          .required_query("container_ref", &Expand::container_ref, "Where it is asked from.")
          .query("actor_ref", &Expand::actor_ref);
  return schema;
}

const Schema<FlagMemory>& flag_schema() {
  static const Schema<FlagMemory> schema =
      Schema<FlagMemory>()
          .path("memory_object_id", &FlagMemory::memory_id)
          .required("reason", &FlagMemory::reason, min_length(1), "Why it is wrong.")
          .required("source_ref", &FlagMemory::source_ref, min_length(1), "Who says so.")
          .optional("immediate", &FlagMemory::immediate);
  return schema;
}

const Schema<ContextRequest>& context_schema() {
  static const Schema<ContextRequest> schema =
      Schema<ContextRequest>()
          .path("source_item_id", &ContextRequest::source_item_id)
          .required_query("container_ref", &ContextRequest::container_ref,
                          "Where it is asked from.")
          .query("actor_ref", &ContextRequest::actor_ref)
          .query("before", &ContextRequest::before, wire::range(0, kMostAround))
          .query("after", &ContextRequest::after, wire::range(0, kMostAround));
  return schema;
}

NewItem item_of(const ItemBody& body) {
  return {.source_type = body.source_type,
          .source_id = body.source_id,
          .content_type = body.content_type,
          .content = body.content,
          .container_ref = body.container_ref,
          .visibility = body.visibility,
          .thread_ref = body.thread_ref,
          .actor_ref = body.actor_ref,
          .agent_ref = body.agent_ref,
          .source_ref = body.source_ref,
          .role = body.role,
          .artifact_kind = body.artifact_kind,
          .work_refs = body.work_refs,
          .occurred_at = body.occurred_at,
          .metadata = body.metadata,
          .use_case = body.use_case};
}

Query query_of(const ItemBody& body, const std::string& item_id) {
  const bool own_words = !body.query_text || body.query_text->empty();
  return {.text = own_words ? body.content : *body.query_text,
          .limit = body.query_limit,
          .container_ref = body.container_ref,
          .thread_ref = body.thread_ref,
          .actor_ref = body.query_actor_ref ? body.query_actor_ref : body.actor_ref,
          .visibility = body.visibility,
          .work_refs = body.work_refs,
          .runtime = body.runtime,
          .trigger_origin = body.trigger_origin,
          .own_item = item_id};
}

}  // namespace holdfast::surface::recall
