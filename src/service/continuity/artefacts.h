// What the three coordination artefacts have in common.
#pragma once

#include "service/continuity/request.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {

struct Artefact {
  const Noun<Document>& noun;
  const char* id_member;
  const char* prefix;  // of ids
  const char* folder;
  const char* bad_id;
  const char* missing;
  const char* hidden;
  const char* invalid;  // before the id of one that is stored and cannot be read
  const char* skipped;  // the warning of queries that left such ones out
};
const Artefact& handoff_artefact();
const Artefact& shared_artefact();
const Artefact& reconciliation_artefact();

std::string new_artefact_id(const Artefact& artefact);
std::string artefact_path(const Artefact& artefact, const std::string& id);
Status check_artefact_id(const Artefact& artefact, const std::string& id);
// kInvalidArgument for what is no id or cannot be read, kNotFound for an unknown one.
Result<Value> require_artefact(storage::ReadTxn& txn, const Access& access,
                               const Artefact& artefact, const std::string& id);
// Owner, sender, recipient, participant, or an administrator.
bool is_visible(const CallContext& call, const Value& body);

// kNotFound `Peer not found`, kConflict `Peer is untrusted`.
Status require_peer(storage::ReadTxn& txn, const Access& access, const std::string& peer);
// Value too short|long in coordination_<family>.<field>.
Status check_length(const Value& value, const std::string& label, size_t min, size_t max);
// commit_message of at most 120 characters.
Status check_message(const Request& request, const std::string& family);
Value or_null(const Value& from, std::string_view name);

}  // namespace holdfast::service::continuity
