#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/time_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/coordination_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

Status check_texts(const Request& request) {
  const Value& args = request.args;
  HOLDFAST_CHECK_OK(check_length(or_null(args, "title"), "reconciliation.title", 1, 120));
  HOLDFAST_CHECK_OK(check_length(or_null(args, "summary"), "reconciliation.summary", 1, 240));
  HOLDFAST_CHECK_OK(
      check_length(or_null(args, "commit_message"), "reconciliation.commit_message", 0, 120));
  for (const Value& claim : list_of(args, "claims")) {
    HOLDFAST_CHECK_OK(
        check_length(or_null(claim, "claim_summary"), "reconciliation.claim_summary", 1, 240));
    for (const Value& ref : list_of(claim, "evidence_refs"))
      HOLDFAST_CHECK_OK(check_length(ref, "reconciliation.evidence_refs", 1, 160));
  }
  return {};
}

bool fits_trigger(const std::string& trigger, bool handoffs, bool shared) {
  if (trigger == "handoff_vs_handoff") return handoffs && !shared;
  if (trigger == "handoff_vs_shared") return handoffs && shared;
  return shared && !handoffs;
}

Status check_claims(const Request& request) {
  const Value::Array& claims = list_of(request.args, "claims");
  if (claims.size() < 2) return bad_request("Reconciliation must include at least two claims");
  if (request.text("task_id").empty() && request.text("thread_id").empty())
    return bad_request("task_id or thread_id is required");
  std::set<std::vector<std::string>> seen;
  bool handoffs = false;
  bool shared = false;
  for (const Value& claim : claims) {
    const std::string kind = text_of(claim, "source_kind");
    if (!seen.insert({kind, text_of(claim, "source_id"), text_of(claim, "claimant_peer")}).second)
      return bad_request("Reconciliation claims must be unique");
    const bool version = present(claim, "observed_version") != nullptr;
    if (kind == "shared" && !version)
      return bad_request("observed_version is required for shared claims");
    if (kind == "handoff" && version)
      return bad_request("observed_version is not allowed for handoff claims");
    handoffs = handoffs || kind == "handoff";
    shared = shared || kind == "shared";
  }
  if (!fits_trigger(request.text("trigger"), handoffs, shared))
    return bad_request("trigger does not match claim source kinds");
  return {};
}

Status check_source(storage::ReadTxn& txn, const Access& access, const Request& request,
                    const Value& claim) {
  const std::string claimant = text_of(claim, "claimant_peer");
  HOLDFAST_CHECK_OK(require_peer(txn, access, claimant));
  const bool shared = text_of(claim, "source_kind") == "shared";
  const Artefact& artefact = shared ? shared_artefact() : handoff_artefact();
  const std::string id = text_of(claim, "source_id");
  const auto found = find_document(txn, access, artefact.noun, id);
  if (!found && found.error().code == ErrorCode::kCorrupted)
    return bad_request("Referenced source artifact is invalid: " + id);
  if (!found) return found.error();
  const std::optional<Value>& source = *found;
  if (!source) return absent("Referenced source artifact not found");
  if (!is_visible(request.call, *source))
    return denied("Referenced source artifact not visible to caller");
  const Value::Array& participants = list_of(*source, "participant_peers");
  bool known = std::ranges::find(participants, Value(claimant)) != participants.end();
  for (const char* name : {"owner_peer", "sender_peer", "recipient_peer"})
    known = known || text_of(*source, name) == claimant;
  if (!known)
    return bad_request(fmt::format("Claimant peer is not recognized on referenced {} artifact",
                                   shared ? "shared" : "handoff"));
  if (shared && integer_of(claim, "observed_version", 0) > integer_of(*source, "version", 0))
    return bad_request("observed_version exceeds stored shared version");
  return {};
}

Value participants_of(const Request& request, const std::string& owner) {
  Value out = Value::array();
  std::set<std::string> seen = {owner};
  for (const Value& claim : list_of(request.args, "claims")) {
    const std::string peer = text_of(claim, "claimant_peer");
    if (seen.insert(peer).second) out.push(peer);
  }
  return out;
}

Value record_of(const Request& request, const std::string& id, const std::string& now) {
  const std::string owner = peer_of(request.call);
  const Value& args = request.args;
  Value record = Value::object({{"schema_type", "coordination_reconciliation_record"},
                                {"schema_version", "1.0"},
                                {"reconciliation_id", id},
                                {"created_at", now},
                                {"updated_at", now},
                                {"opened_by", owner},
                                {"owner_peer", owner},
                                {"participant_peers", participants_of(request, owner)}});
  for (const char* name : {"task_id", "thread_id", "title", "summary", "classification", "trigger"})
    record.set(name, or_null(args, name));
  record.set("claims", list_of(args, "claims"));
  record.set("status", "open");
  for (const char* name :
       {"resolution_outcome", "resolution_summary", "resolved_at", "resolved_by"})
    record.set(name, Value());
  record.set("version", 1);
  record.set("last_updated_by", owner);
  return record;
}

}  // namespace

Result<Value> CoordinationService::open_reconciliation(const Request& request) {
  const Artefact& artefact = reconciliation_artefact();
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, artefact.folder));
  HOLDFAST_CHECK_OK(check_texts(request));
  HOLDFAST_CHECK_OK(check_claims(request));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        for (const Value& claim : list_of(request.args, "claims"))
          HOLDFAST_CHECK_OK(check_source(txn, access, request, claim));
        const std::string id = new_artefact_id(artefact);
        const Value record = record_of(request, id, format_seconds(clock_.now()));
        HOLDFAST_TRY(const std::string commit,
                     put_document(txn, access, artefact.noun, id, record,
                                  request.message_or("coordination: open " + id)));
        return Value::object({{"ok", true},
                              {"reconciliation", record},
                              {"path", artefact_path(artefact, id)},
                              {"created", true},
                              {"latest_commit", commit}});
      });
}

Result<Value> CoordinationService::resolve_reconciliation(const Request& request) {
  const Artefact& artefact = reconciliation_artefact();
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, artefact.folder));
  const std::string id = request.text("reconciliation_id");
  const std::string outcome = request.text("resolution_outcome");
  const Value summary = or_null(request.args, "resolution_summary");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        HOLDFAST_TRY(Value record, require_artefact(txn, access, artefact, id));
        const std::string peer = peer_of(request.call);
        if (text_of(record, "owner_peer") != peer && !is_admin(request.call))
          return denied("Only the owner may resolve this reconciliation artifact");
        HOLDFAST_CHECK_OK(check_length(summary, "reconciliation.resolution_summary", 1, 240));
        const bool resolved = text_of(record, "status") == "resolved";
        const bool same = text_of(record, "resolution_outcome") == outcome &&
                          or_null(record, "resolution_summary") == summary;
        if (resolved && !same) return clash("Reconciliation has already been resolved");
        const int64_t version = integer_of(record, "version", 0);
        std::string commit;
        if (resolved) {
          HOLDFAST_TRY(commit, position_text(txn));
        } else {
          if (version != integer_of(request.args, "expected_version", 0))
            return clash("Reconciliation version conflict");
          const std::string now = format_seconds(clock_.now());
          record.set("updated_at", now);
          record.set("status", "resolved");
          record.set("resolution_outcome", outcome);
          record.set("resolution_summary", summary);
          record.set("resolved_at", now);
          record.set("resolved_by", peer);
          record.set("version", version + 1);
          record.set("last_updated_by", peer);
          HOLDFAST_TRY(commit, put_document(txn, access, artefact.noun, id, record,
                                            request.message_or(fmt::format(
                                                "coordination: resolve {} {}", id, outcome))));
        }
        return Value::object({{"ok", true},
                              {"reconciliation", record},
                              {"path", artefact_path(artefact, id)},
                              {"updated", !resolved},
                              {"latest_commit", commit}});
      });
}

}  // namespace holdfast::service::continuity
