#include "surface/continuity/discovery.h"

#include <array>
#include <utility>

#include "base/digest.h"
#include "service/continuity/document.h"

namespace holdfast::surface::continuity {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 18> kFeatures = {{
    {"continuity.read.startup_view", "Read a capsule with a startup summary."},
    {"continuity.read.trust_signals", "Signals that tell how far a capsule can be relied on."},
    {"continuity.upsert.session_end_snapshot", "Overlay the state of a session's end."},
    {"continuity.read.salience_ranking", "Capsules ranked by how much they matter now."},
    {"continuity.read.thread_identity", "Descriptors that identify threads and tasks."},
    {"continuity.stable_preferences", "Lasting preferences of users and peers."},
    {"continuity.upsert.preserve_mode", "Keep what a write does not mention."},
    {"continuity.patch", "Change lists item by item."},
    {"continuity.lifecycle", "Suspend, resume, conclude and supersede."},
    {"context.retrieve.continuity_state", "Capsules inside a context bundle."},
    {"context.retrieve.graph_context", "The graph around a subject inside a bundle."},
    {"continuity.read.startup_graph_summary", "A small graph inside a startup view."},
    {"schedule.one_shot_reminders", "Reminders that are due once."},
    {"coordination.handoffs", "Hand a subject over to another peer."},
    {"coordination.shared_state", "State that several peers share."},
    {"messaging.direct", "Reserved for messages between peers."},
    {"peers.registry", "Known peers and how far they are trusted."},
    {"discovery.tools", "The catalogue of operations with their schemas."},
}};

struct Workflow {
  const char* name;
  const char* description;
  std::vector<const char*> tools;
};

const std::vector<Workflow>& workflows() {
  static const std::vector<Workflow> all = {
      {"session_start", "Find out where the work stands.", {"continuity.read", "context.retrieve"}},
      {"session_end", "Leave behind what the next session needs.", {"continuity.upsert"}},
      {"handoff",
       "Give a subject to another peer.",
       {"continuity.read", "coordination.handoff_create", "coordination.handoff_consume"}},
  };
  return all;
}

Value protocol() {
  return Value::object(
      {{"name", "cognirelay-http"}, {"style", "mcp-2025-11-25"}, {"version", "1"}});
}

Value auth() { return Value::object({{"type", "bearer"}, {"header", "Authorization"}}); }

Value tool_entry(const Operation& operation) {
  Value entry = Value::object({{"name", operation.name},
                               {"description", operation.description},
                               {"method", operation.method},
                               {"path", operation.path},
                               {"scopes", Value::array_of(operation.scopes)},
                               {"idempotent", operation.idempotent},
                               {"input_schema", input_schema(operation)}});
  if (is_local_only(operation)) entry.set("local_only", true);
  return entry;
}

Value tool_list(const Catalogue& catalogue) {
  Value tools = Value::array();
  for (const Operation& operation : catalogue.operations) tools.push(tool_entry(operation));
  return tools;
}

Value tools_document(const Catalogue& catalogue) {
  return Value::object({{"ok", true},
                        {"protocol", protocol()},
                        {"count", catalogue.operations.size()},
                        {"tools", tool_list(catalogue)}});
}

Value workflows_document(const Catalogue&) {
  Value list = Value::array();
  for (const Workflow& workflow : workflows()) {
    Value steps = Value::array();
    int64_t order = 0;
    for (const char* tool : workflow.tools)
      steps.push(Value::object({{"order", ++order}, {"tool", tool}}));
    list.push(Value::object({{"name", workflow.name},
                             {"description", workflow.description},
                             {"steps", std::move(steps)}}));
  }
  return Value::object({{"ok", true}, {"count", workflows().size()}, {"workflows", list}});
}

Value discovery_document(const Catalogue& catalogue) {
  Value about = protocol();
  about.set("transport", "streamable-http");
  about.set("mcp_protocol_version", "2025-11-25");
  about.set("supported_mcp_protocol_versions", Value::array({"2025-06-18", "2025-11-25"}));
  about.set("post_endpoint", "/v1/mcp");
  about.set("get_endpoint", Value());
  return Value::object(
      {{"ok", true},
       {"protocol", std::move(about)},
       {"auth", auth()},
       {"entrypoints", Value::object({{"tools", "/v1/discovery/tools"},
                                      {"workflows", "/v1/discovery/workflows"},
                                      {"manifest", "/v1/manifest"},
                                      {"help", "/v1/help"},
                                      {"mcp", "/v1/mcp"}})},
       {"agent_guidance", "Read the startup view first; write back before the session ends."},
       {"counts", Value::object({{"tools", catalogue.operations.size()},
                                 {"workflows", workflows().size()}})}});
}

Value mcp_document(const Catalogue& catalogue) {
  return Value::object(
      {{"ok", true},
       {"name", "cognirelay"},
       {"version", catalogue.version},
       {"protocol_version", "2025-11-25"},
       {"supported_protocol_versions", Value::array({"2025-06-18", "2025-11-25"})},
       {"transport", Value::object({{"type", "streamable-http"}, {"endpoint", "/v1/mcp"}})},
       {"auth", auth()},
       {"capabilities", Value::object({{"tools", Value::object({{"listChanged", false}})}})}});
}

Value capabilities_document(const Catalogue&) {
  Value features = Value::object();
  for (const auto& [name, summary] : kFeatures)
    features.set(name, Value::object({{"summary", summary}}));
  return Value::object({{"version", "1"}, {"features", std::move(features)}});
}

Value features_document(const Catalogue&) {
  Value names = Value::array(
      {"continuity_state", "context_retrieve", "mcp_jsonrpc", "derived_graph_runtime_context"});
  for (const auto& [name, summary] : kFeatures) names.push(name);
  return Value::object({{"features", std::move(names)}});
}

Value manifest_document(const Catalogue& catalogue) {
  Value endpoints = Value::object();
  for (const Operation& operation : catalogue.operations)
    endpoints.set(
        operation.method + " " + operation.path,
        Value::object(
            {{"scope", operation.scopes.empty() ? Value() : Value(operation.scopes.front())}}));
  return Value::object({{"service", "cognirelay"},
                        {"version", catalogue.version},
                        {"auth", auth()},
                        {"endpoints", std::move(endpoints)}});
}

Value contracts_document(const Catalogue& catalogue) {
  const std::string text = service::continuity::canonical_text(tool_list(catalogue));
  return Value::object(
      {{"ok", true},
       {"contract_version", catalogue.contract_version},
       {"compatibility",
        Value::object({{"policy", "additive"},
                       {"breaking_change_rule", "A breaking change has a new contract version."}})},
       {"tool_catalog_hash", to_hex(sha256(text))}});
}

}  // namespace

Value mcp_tool(const Operation& operation) {
  return Value::object({{"name", operation.name},
                        {"description", operation.description},
                        {"inputSchema", input_schema(operation)},
                        {"metadata", Value::object({{"method", operation.method},
                                                    {"path", operation.path},
                                                    {"scopes", Value::array_of(operation.scopes)},
                                                    {"idempotent", operation.idempotent},
                                                    {"local_only", is_local_only(operation)}})}});
}

const std::vector<Document>& documents() {
  static const std::vector<Document> all = {
      {"capabilities", "/capabilities", "The names of what this server can do.", features_document},
      {"capabilities_v1", "/v1/capabilities", "What this server can do, with summaries.",
       capabilities_document},
      {"manifest", "/v1/manifest", "Every endpoint with its scope.", manifest_document},
      {"contracts", "/v1/contracts", "The contract version and the hash of the catalogue.",
       contracts_document},
      {"discovery", "/v1/discovery", "Where to begin.", discovery_document},
      {"discovery_tools", "/v1/discovery/tools", "The catalogue of operations.", tools_document},
      {"discovery_workflows", "/v1/discovery/workflows", "Operations in the order of use.",
       workflows_document},
      {nullptr, "/.well-known/cognirelay.json", nullptr, discovery_document},
      {nullptr, "/.well-known/mcp.json", nullptr, mcp_document},
  };
  return all;
}

}  // namespace holdfast::surface::continuity
