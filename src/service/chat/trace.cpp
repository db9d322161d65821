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
  std::string_view flat_start = flat;  // where the flat dialect has a phase of its own for it
};

constexpr std::array<StageNames, 10> kStages = {
    {{"normalize", "gate_url_extraction", "evidence_intake"},
     {"modality_gate", "gate_normalize_modality"},
     {"intent_gate", "gate_intent"},
     {"risk_gate", "gate_sentinel"},
     {"policy_engine", "policy_engine"},
     {"breakpoint", "breakpoint"},
     {"enrichment_lattice", "enrichment_lattice", "gate_lattice"},
     {"compose_request", "compose_request"},
     {"model_call", "model_call"},
     {"output_gates", "output_gates"}}};

const StageNames& names_of(const TraceEvent& event) {
  return kStages[static_cast<size_t>(event.stage)];
}

std::string_view flat_phase(const TraceEvent& event) {
  return event.status == "started" ? names_of(event).flat_start : names_of(event).flat;
}

size_t count_links(std::string_view text) {
  size_t count = 0;
  for (const std::string_view scheme : {"http://", "https://"}) {
    for (size_t at = text.find(scheme); at != std::string_view::npos;
         at = text.find(scheme, at + 1))
      ++count;
  }
  return count;
}

Value canonical_event(const TraceEvent& event, const std::string& run_id, const ChatRun& run) {
  Value out = Value::object({{"trace_event_id", event.id},
                             {"trace_run_id", run_id},
                             {"ts", format_millis(event.at)},
                             {"actor", event.actor},
                             {"phase", names_of(event).canonical},
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
                             {"phase", flat_phase(event)},
                             {"status", event.status}});
  if (!event.summary.empty()) out.set("summary", event.summary);
  out.set("metadata", std::move(metadata));
  return out;
}

}  // namespace

Trace::Trace(const Clock& clock, const ChatRun& run) : clock_(clock), run_id_(make_uuid()) {
  add(Stage::kNormalize, "started");
  const size_t links = count_links(run.input_text);
  add(Stage::kNormalize, "completed",
      links == 0 ? std::string() : std::to_string(links) + " links");
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
  for (const TraceEvent& event : events_) {
    const std::string_view phase = flat_phase(event);
    if (out.find(phase) == nullptr) out.set(phase, std::ranges::count(events_, phase, flat_phase));
  }
  return out;
}

}  // namespace holdfast::service::chat
