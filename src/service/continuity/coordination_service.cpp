#include "service/continuity/coordination_service.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/time_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
namespace {

Status check_message(const Request& request, const std::string& family) {
  return check_length(or_null(request.args, "commit_message"), family + ".commit_message", 0, 120);
}

Status check_shared_texts(const Request& request) {
  const Value& args = request.args;
  HOLDFAST_CHECK_OK(check_length(or_null(args, "title"), "shared.title", 1, 120));
  HOLDFAST_CHECK_OK(check_length(or_null(args, "summary"), "shared.summary", 1, 240));
  bool any = false;
  for (const char* name : {"constraints", "drift_signals", "coordination_alerts"}) {
    for (const Value& item : list_of(args, name)) {
      HOLDFAST_CHECK_OK(check_length(item, std::string("shared.") + name, 1, 160));
      any = true;
    }
  }
  if (!any) return bad_request("Shared coordination state must include at least one shared item");
  return check_message(request, "shared");
}

Value shared_state(const Value& args) {
  Value out = Value::object();
  for (const char* name : {"constraints", "drift_signals", "coordination_alerts"})
    out.set(name, list_of(args, name));
  return out;
}

// Who may ask for which peers: an administrator for anyone, everyone else for itself.
Status check_identities(const Request& request, std::initializer_list<const char*> members,
                        const char* without, const char* foreign) {
  if (is_admin(request.call)) return {};
  const std::string peer = peer_of(request.call);
  bool own = false;
  bool other = false;
  for (const char* name : members) {
    const std::string named = request.text(name);
    own = own || named == peer;
    other = other || (!named.empty() && named != peer);
  }
  if (!own) return denied(without);
  if (other) return denied(foreign);
  return {};
}

}  // namespace

template <typename Closure>
Result<Value> CoordinationService::write(const Request& request, Closure&& closure) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) { return closure(txn, access); });
}

Result<Value> CoordinationService::query(const Request& request, const Noun<Document>& noun,
                                         const char* list,
                                         const std::vector<Query>& filters) const {
  using search::SortKey;
  search::ListRequest wanted{
      .sort = {{.by = SortKey::By::kNumberFacet, .facet = facet::kWorkUpdated},
               {.by = SortKey::By::kTextFacet, .facet = facet::kItem, .descending = false}},
      .limit = static_cast<size_t>(integer_of(request.args, "limit", 20)),
      .offset = static_cast<size_t>(integer_of(request.args, "offset", 0))};
  for (const Query& filter : filters) {
    if (const std::string text = request.text(filter.member); !text.empty())
      wanted.filter.facets.push_back(has(filter.facet, text));
  }
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const DocumentPage page, list_documents(*txn, access, index_, noun, wanted));
  return Value::object({{"ok", true},
                        {"count", page.documents.size()},
                        {"total_matches", page.total},
                        {"warnings", Value::array()},
                        {list, Value::array_of(page.documents)}});
}

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

namespace {

Result<Value> read_one(storage::Store& store, const access::Gatekeeper& gatekeeper,
                       const Request& request, const Artefact& artefact, const char* member) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper, request.call));
  HOLDFAST_TRY(const auto txn, store.begin_read(request.call.deadline));
  const std::string id = request.text(artefact.id_member);
  HOLDFAST_TRY(const Value body, require_artefact(*txn, access, artefact, id));
  if (!is_visible(request.call, body)) return denied(artefact.hidden);
  return Value::object({{"ok", true}, {member, body}, {"path", artefact_path(artefact, id)}});
}

}  // namespace

Result<Value> CoordinationService::read_handoff(const Request& request) {
  if (!check_artefact_id(handoff_artefact(), request.text("handoff_id")))
    return absent(handoff_artefact().missing);
  return read_one(store_, gatekeeper_, request, handoff_artefact(), "handoff");
}
Result<Value> CoordinationService::read_shared(const Request& request) {
  return read_one(store_, gatekeeper_, request, shared_artefact(), "shared");
}
Result<Value> CoordinationService::read_reconciliation(const Request& request) {
  return read_one(store_, gatekeeper_, request, reconciliation_artefact(), "reconciliation");
}

Result<Value> CoordinationService::query_handoffs(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  if (request.text("recipient_peer").empty() && request.text("sender_peer").empty())
    return bad_request("recipient_peer or sender_peer is required");
  constexpr const char* kForeign = "Non-admin callers may query only their own handoff identity";
  HOLDFAST_CHECK_OK(
      check_identities(request, {"recipient_peer", "sender_peer"}, kForeign, kForeign));
  return query(request, handoff_noun(), "handoffs",
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
    const bool same =
        text_of(handoff, "recipient_status") == status && *handoff.find("recipient_reason") == note;
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

Result<Value> CoordinationService::create_shared(const Request& request) {
  const Artefact& artefact = shared_artefact();
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, artefact.folder));
  const std::string owner = peer_of(request.call);
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    std::set<std::string> seen;
    for (const Value& one : list_of(request.args, "participant_peers")) {
      const std::string& peer = *one.if_string();
      if (peer == owner) return bad_request("participant_peers must not include owner_peer");
      if (!seen.insert(peer).second)
        return bad_request("participant_peers must not contain duplicates");
      HOLDFAST_CHECK_OK(require_peer(txn, access, peer));
    }
    HOLDFAST_CHECK_OK(check_shared_texts(request));
    const std::string id = new_artefact_id(artefact);
    const std::string now = format_seconds(clock_.now());
    const Value shared =
        Value::object({{"schema_type", "coordination_shared_state"},
                       {"schema_version", "1.0"},
                       {"shared_id", id},
                       {"created_at", now},
                       {"updated_at", now},
                       {"created_by", owner},
                       {"owner_peer", owner},
                       {"participant_peers", list_of(request.args, "participant_peers")},
                       {"task_id", or_null(request.args, "task_id")},
                       {"thread_id", or_null(request.args, "thread_id")},
                       {"title", request.text("title")},
                       {"summary", or_null(request.args, "summary")},
                       {"shared_state", shared_state(request.args)},
                       {"version", 1},
                       {"last_updated_by", owner}});
    HOLDFAST_TRY(const std::string commit,
                 put_document(txn, access, artefact.noun, id, shared,
                              request.message_or("coordination: create " + id)));
    return Value::object({{"ok", true},
                          {"shared", shared},
                          {"path", artefact_path(artefact, id)},
                          {"created", true},
                          {"latest_commit", commit}});
  });
}

Result<Value> CoordinationService::query_shared(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  const std::vector<Query> filters = {{facet::kOwnerPeer, "owner_peer"},
                                      {facet::kPeer, "participant_peer"},
                                      {shared_facet::kTask, "task_id"},
                                      {shared_facet::kThread, "thread_id"}};
  const auto given = [&](const Query& one) { return !request.text(one.member).empty(); };
  if (std::ranges::none_of(filters, given))
    return bad_request("Invalid shared coordination query: at least one filter is required");
  HOLDFAST_CHECK_OK(
      check_identities(request, {"owner_peer", "participant_peer"},
                       "Non-admin callers must include their own shared coordination identity",
                       "Non-admin callers may query only their own shared coordination identity"));
  return query(request, shared_noun(), "shared_artifacts", filters);
}

Result<Value> CoordinationService::update_shared(const Request& request) {
  const Artefact& artefact = shared_artefact();
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, artefact.folder));
  const std::string id = request.text("shared_id");
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(Value shared, require_artefact(txn, access, artefact, id));
    const std::string peer = peer_of(request.call);
    if (text_of(shared, "owner_peer") != peer)
      return denied("Only the owner may update this shared coordination artifact");
    HOLDFAST_CHECK_OK(check_shared_texts(request));
    const int64_t version = integer_of(shared, "version", 0);
    if (version != integer_of(request.args, "expected_version", 0))
      return clash("Shared coordination version conflict");
    shared.set("updated_at", format_seconds(clock_.now()));
    shared.set("title", request.text("title"));
    shared.set("summary", or_null(request.args, "summary"));
    shared.set("shared_state", shared_state(request.args));
    shared.set("version", version + 1);
    shared.set("last_updated_by", peer);
    HOLDFAST_TRY(const std::string commit,
                 put_document(txn, access, artefact.noun, id, shared,
                              request.message_or(
                                  fmt::format("coordination: update {} v{}", id, version + 1))));
    return Value::object({{"ok", true},
                          {"shared", shared},
                          {"path", artefact_path(artefact, id)},
                          {"updated", true},
                          {"latest_commit", commit},
                          {"warnings", Value::array()}});
  });
}

Result<Value> CoordinationService::query_reconciliations(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  const std::vector<Query> filters = {
      {facet::kOwnerPeer, "owner_peer"}, {facet::kSender, "claimant_peer"},
      {facet::kStatus, "status"},        {facet::kClass, "classification"},
      {shared_facet::kTask, "task_id"},  {shared_facet::kThread, "thread_id"}};
  const auto given = [&](const Query& one) { return !request.text(one.member).empty(); };
  if (std::ranges::none_of(filters, given))
    return bad_request("At least one reconciliation query filter is required");
  constexpr const char* kForeign =
      "Non-admin callers may query only their own reconciliation identity";
  HOLDFAST_CHECK_OK(check_identities(request, {"owner_peer", "claimant_peer"}, kForeign, kForeign));
  return query(request, reconciliation_noun(), "reconciliations", filters);
}

}  // namespace holdfast::service::continuity
