#include "service/continuity/member_order.h"

namespace holdfast::service::continuity {
namespace {

// Files have their members sorted; answers have them in the contract's order.
Value in_order(const Value& body, std::initializer_list<const char*> names) {
  Value out = Value::object();
  for (const char* name : names) {
    if (const Value* member = body.find(name)) out.set(name, *member);
  }
  for (const auto& member : *body.if_object()) {
    if (out.find(member.name) == nullptr) out.set(member.name, member.value);
  }
  return out;
}

}  // namespace

// One order fits all artefacts: what one has and another lacks is skipped.
Value ordered_artefact(const Value& body) {
  Value out = in_order(body, {"schema_type",
                              "schema_version",
                              "handoff_id",
                              "shared_id",
                              "reconciliation_id",
                              "created_at",
                              "updated_at",
                              "created_by",
                              "opened_by",
                              "owner_peer",
                              "sender_peer",
                              "recipient_peer",
                              "participant_peers",
                              "source_selector",
                              "source_summary",
                              "task_id",
                              "thread_id",
                              "title",
                              "summary",
                              "note",
                              "classification",
                              "trigger",
                              "claims",
                              "shared_continuity",
                              "shared_state",
                              "recipient_status",
                              "recipient_reason",
                              "consumed_at",
                              "consumed_by",
                              "status",
                              "resolution_outcome",
                              "resolution_summary",
                              "resolved_at",
                              "resolved_by",
                              "version",
                              "last_updated_by"});
  const auto inner = [&](const char* name, std::initializer_list<const char*> names) {
    if (Value* member = out.find(name); member != nullptr && member->is_object())
      *member = in_order(*member, names);
  };
  inner("source_selector", {"subject_kind", "subject_id"});
  inner("source_summary",
        {"path", "updated_at", "verified_at", "verification_status", "health_status"});
  inner("shared_state", {"constraints", "drift_signals", "coordination_alerts"});
  if (Value* claims = out.find("claims"); claims != nullptr && claims->is_array()) {
    for (Value& claim : *claims->if_array()) {
      if (claim.is_object())
        claim = in_order(claim, {"source_kind", "source_id", "claimant_peer", "claim_summary",
                                 "epistemic_status", "evidence_refs", "observed_version"});
    }
  }
  return out;
}

Value ordered_task(const Value& body) {
  return in_order(body,
                  {"task_id", "title", "description", "status", "owner_peer", "collaborators",
                   "thread_id", "blocked_by", "due_at", "metadata", "created_at", "updated_at"});
}

Value ordered_peer(const Value& body) {
  return in_order(body, {"peer_id", "base_url", "public_key", "capabilities_url", "trust_level",
                         "allowed_scopes", "public_key_fingerprint", "updated_at"});
}

}  // namespace holdfast::service::continuity
