#include "service/observation/purge.h"

namespace holdfast::service::observation {
namespace {

// Kept for ever, and about no object: so erasing takes nothing from it.
storage::IdempotencyKey purged_key(const ObjectKey& key) {
  return {.caller = "observations", .operation = "purged/" + key.kind, .key = key.id};
}

}  // namespace

Status purge(storage::WriteTxn& txn, const access::SpaceAccess& access, const ObjectKey& key) {
  const Status erased = txn.erase(access, key, "");
  if (!erased && erased.error().code == ErrorCode::kNotFound) return {};
  HOLDFAST_CHECK_OK(erased);
  return txn.put_idempotency(access, {.key = purged_key(key), .created_at = txn.now()});
}

Result<bool> was_known(storage::ReadTxn& txn, const access::SpaceAccess& access,
                       const ObjectKey& key) {
  const auto present = txn.get(access, key);
  if (present) return true;
  if (present.error().code != ErrorCode::kNotFound) return present.error();
  const auto past = txn.history(access, key, 1);
  if (past) return true;
  if (past.error().code != ErrorCode::kNotFound) return past.error();
  HOLDFAST_TRY(const auto purged, txn.find_idempotency(access, purged_key(key)));
  return purged.has_value();
}

}  // namespace holdfast::service::observation
