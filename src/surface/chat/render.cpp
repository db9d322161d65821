#include "surface/chat/render.h"

#include "base/time_text.h"
#include "service/chat/gates.h"
#include "surface/chat/names.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::ChatOutcome;
using service::chat::ChatReply;
using service::chat::ChatRun;
using service::chat::Execution;
using service::chat::TraceLevel;
using service::chat::UsedMemory;

constexpr std::string_view kPolicyVersion = "policy-v0";

double dollars(int64_t micros) { return static_cast<double>(micros) / 1e6; }

Value blocks_value(const service::chat::AssembledBlocks& blocks) {
  return Value::object({{"baselineCount", service::chat::baseline_blocks().size()},
                        {"acceptedCount", blocks.accepted},
                        {"droppedCount", blocks.dropped},
                        {"trimmedCount", blocks.trimmed}});
}

Value memories_value(const std::vector<UsedMemory>& memories) {
  Value list = Value::array();
  for (const UsedMemory& memory : memories) {
    list.push(Value::object({{"memory_id", memory.memory_id},
                             {"domain", or_null(memory.domain)},
                             {"title", or_null(memory.title)},
                             {"summary", memory.summary}}));
  }
  return list;
}

Value token_usage_value(const service::chat::TokenUsage& usage) {
  return Value::object({{"input_tokens", usage.input_tokens},
                        {"output_tokens", usage.output_tokens},
                        {"total_tokens", usage.input_tokens + usage.output_tokens},
                        {"latency_ms", usage.latency_ms},
                        {"estimated_cost", dollars(usage.cost_micros)}});
}

Value audit_value(const ChatRun& run, const Execution& execution) {
  Value audit =
      Value::object({{"pinned_context_ref_used", Value::object({{"id", run.pinned.id},
                                                                {"version", run.pinned.version},
                                                                {"hash", run.pinned.hash}})},
                     {"policy_version", kPolicyVersion},
                     {"mode_label_used", execution.mode.label},
                     {"rigor_gates_enabled", Value::array_of(execution.rigor_gates)},
                     {"regen_count", execution.regenerations},
                     {"linter_flags", Value::array_of(execution.linter_flags)}});
  if (execution.provider != "embedded") {
    audit.set("provider_usage",
              Value::object({{"prompt_tokens", execution.prompt_tokens.value_or(0)},
                             {"completion_tokens", execution.completion_tokens.value_or(0)},
                             {"model", execution.model}}));
  }
  return audit;
}

Value lattice_value(const Execution& execution) {
  Value ids = Value::array();
  size_t bytes = 0;
  for (const UsedMemory& memory : execution.memories) {
    ids.push(memory.memory_id);
    bytes += memory.summary.size();
  }
  return Value::object(
      {{"status", execution.memories.empty() ? "miss" : "hit"},
       {"retrieval_trace", Value::object({{"memory_ids", std::move(ids)},
                                          {"memento_ids", Value::array()},
                                          {"policy_capsule_ids", Value::array()}})},
       {"counts",
        Value::object(
            {{"memories", execution.memories.size()}, {"mementos", 0}, {"policy_capsules", 0}})},
       {"bytes_total", bytes},
       {"timings_ms", Value::object({{"total", execution.usage.latency_ms}})}});
}

Value envelope_value(const ChatOutcome& outcome, const std::string& policy) {
  const Execution& execution = outcome.execution;
  return Value::object({{"assistant_text", execution.output_text},
                        {"notification_policy", policy},
                        {"meta", Value::object({{"meta_version", "v1"},
                                                {"persona_label", execution.mode.persona},
                                                {"notification_policy", policy},
                                                {"lattice", lattice_value(execution)}})}});
}

Value evidence_summary(const ChatRun& run) {
  const service::chat::EvidenceCounts& counts = run.evidence_counts;
  return Value::object({{"captures", counts.captures},
                        {"supports", counts.supports},
                        {"claims", counts.claims},
                        {"warnings", 0}});
}

}  // namespace

std::string notification_policy(const ChatRun& run) {
  if (service::chat::judge_risk(run.input_text).urgent) return "urgent";
  std::string fallback = run.simulate ? "silent" : "alert";
  if (run.notification_policy.empty()) return fallback;
  const bool may_be_urgent = service::chat::choose_mode(run.input_text).high_rigor();
  if (run.notification_policy == "urgent" && !may_be_urgent) return fallback;
  return run.notification_policy;
}

Value canonical_answer(const ChatOutcome& outcome, const RenderOptions& options) {
  const ChatRun& run = outcome.run;
  const Execution& execution = outcome.execution;
  Value trace = Value::object({{"trace_run_id", outcome.trace.run_id()},
                               {"level", enum_name(run.level)},
                               {"event_count", outcome.trace.count()}});
  if (run.level == TraceLevel::kDebug)
    trace.set("events", outcome.trace.events(run, outcome.transmission_id));
  Value body =
      Value::object({{"request_id", run.request_id},
                     {"assistant_message", Value::object({{"message_id", outcome.message_id},
                                                          {"output_text", execution.output_text}})},
                     {"retrieved_memories_used", memories_value(execution.memories)},
                     {"usage", token_usage_value(execution.usage)},
                     {"trace", std::move(trace)},
                     {"driverBlocks", blocks_value(execution.blocks)}});
  if (run.level == TraceLevel::kDebug || run.audit || options.audit_always)
    body.set("audit", audit_value(run, execution));
  return body;
}

Value flat_answer(const ChatOutcome& outcome) {
  const ChatRun& run = outcome.run;
  const Execution& execution = outcome.execution;
  const std::string policy = notification_policy(run);
  Value trace = Value::object({{"traceRunId", outcome.trace.run_id()},
                               {"level", enum_name(run.level)},
                               {"eventCount", outcome.trace.count()}});
  if (run.level == TraceLevel::kDebug) {
    trace.set("events", outcome.trace.events(run, outcome.transmission_id));
  } else {
    trace.set("phaseCounts", outcome.trace.phase_counts());
  }
  Value body =
      Value::object({{"ok", true},
                     {"transmissionId", outcome.transmission_id},
                     {"modeDecision",
                      Value::object({{"modeLabel", execution.mode.label},
                                     {"personaLabel", execution.mode.persona},
                                     {"domainFlags", Value::array_of(execution.mode.domain_flags)},
                                     {"confidence", execution.mode.confidence},
                                     {"checkpointNeeded", execution.mode.checkpoint_needed},
                                     {"reasons", Value::array_of(execution.mode.reasons)},
                                     {"version", "mode-engine-v0"}})},
                     {"assistant", execution.output_text},
                     {"outputEnvelope", envelope_value(outcome, policy)},
                     {"threadMemento", Value()},
                     {"driverBlocks", blocks_value(execution.blocks)},
                     {"evidenceSummary", evidence_summary(run)},
                     {"trace", std::move(trace)},
                     {"notification_policy", policy}});
  if (!run.forced_persona.empty()) body.set("forced_persona", run.forced_persona);
  return body;
}

Value canonical_pending(const ChatRun& run, const ChatReply& reply) {
  return Value::object({{"request_id", run.request_id},
                        {"transmission_id", reply.transmission_id},
                        {"status", "pending"},
                        {"trace", Value::object({{"trace_run_id", reply.trace_run_id},
                                                 {"level", enum_name(reply.level)}})}});
}

Value flat_pending(const ChatRun& run, const ChatReply& reply) {
  return Value::object({{"ok", true},
                        {"transmissionId", reply.transmission_id},
                        {"status", "processing"},
                        {"pending", true},
                        {"threadMemento", Value()},
                        {"evidenceSummary", evidence_summary(run)},
                        {"notification_policy", notification_policy(run)}});
}

}  // namespace holdfast::surface::chat
