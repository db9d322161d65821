#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/time_text.h"
#include "service/continuity/capsule.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/descriptor.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/normalise.h"
#include "service/continuity/rules.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<const char*, 13> kCompared = {
    "subject_kind", "subject_id",         "schema_version",   "updated_at", "source",
    "continuity",   "confidence",         "attention_policy", "freshness",  "canonical_sources",
    "metadata",     "stable_preferences", "thread_descriptor"};

void differ(const Value* stored, const Value* candidate, const Shape& shape,
            const std::string& path, std::vector<std::string>& out) {
  const bool no_stored = stored == nullptr || stored->is_null();
  const bool no_candidate = candidate == nullptr || candidate->is_null();
  if (no_stored && no_candidate) return;
  if (no_stored || no_candidate) return out.push_back(path);
  if (!stored->is_object() || !candidate->is_object()) {
    if (!json_equal(*stored, *candidate)) out.push_back(path);
    return;
  }
  if (shape.type == Shape::Type::kObject) {
    for (const Member& member : shape.members)
      differ(stored->find(member.name), candidate->find(member.name), member,
             path + "." + member.name, out);
    return;
  }
  std::vector<std::string> names;
  for (const Value* side : {stored, candidate}) {
    for (const auto& member : *side->if_object()) names.push_back(member.name);
  }
  sort_once(names);
  for (const std::string& name : names)
    differ(stored->find(name), candidate->find(name), any(), path + "." + name, out);
}

const Shape& shape_of(std::string_view name) {
  const auto& members = capsule_shape().members;
  return *std::ranges::find(members, name, &Member::name);
}

Status check_signals(const Request& request) {
  for (const Value& signal : list_of(request.args, "signals"))
    HOLDFAST_CHECK_OK(require_utc(text_of(signal, "observed_at"), "signals.observed_at"));
  return {};
}

std::string strongest_signal(const Request& request) {
  std::string best;
  for (const Value& signal : list_of(request.args, "signals")) {
    const std::string kind = text_of(signal, "kind");
    if (best.empty() || signal_strength(kind) > signal_strength(best)) best = kind;
  }
  return best;
}

Result<Value> candidate_of(const Request& request) {
  Value candidate = tidy(*request.args.find("candidate_capsule"));
  if (text_of(candidate, "subject_kind") != request.text("subject_kind") ||
      text_of(candidate, "subject_id") != request.text("subject_id"))
    return bad_request("Candidate capsule subject does not match request subject");
  return candidate;
}

// Which outcome takes a candidate and a reason.
Status check_outcome(const Request& request) {
  const std::string outcome = request.text("outcome");
  const bool candidate = present(request.args, "candidate_capsule") != nullptr;
  const bool reason = present(request.args, "reason") != nullptr;
  if (outcome == "correct" && !candidate)
    return bad_request("candidate_capsule is required for outcome=correct");
  if (outcome != "correct" && candidate)
    return bad_request(fmt::format("candidate_capsule is not allowed for outcome={}", outcome));
  if (outcome == "confirm" && reason)
    return bad_request("reason is not allowed for outcome=confirm");
  if ((outcome == "degrade" || outcome == "conflict") && !reason)
    return bad_request(fmt::format("reason is required for outcome={}", outcome));
  return {};
}

std::string confirmed_status(std::string_view signal) {
  if (signal == "external_observation") return "externally_supported";
  if (signal == "peer_confirmation") return "peer_confirmed";
  if (signal == "user_confirmation") return "user_confirmed";
  return signal == "system_check" ? "system_confirmed" : "self_attested";
}

// The candidate of a correction, through the first half of upsert's pipeline.
Result<Value> correction_of(const Request& request) {
  if (request.text("outcome") != "correct") return Value();
  HOLDFAST_TRY(Value candidate, candidate_of(request));
  forget_lifecycle(candidate);
  HOLDFAST_CHECK_OK(check_capsule(candidate));
  return candidate;
}

// The second half: with the times and the lifecycle of what is stored.
Result<Value> corrected(Value candidate, const Value& stored) {
  normalise(candidate);
  stamp_entries(candidate, &stored);
  HOLDFAST_CHECK_OK(check_capsule(candidate));
  carry_lifecycle(candidate, &stored);
  std::vector<ShapeIssue> none;
  return tidy(take(capsule_shape(), candidate, none));
}

void mark(Value& capsule, const Request& request, const std::string& outcome,
          const std::string& now) {
  const std::string signal = strongest_signal(request);
  const bool conflict = outcome == "conflict";
  Value refs = Value::array();
  for (const Value& one : list_of(request.args, "signals")) {
    if (refs.if_array()->size() < 4) refs.push(text_of(one, "source_ref"));
  }
  Value state = Value::object({{"status", conflict ? "conflicted" : confirmed_status(signal)},
                               {"last_revalidated_at", now},
                               {"strongest_signal", signal},
                               {"evidence_refs", refs}});
  if (conflict) state.set("conflict_summary", request.text("reason"));
  const bool healthy = outcome == "confirm" || outcome == "correct";
  Value reasons = Value::array();
  if (!healthy) reasons.push(request.text("reason"));
  capsule.set("verified_at", now);
  capsule.set("verification_kind", signal);
  capsule.set("verification_state", std::move(state));
  capsule.set("capsule_health", Value::object({{"status", healthy    ? "healthy"
                                                          : conflict ? "conflicted"
                                                                     : "degraded"},
                                               {"reasons", reasons},
                                               {"last_checked_at", now}}));
}

}  // namespace

std::vector<std::string> differences(const Value& stored, const Value& candidate) {
  std::vector<std::string> out;
  for (const char* name : kCompared) {
    const Value* left = stored.find(name);
    const Value* right = candidate.find(name);
    if (std::string_view(name) == "updated_at" && left != nullptr && right != nullptr &&
        parse_iso(*left->if_string()) == parse_iso(*right->if_string()))
      continue;
    differ(left, right, shape_of(name), name, out);
  }
  return out;
}

Result<Value> CapsuleService::compare(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(check_signals(request));
  HOLDFAST_TRY(Value candidate, candidate_of(request));
  HOLDFAST_CHECK_OK(check_capsule(candidate));
  HOLDFAST_CHECK_OK(check_verification(candidate));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const std::string stem, find_stem(*txn, access, request.subject()));
  HOLDFAST_CHECK_OK(require_read(request.call, active_path(stem)));
  HOLDFAST_TRY(const StoredCapsule stored,
               require_active(*txn, access, request.subject(), kCapsuleMissing,
                              "Invalid continuity capsule: "));
  const std::vector<std::string> changed = differences(stored.capsule, candidate);
  const std::string signal = strongest_signal(request);
  const char* outcome = changed.empty()           ? "confirm"
                        : signal == "self_review" ? "conflict"
                                                  : "correct";
  return Value::object({{"ok", true},
                        {"path", active_path(stem)},
                        {"identical", changed.empty()},
                        {"changed_fields", Value::array_of(changed)},
                        {"strongest_signal", signal},
                        {"recommended_outcome", outcome}});
}

Result<Value> CapsuleService::revalidate(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(check_signals(request));
  HOLDFAST_CHECK_OK(check_outcome(request));
  HOLDFAST_TRY(const Value correction, correction_of(request));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(store_, request.call, [&](storage::WriteTxn& txn) {
    return revalidate_in(txn, access, request, correction);
  });
}

Result<Value> CapsuleService::revalidate_in(storage::WriteTxn& txn, const Access& access,
                                            const Request& request, const Value& correction) const {
  const Subject subject = request.subject();
  HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
  HOLDFAST_CHECK_OK(require_read(request.call, active_path(stem)));
  HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
  HOLDFAST_TRY(StoredCapsule stored, require_active(txn, access, subject, kCapsuleMissing,
                                                    "stored capsule is invalid: "));
  std::string outcome = request.text("outcome");
  bool replaced = false;
  if (outcome == "correct") {
    HOLDFAST_TRY(Value candidate, corrected(correction, stored.capsule));
    replaced = !differences(stored.capsule, candidate).empty();
    if (replaced) {
      HOLDFAST_CHECK_OK(check_newer(candidate, stored.capsule));
      stored.capsule = std::move(candidate);
    } else {
      outcome = "confirm";
    }
  }
  mark(stored.capsule, request, outcome, format_seconds(clock_.now()));
  HOLDFAST_CHECK_OK(check_size(stored.capsule));
  std::vector<ShapeIssue> none;
  stored.capsule = tidy(take(capsule_shape(), stored.capsule, none));
  stored.has_fallback = true;
  HOLDFAST_TRY(const std::string commit,
               put_active(txn, access, stored,
                          fmt::format("continuity: revalidate {} {}", subject.kind, subject.id)));
  return Value::object({{"ok", true},
                        {"path", active_path(stem)},
                        {"outcome", outcome},
                        {"updated", replaced},
                        {"verification_state", *stored.capsule.find("verification_state")},
                        {"capsule_health", *stored.capsule.find("capsule_health")},
                        {"durable", true},
                        {"latest_commit", commit},
                        {"warnings", Value::array()},
                        {"recovery_warnings", Value::array()},
                        {"fallback_warning_detail", Value()}});
}

}  // namespace holdfast::service::continuity
