#include "service/substrate/scan_record.h"

#include "base/digest.h"
#include "service/substrate/ids.h"

namespace holdfast::service::substrate {
namespace {

std::string blob_id(const std::string& source_id) { return "scan:" + source_id; }

}  // namespace

Result<KnownFiles> read_scan_record(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                    const std::string& source_id) {
  const auto blob = txn.blob(access, blob_id(source_id));
  if (!blob && blob.error().code == ErrorCode::kNotFound) return KnownFiles();
  if (!blob) return blob.error();
  std::string record;
  for (int64_t index = 0; static_cast<int64_t>(record.size()) < blob->size; ++index) {
    HOLDFAST_TRY(const std::string chunk, txn.blob_chunk(access, blob->id, index));
    record += chunk;
  }
  return read_known_files(record);
}

Status write_scan_record(storage::WriteTxn& txn, const access::SpaceAccess& access,
                         const std::string& source_id, std::string_view record) {
  const storage::BlobInfo blob{
      .id = blob_id(source_id),
      .owner = {.kind = std::string(type_name(ObjectType::kSource)), .id = source_id},
      .size = static_cast<int64_t>(record.size()),
      .sha256 = sha256(record),
      .created_at = txn.now()};
  const auto removed = txn.remove_blob(access, blob.id);
  if (!removed && removed.error().code != ErrorCode::kNotFound) return removed.error();
  for (int64_t index = 0; !record.empty(); ++index) {
    const std::string_view chunk = record.substr(0, storage::kBlobChunkBytes);
    HOLDFAST_CHECK_OK(txn.put_blob_chunk(access, blob, index, chunk));
    record.remove_prefix(chunk.size());
  }
  return txn.finish_blob(access, blob);
}

}  // namespace holdfast::service::substrate
