// The tables blobs and blob_chunks. The contracts are those of the transactions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/records.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

Result<BlobInfo> find_blob(Connection& db, const Scope& scope, std::string_view id);
Result<std::vector<BlobInfo>> list_blobs(Connection& db, const Scope& scope, std::string_view after,
                                         size_t limit);
Result<std::string> read_blob_chunk(Connection& db, const Scope& scope, std::string_view id,
                                    int64_t index);

Status put_blob_chunk(Connection& db, SpaceNumber space, const BlobInfo& blob, int64_t index,
                      std::string_view bytes);
Status finish_blob(Connection& db, SpaceNumber space, const BlobInfo& blob);
// kNotFound for an unknown id.
Status remove_blob(Connection& db, SpaceNumber space, std::string_view id);
Status erase_blobs_of(Connection& db, SpaceNumber space, const ObjectKey& owner);

}  // namespace holdfast::storage::sqlite
