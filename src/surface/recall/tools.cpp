#include "surface/recall/tools.h"

#include "surface/recall/asking.h"
#include "surface/recall/dialect.h"
#include "surface/recall/render.h"
#include "surface/recall/requests.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations
using mcp::ToolCall;
using mcp::ToolResult;
using wire::min_length;
using wire::Schema;

const wire::Strictness kLenient{.reject_unknown_members = false,
                                .reject_unknown_parameters = false};

const Schema<ItemsBody>& tool_items() {
  static const Schema<ItemsBody> schema = Schema<ItemsBody>().required(
      "items", &ItemsBody::items, item_schema(), "Up to 50 pieces of evidence.");
  return schema;
}

const Schema<Expand>& tool_expand() {
  static const Schema<Expand> schema =
      Schema<Expand>()
          .required("memory_object_id", &Expand::memory_id, min_length(1), "Which memory.")
          .required("container_ref", &Expand::container_ref, "Where it is asked from.")
          .optional("actor_ref", &Expand::actor_ref, "Needed for global memory.");
  return schema;
}

const Schema<FlagMemory>& tool_flag() {
  static const Schema<FlagMemory> schema =
      Schema<FlagMemory>()
          .required("memory_object_id", &FlagMemory::memory_id, min_length(1), "Which memory.")
          .required("reason", &FlagMemory::reason, min_length(1), "Why it is wrong.")
          .required("source_ref", &FlagMemory::source_ref, min_length(1), "Who says so.")
          .optional("immediate", &FlagMemory::immediate, "Suppress it at once.");
  return schema;
}

// A refusal is worded as over HTTP; what only the log may know stays an error.
Result<ToolResult> shown(Result<Value> answer, const char* route) {
  if (answer) return ToolResult{.structured = std::move(*answer)};
  const ErrorCode code = answer.error().code;
  if (code == ErrorCode::kInternal || code == ErrorCode::kCorrupted) return answer.error();
  return ToolResult{.text = RecallDialect().failure({.route = route}, answer.error()).body,
                    .is_error = true};
}

template <typename Request, typename Act>
mcp::ToolRun run_with(const Schema<Request>& schema, const char* route, Act act) {
  return [&schema, route, act](const ToolCall& call) -> Result<ToolResult> {
    auto request = schema.read_body(call.arguments, kLenient);
    if (!request) return shown(std::move(request).error(), route);
    return shown(act(call.call, *request), route);
  };
}

mcp::Tool query_tool(const Services& services, bool trace) {
  return {.name = trace ? "recall_query_debug" : "recall_query",
          .title = trace ? "Ask memory, with a trace" : "Ask memory",
          .description =
              trace ? "The same as recall_query, with the trace of how the answer came about. Use "
                      "it to find out why something is missing."
                    : "Before answering: is there memory of earlier work that should be taken into "
                      "account? Gives should_inject with a reason, blocks ready for the prompt, "
                      "and ranked results. Name the container; silence is an answer.",
          .input_schema = query_schema().json_schema(kLenient),
          .hints = {.read_only = true, .open_world = false},
          .scope = "read",
          .run = run_with(query_schema(), "/query",
                          [services, trace](const CallContext& call, Query wanted) {
                            wanted.trace = trace;
                            return answer_query(services, call, wanted);
                          })};
}

mcp::Tool ingest_tool(const Services& services) {
  return {
      .name = "recall_ingest",
      .title = "Store evidence",
      .description =
          "Stores messages, replies, tool summaries or notes (artifact_kind note: "
          "kept to the letter). Memory is made of them in the background. The pair "
          "source_type and source_id names an item; sending it again changes "
          "nothing and shows how far it has come.",
      .input_schema = tool_items().json_schema(kLenient),
      .hints = {.destructive = false, .idempotent = true, .open_world = false},
      .scope = "write",
      .run = run_with(tool_items(), "/items",
                      [services](const CallContext& call, const ItemsBody& body) -> Result<Value> {
                        HOLDFAST_CHECK_OK(check_count(body.items.size()));
                        HOLDFAST_TRY(Value items, ingest_items(services, call, body.items));
                        return Value::object({{"items", std::move(items)}});
                      })};
}

mcp::Tool expand_tool(const Services& services) {
  return {
      .name = "recall_expand",
      .title = "Show a memory in full",
      .description =
          "The whole memory behind a block whose expand_available is true, with the "
          "messages that it rests on.",
      .input_schema = tool_expand().json_schema(kLenient),
      .hints = {.read_only = true, .open_world = false},
      .scope = "read",
      .run = run_with(tool_expand(), "/memory",
                      [services](const CallContext& call, const Expand& asked) -> Result<Value> {
                        HOLDFAST_TRY(const auto found, services.memories.expand(call, asked));
                        return expand_value(found);
                      })};
}

mcp::Tool flag_tool(const Services& services) {
  return {.name = "recall_flag",
          .title = "Say that a memory is wrong",
          .description =
              "Flags a memory as wrong, outdated or of no use. Two sources within 30 "
              "days, or immediate, suppress it.",
          .input_schema = tool_flag().json_schema(kLenient),
          .hints = {.destructive = true, .idempotent = true, .open_world = false},
          .scope = "write",
          .run = run_with(
              tool_flag(), "/memory",
              [services](const CallContext& call, const FlagMemory& asked) -> Result<Value> {
                HOLDFAST_TRY(const auto state, services.memories.flag(call, asked));
                return flag_value(state);
              })};
}

}  // namespace

mcp::Group make_group(const Services& services) {
  mcp::Group group{.name = "recall"};
  group.tools = {query_tool(services, false), query_tool(services, true), ingest_tool(services),
                 expand_tool(services), flag_tool(services)};
  return group;
}

}  // namespace holdfast::surface::recall
