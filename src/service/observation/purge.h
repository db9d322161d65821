// What was deleted, for good: nothing of it is kept but that there was such an id, which is never
// used again.
#pragma once

#include "access/gatekeeper.h"
#include "base/result.h"
#include "storage/store.h"

namespace holdfast::service::observation {

// Erases a deleted object and remembers its id. Nothing to do if it was erased before.
Status purge(storage::WriteTxn& txn, const access::SpaceAccess& access, const ObjectKey& key);

// Whether there is such an object or was one: in use, deleted, or purged. Costs a look at its
// history where it is not in use.
Result<bool> was_known(storage::ReadTxn& txn, const access::SpaceAccess& access,
                       const ObjectKey& key);

}  // namespace holdfast::service::observation
