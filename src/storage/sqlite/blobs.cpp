#include "storage/sqlite/blobs.h"

#include <optional>
#include <vector>

#include "storage/sqlite/objects.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kFindBlob[] =
    "SELECT id, owner_kind, owner_id, size, sha256, finished, created_at FROM blobs "
    "WHERE space_id = ?1 AND id = ?2";

constexpr char kFinishedAfter[] =
    "SELECT id, owner_kind, owner_id, size, sha256, finished, created_at FROM blobs "
    "WHERE space_id = ?1 AND id > ?2 AND finished = 1 ORDER BY id LIMIT ?3";

constexpr char kStartBlob[] =
    "INSERT INTO blobs (space_id, id, owner_kind, owner_id, size, sha256, finished, created_at) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)";

constexpr char kFinishBlob[] =
    "UPDATE blobs SET size = ?3, sha256 = ?4, finished = 1 WHERE space_id = ?1 AND id = ?2";

constexpr char kRemoveBlob[] = "DELETE FROM blobs WHERE space_id = ?1 AND id = ?2";

constexpr char kIdsOf[] =
    "SELECT id FROM blobs WHERE space_id = ?1 AND owner_kind = ?2 AND owner_id = ?3";

constexpr char kPutChunk[] =
    "INSERT OR REPLACE INTO blob_chunks (space_id, blob_id, chunk, bytes) VALUES (?1, ?2, ?3, ?4)";

constexpr char kChunk[] =
    "SELECT bytes FROM blob_chunks WHERE space_id = ?1 AND blob_id = ?2 AND chunk = ?3";

constexpr char kMeasure[] =
    "SELECT count(*), coalesce(sum(length(bytes)), 0), coalesce(max(chunk), -1) FROM blob_chunks "
    "WHERE space_id = ?1 AND blob_id = ?2";

constexpr char kRemoveChunks[] = "DELETE FROM blob_chunks WHERE space_id = ?1 AND blob_id = ?2";

BlobInfo read_blob(const Row& row) {
  return BlobInfo{.id = row.text(0),
                  .owner = {.kind = row.text(1), .id = row.text(2)},
                  .size = row.integer(3),
                  .sha256 = row.text(4),
                  .finished = row.integer(5) != 0,
                  .created_at = row.time(6)};
}

Result<std::optional<BlobInfo>> find_any(Connection& db, SpaceNumber space, std::string_view id) {
  std::optional<BlobInfo> blob;
  const auto read = [&](const Row& row) { blob = read_blob(row); };
  HOLDFAST_CHECK_OK(db.one_or_none(kFindBlob, read, space, id));
  return blob;
}

Result<bool> is_seen(Connection& db, const Scope& scope, const BlobInfo& blob) {
  HOLDFAST_TRY(const auto label, label_of_today(db, scope.space, blob.owner));
  return label ? scope.access.may_see(*label) : scope.access.viewer().sees_everything();
}

}  // namespace

Result<BlobInfo> find_blob(Connection& db, const Scope& scope, std::string_view id) {
  HOLDFAST_TRY(auto blob, find_any(db, scope.space, id));
  if (!blob) return not_found("blob", id);
  HOLDFAST_TRY(const bool seen, is_seen(db, scope, *blob));
  if (!seen) return not_found("blob", id);
  return std::move(*blob);
}

Result<std::vector<BlobInfo>> list_blobs(Connection& db, const Scope& scope, std::string_view after,
                                         size_t limit) {
  std::vector<BlobInfo> blobs;
  std::string last(after);
  while (blobs.size() < limit) {
    std::vector<BlobInfo> some;
    HOLDFAST_CHECK_OK(db.each(
        kFinishedAfter, [&](const Row& row) { some.push_back(read_blob(row)); }, scope.space, last,
        limit));
    if (some.empty()) break;
    last = some.back().id;
    for (BlobInfo& blob : some) {
      HOLDFAST_TRY(const bool seen, is_seen(db, scope, blob));
      if (seen && blobs.size() < limit) blobs.push_back(std::move(blob));
    }
  }
  return blobs;
}

Result<std::string> read_blob_chunk(Connection& db, const Scope& scope, std::string_view id,
                                    int64_t index) {
  HOLDFAST_CHECK_OK(find_blob(db, scope, id));
  std::string bytes;
  HOLDFAST_TRY(const bool found,
               db.one_or_none(
                   kChunk, [&](const Row& row) { bytes = row.text(0); }, scope.space, id, index));
  if (!found) return not_found("chunk of blob", id);
  return bytes;
}

Status put_blob_chunk(Connection& db, SpaceNumber space, const BlobInfo& blob, int64_t index,
                      std::string_view bytes) {
  if (index < 0) return invalid_argument("A chunk's index counts from 0.");
  if (bytes.size() > kBlobChunkBytes) {
    return Error{.code = ErrorCode::kTooLarge, .message = "A chunk holds at most 256 KiB."};
  }
  HOLDFAST_TRY(const auto existing, find_any(db, space, blob.id));
  if (existing && existing->finished) {
    return conflict(reason::kBlobFinished, "This blob is finished and takes no more chunks.");
  }
  if (existing && existing->owner != blob.owner) {
    return conflict(reason::kBlobOwner, "This blob belongs to another object.");
  }
  if (!existing) {
    HOLDFAST_CHECK_OK(db.run(kStartBlob, space, blob.id, blob.owner.kind, blob.owner.id, blob.size,
                             Blob{blob.sha256}, blob.created_at));
  }
  return db.run(kPutChunk, space, blob.id, index, Blob{bytes});
}

Status finish_blob(Connection& db, SpaceNumber space, const BlobInfo& blob) {
  HOLDFAST_TRY(const auto existing, find_any(db, space, blob.id));
  if (!existing) return not_found("blob", blob.id);
  int64_t chunks = 0;
  int64_t bytes = 0;
  int64_t last = -1;
  const auto read = [&](const Row& row) {
    chunks = row.integer(0);
    bytes = row.integer(1);
    last = row.integer(2);
  };
  HOLDFAST_CHECK_OK(db.one_or_none(kMeasure, read, space, blob.id));
  if (chunks != last + 1 || bytes != blob.size) {
    return invalid_argument("The blob's chunks do not add up to its size; send the missing ones.");
  }
  return db.run(kFinishBlob, space, blob.id, blob.size, Blob{blob.sha256});
}

Status remove_blob(Connection& db, SpaceNumber space, std::string_view id) {
  HOLDFAST_CHECK_OK(db.run(kRemoveChunks, space, id));
  HOLDFAST_CHECK_OK(db.run(kRemoveBlob, space, id));
  if (db.changes() == 0) return not_found("blob", id);
  return {};
}

Status erase_blobs_of(Connection& db, SpaceNumber space, const ObjectKey& owner) {
  std::vector<std::string> ids;
  HOLDFAST_CHECK_OK(db.each(
      kIdsOf, [&](const Row& row) { ids.push_back(row.text(0)); }, space, owner.kind, owner.id));
  for (const std::string& id : ids) HOLDFAST_CHECK_OK(remove_blob(db, space, id));
  return {};
}

}  // namespace holdfast::storage::sqlite
