// What every ingest has in common: writing its objects in one patch, and the advice that goes with
// the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/objects.h"
#include "service/substrate/patch.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// The part of an answer that is decided in the write, and repeated to a call that is sent again.
struct IngestWrite {
  bool noop = false;
  std::string patch_id = {};
  std::vector<std::string> audit_event_ids = {};
};

// Creates the object, or updates the one that an earlier ingest made.
template <typename T>
Result<Operation> upsert(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                         const T& value) {
  Operation operation = create(type, value);
  const auto found = txn.get(access, {.kind = std::string(type_name(type)), .id = value.id});
  if (!found && found.error().code != ErrorCode::kNotFound) return found.error();
  if (found) operation.op = PatchOp::kUpdate;
  return operation;
}

// Actor of the patch: memory.ingest.<mode>.
Result<IngestWrite> write_operations(storage::WriteTxn& txn, const access::SpaceAccess& access,
                                     std::string_view mode, std::vector<Operation> operations);

// Candidates among the terms of this source and of the knowledge that cites it.
Result<MemorySuggestions> suggest(storage::Store& store, const CallContext& call,
                                  const access::SpaceAccess& access, const Source& source,
                                  const std::string& scope_ref);

}  // namespace holdfast::service::substrate

namespace holdfast {
template <>
const Codec<service::substrate::IngestWrite>& codec_of<service::substrate::IngestWrite>();
}  // namespace holdfast
