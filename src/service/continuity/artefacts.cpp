#include "service/continuity/artefacts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {

const Artefact& handoff_artefact() {
  static const Artefact artefact{.noun = handoff_noun(),
                                 .id_member = "handoff_id",
                                 .prefix = "handoff_",
                                 .folder = "memory/coordination/handoffs",
                                 .bad_id = "Invalid handoff artifact id",
                                 .missing = "Handoff artifact not found",
                                 .hidden = "Handoff artifact not visible to caller",
                                 .invalid = "Handoff artifact is invalid: ",
                                 .skipped = "handoff_artifact_skipped_invalid"};
  return artefact;
}

const Artefact& shared_artefact() {
  static const Artefact artefact{.noun = shared_noun(),
                                 .id_member = "shared_id",
                                 .prefix = "shared_",
                                 .folder = "memory/coordination/shared",
                                 .bad_id = "Invalid shared coordination artifact id",
                                 .missing = "Shared coordination artifact not found",
                                 .hidden = "Shared coordination artifact not visible to caller",
                                 .invalid = "Shared coordination artifact is invalid: ",
                                 .skipped = "coordination_shared_artifact_skipped_invalid"};
  return artefact;
}

const Artefact& reconciliation_artefact() {
  static const Artefact artefact{.noun = reconciliation_noun(),
                                 .id_member = "reconciliation_id",
                                 .prefix = "recon_",
                                 .folder = "memory/coordination/reconciliations",
                                 .bad_id = "Invalid reconciliation artifact id",
                                 .missing = "Reconciliation artifact not found",
                                 .hidden = "Reconciliation artifact not visible to caller",
                                 .invalid = "Reconciliation artifact is invalid: ",
                                 .skipped = "coordination_reconciliation_artifact_skipped_invalid"};
  return artefact;
}

std::string new_artefact_id(const Artefact& artefact) {
  return artefact.prefix + to_hex(random_bytes(16));
}

std::string artefact_path(const Artefact& artefact, const std::string& id) {
  return fmt::format("{}/{}.json", artefact.folder, id);
}

Status check_artefact_id(const Artefact& artefact, const std::string& id) {
  const std::string_view prefix = artefact.prefix;
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (id.starts_with(prefix) && id.size() == prefix.size() + 32 &&
      std::ranges::all_of(std::string_view(id).substr(prefix.size()), hex))
    return {};
  return bad_request(artefact.bad_id);
}

Result<Value> require_artefact(storage::ReadTxn& txn, const Access& access,
                               const Artefact& artefact, const std::string& id) {
  HOLDFAST_CHECK_OK(check_artefact_id(artefact, id));
  auto found = find_document(txn, access, artefact.noun, id);
  if (!found && found.error().code == ErrorCode::kCorrupted)
    return bad_request(artefact.invalid + id);
  if (!found) return found.error();
  if (!*found) return absent(artefact.missing);
  return std::move(**found);
}

bool is_visible(const CallContext& call, const Value& body) {
  if (is_admin(call)) return true;
  const std::string peer = peer_of(call);
  for (const char* name : {"owner_peer", "sender_peer", "recipient_peer"}) {
    if (text_of(body, name) == peer) return true;
  }
  return std::ranges::find(list_of(body, "participant_peers"), Value(peer)) !=
         list_of(body, "participant_peers").end();
}

Status require_peer(storage::ReadTxn& txn, const Access& access, const std::string& peer) {
  const auto found = find_document(txn, access, peer_noun(), peer);
  if (!found && found.error().code == ErrorCode::kCorrupted)
    return bad_request(fmt::format("Peer registry entry is invalid: {}", peer));
  if (!found) return found.error();
  if (!*found) return absent(fmt::format("Peer not found: {}", peer));
  if (text_of(**found, "trust_level") == "untrusted")
    return clash(fmt::format("Peer is untrusted: {}", peer));
  return {};
}

Status check_length(const Value& value, const std::string& label, size_t min, size_t max) {
  const std::string* text = value.if_string();
  if (text == nullptr) return {};
  const size_t length = count_code_points(*text);
  if (length < min) return bad_request(fmt::format("Value too short in coordination_{}", label));
  if (length > max) return bad_request(fmt::format("Value too long in coordination_{}", label));
  return {};
}

Status check_message(const Request& request, const std::string& family) {
  return check_length(or_null(request.args, "commit_message"), family + ".commit_message", 0, 120);
}

Value or_null(const Value& from, std::string_view name) {
  const Value* member = from.find(name);
  return member != nullptr ? *member : Value();
}

}  // namespace holdfast::service::continuity
