// Handing a subject over to a peer.

#include <fmt/format.h>

#include "base/time_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/coordination_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
Result<Value> CoordinationService::create_handoff(const Request& request) {
  const Artefact& artefact = handoff_artefact();
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_write(request.call, artefact.folder));
  const Subject subject = request.subject();
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
    HOLDFAST_CHECK_OK(require_read(request.call, active_path(stem)));
    HOLDFAST_CHECK_OK(require_peer(txn, access, request.text("recipient_peer")));
    HOLDFAST_CHECK_OK(check_message(request, "handoff"));
    HOLDFAST_TRY(const StoredCapsule stored, require_active(txn, access, subject, kCapsuleMissing,
                                                            "Invalid continuity capsule: "));
    const Value& capsule = stored.capsule;
    const Value& state = *capsule.find("continuity");
    const std::string id = new_artefact_id(artefact);
    const std::string peer = peer_of(request.call);
    const Value handoff = Value::object(
        {{"schema_type", "continuity_handoff"},
         {"schema_version", "1.0"},
         {"handoff_id", id},
         {"created_at", format_seconds(clock_.now())},
         {"created_by", peer},
         {"sender_peer", peer},
         {"recipient_peer", request.text("recipient_peer")},
         {"source_selector",
          Value::object({{"subject_kind", subject.kind}, {"subject_id", subject.id}})},
         {"source_summary", Value::object({{"path", active_path(stem)},
                                           {"updated_at", text_of(capsule, "updated_at")},
                                           {"verified_at", text_of(capsule, "verified_at")},
                                           {"verification_status", verification_status(capsule)},
                                           {"health_status", health_status(capsule)}})},
         {"task_id", or_null(request.args, "task_id")},
         {"thread_id", or_null(request.args, "thread_id")},
         {"note", or_null(request.args, "note")},
         {"shared_continuity",
          Value::object({{"active_constraints", list_of(state, "active_constraints")},
                         {"drift_signals", list_of(state, "drift_signals")}})},
         {"recipient_status", "pending"},
         {"recipient_reason", Value()},
         {"consumed_at", Value()},
         {"consumed_by", Value()}});
    HOLDFAST_TRY(const std::string commit,
                 put_document(txn, access, artefact.noun, id, handoff,
                              request.message_or("handoff: create " + id)));
    return Value::object({{"ok", true},
                          {"handoff", handoff},
                          {"path", artefact_path(artefact, id)},
                          {"created", true},
                          {"latest_commit", commit}});
  });
}

Result<Value> CoordinationService::query_handoffs(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  if (request.text("recipient_peer").empty() && request.text("sender_peer").empty())
    return bad_request("recipient_peer or sender_peer is required");
  constexpr const char* kForeign = "Non-admin callers may query only their own handoff identity";
  HOLDFAST_CHECK_OK(
      check_identities(request, {"recipient_peer", "sender_peer"}, kForeign, kForeign));
  return query(request, handoff_artefact(), "handoffs",
               {{facet::kPeer, "recipient_peer"},
                {facet::kSender, "sender_peer"},
                {facet::kStatus, "status"}});
}

Result<Value> CoordinationService::consume_handoff(const Request& request) {
  const Artefact& artefact = handoff_artefact();
  const std::string id = request.text("handoff_id");
  HOLDFAST_CHECK_OK(check_artefact_id(artefact, id));
  const Value note = or_null(request.args, "note");
  const std::string status = request.text("status");
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(Value handoff, require_artefact(txn, access, artefact, id));
    const std::string peer = peer_of(request.call);
    if (text_of(handoff, "recipient_peer") != peer)
      return denied("Only the intended recipient may consume this handoff");
    const bool same = text_of(handoff, "recipient_status") == status &&
                      or_null(handoff, "recipient_reason") == note;
    const bool pending = text_of(handoff, "recipient_status") == "pending";
    if (!same && !pending) return clash("Handoff has already been consumed");
    std::string commit;
    if (same) {
      HOLDFAST_TRY(commit, position_text(txn));
    } else {
      handoff.set("recipient_status", status);
      handoff.set("recipient_reason", note);
      handoff.set("consumed_at", format_seconds(clock_.now()));
      handoff.set("consumed_by", peer);
      HOLDFAST_TRY(commit, put_document(txn, access, artefact.noun, id, handoff,
                                        fmt::format("handoff: consume {} {}", id, status)));
    }
    return Value::object({{"ok", true},
                          {"handoff", handoff},
                          {"path", artefact_path(artefact, id)},
                          {"updated", !same},
                          {"latest_commit", commit}});
  });
}

}  // namespace holdfast::service::continuity
