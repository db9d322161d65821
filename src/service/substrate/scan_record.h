// The record of a repository's last scan, kept beside its source so that unchanged files need not
// be read again. Derived: without it a scan only takes longer.
#pragma once

#include <string>
#include <string_view>

#include "access/space_access.h"
#include "base/result.h"
#include "service/substrate/repo_scan.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// Empty if there is none.
Result<KnownFiles> read_scan_record(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                    const std::string& source_id);
// Replaces the one there is.
Status write_scan_record(storage::WriteTxn& txn, const access::SpaceAccess& access,
                         const std::string& source_id, std::string_view record);

}  // namespace holdfast::service::substrate
