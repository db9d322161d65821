#include "service/chat/trace.h"

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/time_text.h"

namespace holdfast::service::chat {
namespace {

constexpr size_t kMostEvents = 50;

struct StageNames {
  std::string_view canonical;
  std::string_view flat;
};

constexpr std::array<StageNames, 10> kStages = {{{"normalize", "evidence_intake"},
                                                 {"modality_gate", "gate_normalize_modality"},
                                                 {"intent_gate", "gate_intent"},
                                                 {"risk_gate", "gate_sentinel"},
                                                 {"policy_engine", "policy_engine"},
                                                 {"breakpoint", "breakpoint"},
                                                 {"enrichment_lattice", "enrichment_lattice"},
                                                 {"compose_request", "compose_request"},
                                                 {"model_call", "model_call"},
                                                 {"output_gates", "output_gates"}}};

Value canonical_event(const TraceEvent& event, const std::string& run_id, const ChatRun& run) {
  Value out = Value::object({{"trace_event_id", event.id},
                             {"trace_run_id", run_id},
                             {"ts", format_millis(event.at)},
                             {"actor", event.actor},
                             {"phase", phase_name(event.stage, Dialect::kCanonical)},
                             {"status", event.status},
                             {"thread_id", run.thread_id}});
  if (!run.request_id.empty()) out.set("request_id", run.request_id);
  if (!run.message_id.empty()) out.set("message_id", run.message_id);
  if (!event.summary.empty()) out.set("summary", event.summary);
  if (const Value::Object* members = event.detail.if_object()) {
    for (const Value::Member& member : *members) out.set(member.name, member.value);
  }
  return out;
}

Value flat_event(const TraceEvent& event, size_t seq, const std::string& run_id,
                 const std::string& transmission_id) {
  Value metadata = Value::object({{"seq", seq}});
  if (const Value::Object* members = event.detail.if_object()) {
    for (const Value::Member& member : *members) metadata.set(member.name, member.value);
  }
  Value out = Value::object({{"id", event.id},
                             {"traceRunId", run_id},
                             {"transmissionId", transmission_id},
                             {"ts", format_millis(event.at)},
                             {"actor", event.actor},
                             {"phase", phase_name(event.stage, Dialect::kFlat)},
                             {"status", event.status}});
  if (!event.summary.empty()) out.set("summary", event.summary);
  out.set("metadata", std::move(metadata));
  return out;
}

}  // namespace

std::string_view phase_name(Stage stage, Dialect dialect) {
  const StageNames& names = kStages[static_cast<size_t>(stage)];
  return dialect == Dialect::kCanonical ? names.canonical : names.flat;
}

Trace::Trace(const Clock& clock, const ChatRun& run) : clock_(clock), run_id_(make_uuid()) {
  add(Stage::kNormalize, "started");
  add(Stage::kNormalize, "completed",
      run.url_hosts.empty() ? std::string() : std::to_string(run.url_hosts.size()) + " links");
}

void Trace::add(Stage stage, std::string status, std::string summary, Value detail) {
  Timestamp at = clock_.now();
  if (!events_.empty()) at = std::max(at, events_.back().at);
  events_.push_back({.id = make_uuid(),
                     .at = at,
                     .stage = stage,
                     .status = std::move(status),
                     .summary = std::move(summary),
                     .detail = std::move(detail)});
}

void Trace::add_model(Stage stage, std::string status, std::string summary, Value detail) {
  add(stage, std::move(status), std::move(summary), std::move(detail));
  events_.back().actor = "model";
}

Value Trace::events(const ChatRun& run, const std::string& transmission_id) const {
  Value out = Value::array();
  const size_t first = events_.size() > kMostEvents ? events_.size() - kMostEvents : 0;
  for (size_t i = first; i < events_.size(); ++i) {
    out.push(run.dialect == Dialect::kCanonical
                 ? canonical_event(events_[i], run_id_, run)
                 : flat_event(events_[i], i, run_id_, transmission_id));
  }
  return out;
}

Value Trace::phase_counts() const {
  Value out = Value::object();
  for (size_t stage = 0; stage < kStages.size(); ++stage) {
    const auto count = std::ranges::count_if(
        events_, [&](const TraceEvent& event) { return event.stage == static_cast<Stage>(stage); });
    if (count > 0) out.set(kStages[stage].flat, count);
  }
  return out;
}

}  // namespace holdfast::service::chat
