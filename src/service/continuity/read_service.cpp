#include "service/continuity/read_service.h"

#include <fmt/format.h>

#include "service/continuity/capsule_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/rules.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
namespace {

struct Found {
  std::string stem = {};
  std::string source_state = "missing";
  Value capsule = {};
  std::vector<std::string> recovery = {};
};

Result<Found> find_capsule(storage::ReadTxn& txn, const Access& access, const Request& request) {
  const Subject subject = request.subject();
  Found found;
  HOLDFAST_TRY(found.stem, find_stem(txn, access, subject));
  HOLDFAST_CHECK_OK(require_read(request.call, active_path(found.stem)));
  HOLDFAST_TRY(auto active, load_active(txn, access, subject));
  if (active && active->valid()) {
    found.source_state = "active";
    found.capsule = std::move(active->stored.capsule);
    return found;
  }
  if (!flag_of(request.args, "allow_fallback")) {
    if (!active) return absent(std::string(kCapsuleMissing));
    return bad_request("Invalid continuity capsule: " + active->problem);
  }
  found.recovery.emplace_back(active ? "continuity_active_invalid" : "continuity_active_missing");
  HOLDFAST_CHECK_OK(require_read(request.call, fallback_path(found.stem)));
  HOLDFAST_TRY(auto fallback, load_fallback(txn, access, subject));
  if (!fallback || !fallback->valid()) {
    found.recovery.emplace_back("continuity_fallback_missing");
    return found;
  }
  found.recovery.emplace_back("continuity_fallback_used");
  found.source_state = "fallback";
  found.capsule = std::move(fallback->stored.capsule);
  return found;
}

Value copy_of(const Value& from, std::initializer_list<const char*> names) {
  Value out = Value::object();
  for (const char* name : names) {
    const Value* member = from.find(name);
    out.set(name, member != nullptr ? *member : Value::array());
  }
  return out;
}

Value active_rationale(const Value& state) {
  Value out = Value::array();
  for (const Value& entry : list_of(state, "rationale_entries")) {
    if (text_of(entry, "status") == "active") out.push(entry);
  }
  return out;
}

Value startup_summary(const Found& found, const Subject& subject, const Value& trust) {
  Value recovery_warnings = Value::array_of(found.recovery);
  const bool here = !found.capsule.is_null();
  if (here && (subject.kind == "thread" || subject.kind == "task") &&
      present(found.capsule, "thread_descriptor") == nullptr)
    recovery_warnings.push("continuity_thread_descriptor_missing:thread:" + subject.id);
  const Value* health = here ? present(found.capsule, "capsule_health") : nullptr;
  Value summary = Value::object(
      {{"recovery", Value::object({{"source_state", found.source_state},
                                   {"recovery_warnings", recovery_warnings},
                                   {"capsule_health_status",
                                    health != nullptr ? *health->find("status") : Value()},
                                   {"capsule_health_reasons", health_reasons(found.capsule)}})}});
  if (!here) {
    for (const char* name :
         {"orientation", "context", "updated_at", "trust_signals", "stable_preferences"})
      summary.set(name, Value());
    return summary;
  }
  const Value& state = *found.capsule.find("continuity");
  Value orientation =
      copy_of(state, {"top_priorities", "active_constraints", "open_loops", "negative_decisions"});
  orientation.set("rationale_entries", active_rationale(state));
  summary.set("orientation", std::move(orientation));
  summary.set("context",
              copy_of(state, {"session_trajectory", "stance_summary", "active_concerns"}));
  summary.set("updated_at", text_of(found.capsule, "updated_at"));
  summary.set("trust_signals", trust);
  summary.set("stable_preferences", list_of(found.capsule, "stable_preferences"));
  return summary;
}

}  // namespace

Value shown(const Value& capsule, std::vector<std::string>& recovery) {
  Value out = capsule;
  Value* state = out.find("continuity");
  const Value* documents = state != nullptr ? state->find("related_documents") : nullptr;
  if (documents == nullptr) return out;
  const DocumentsProblem problem = related_documents_problem(*documents);
  if (problem.detail.empty()) return out;
  remove_member(*state, "related_documents");
  recovery.emplace_back(problem.embedded ? "related_documents_omitted_non_metadata"
                                         : "related_documents_omitted_invalid");
  return out;
}

void warn_superseded(const Value& capsule, const Subject& subject,
                     std::vector<std::string>& recovery) {
  const Value* descriptor = present(capsule, "thread_descriptor");
  if (descriptor == nullptr || text_of(*descriptor, "lifecycle") != "superseded") return;
  const std::string successor = text_of(*descriptor, "superseded_by");
  recovery.push_back(fmt::format("continuity_capsule_superseded:thread:{}→{}", subject.id,
                                 successor.empty() ? "unknown" : successor));
}

Result<Value> ReadService::read(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  const Subject subject = request.subject();
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(Found found, find_capsule(*txn, access, request));
  Value trust;
  if (!found.capsule.is_null()) {
    found.capsule = shown(found.capsule, found.recovery);
    warn_superseded(found.capsule, subject, found.recovery);
    trust = trust_signals(found.capsule, found.source_state, clock_.now());
  }
  if (!request.looking) trail_.note(access.space(), found.stem, clock_.now());
  Value answer = Value::object({{"ok", true},
                                {"path", active_path(found.stem)},
                                {"capsule", found.capsule},
                                {"archived", false},
                                {"source_state", found.source_state},
                                {"recovery_warnings", Value::array_of(found.recovery)},
                                {"trust_signals", trust}});
  if (request.text("view") == "startup") {
    answer.set("startup_summary", startup_summary(found, subject, trust));
    HOLDFAST_TRY(Value graph, sources_.graph(request, access, *txn, subject));
    answer.set("graph_summary", std::move(graph));
    HOLDFAST_TRY(Value schedule, sources_.schedule(request, access, *txn, subject));
    answer.set("schedule_context", std::move(schedule));
  }
  return answer;
}

}  // namespace holdfast::service::continuity
