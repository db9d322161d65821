// Changing the substrate: a patch is a list of operations that become visible together or not at
// all, and the audit log is what patches did. apply_patch runs inside a write closure, so that
// whoever decided the operations there decided them on the state they change.
//
//   write_returning<AppliedPatch>(store, call, [&](storage::WriteTxn& txn) {
//     return apply_patch(txn, access, {.actor = system_actor("memory.ingest.file"),
//                                      .operations = {create(ObjectType::kNode, id, node)}});
//   });
#pragma once

#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/noun.h"
#include "model/value.h"
#include "service/substrate/document.h"
#include "service/substrate/ids.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

enum class PatchOp : uint8_t { kCreate, kUpdate, kChangeStatus, kArchive, kDelete };

struct Operation {
  PatchOp op = PatchOp::kCreate;
  ObjectType type = ObjectType::kKnowledge;
  std::string id = {};
  // Members to set. `reason` among them is also the reason in the audit log.
  Value changes = Value::object();
};

struct Patch {
  Value actor = {};  // {type, id, name?, metadata?}
  std::vector<Operation> operations = {};
};

struct AppliedPatch {
  std::string patch_id = {};
  std::vector<std::string> audit_event_ids = {};  // one an operation, in order
  std::vector<ObjectKey> touched = {};            // each object once

  int64_t applied_operations() const { return static_cast<int64_t>(audit_event_ids.size()); }
};

// {type: system, id}
Value system_actor(std::string_view id);

// A creation with every member that the struct's codec writes.
template <typename T>
Operation create(ObjectType type, const T& value) {
  return {
      .op = PatchOp::kCreate, .type = type, .id = value.id, .changes = codec_of<T>().encode(value)};
}
Operation update(ObjectType type, const std::string& id, Value changes);
Operation change_status(ObjectType type, const std::string& id, std::string_view status,
                        std::string_view reason);
Operation archive(ObjectType type, const std::string& id, std::string_view reason);

// Errors: kInvalidArgument with the contract's sentence for a creation of what exists and a change
// of what does not; nothing is written then. New objects are seen by everyone in the space and
// belong to the caller.
Result<AppliedPatch> apply_patch(storage::WriteTxn& txn, const access::SpaceAccess& access,
                                 const Patch& patch);

// One line of the audit log.
struct AuditEvent {
  std::string id = {};
  std::string event_type = {};  // create_object, ...
  Value actor = {};
  std::string object_type = {};
  std::string object_id = {};
  Value before = Value::object();  // {} if there was nothing, or if it has been forgotten since
  Value after = Value::object();
  std::string reason = {};
  std::string timestamp = {};
};

// The last events, oldest first. Costs a look at each event's object, nothing else.
Result<std::vector<AuditEvent>> last_events(storage::ReadTxn& txn,
                                            const access::SpaceAccess& access, size_t limit);

// Patches are objects too, without searchable text. They hold no content: what an operation wrote
// is in the object's history, and goes when the object is forgotten.
struct PatchRecord {
  struct Entry {
    std::string audit_id = {};
    std::string op = {};
    std::string object_type = {};
    std::string object_id = {};
    int64_t before = 0;  // revisions; 0: none
    int64_t after = 0;
    bool has_reason = false;
  };
  std::string id = {};
  Value actor = {};
  std::vector<Entry> operations = {};
  std::string created_at = {};
};
const Noun<PatchRecord>& patch_noun();

}  // namespace holdfast::service::substrate
