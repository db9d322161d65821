// State that several peers share.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/time_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/coordination_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
namespace {

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

}  // namespace

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
  return query(request, shared_artefact(), "shared_artifacts", filters);
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

}  // namespace holdfast::service::continuity
