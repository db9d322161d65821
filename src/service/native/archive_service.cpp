#include "service/native/archive_service.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/sha256_stream.h"

namespace holdfast::service {
namespace {

using access::Permission;
using access::SpaceAccess;

// So many bytes of bodies end a page, however many changes were asked for: a page is held whole.
constexpr size_t kPageBytes = size_t{8} << 20U;
// Revisions further back are taken to be the same.
constexpr Revision kCompared = 64;

// True if the space already has this change or a later one of the same object.
Result<bool> already_there(storage::ReadTxn& txn, const SpaceAccess& access,
                           const ArchivedChange& change) {
  const JournalEntry& entry = change.entry;
  const auto newest = txn.history(access, entry.key, 1);
  if (!newest || newest->empty()) return false;
  const Revision ahead = newest->front().object.revision - entry.revision;
  if (ahead < 0) return false;
  if (!change.object || ahead >= kCompared) return true;
  HOLDFAST_TRY(const auto known, txn.history(access, entry.key, static_cast<size_t>(ahead) + 1));
  const Object& here = known.back().object;
  const bool differs = here.revision == entry.revision && !known.back().deleted &&
                       (here.body != change.object->body || here.state != change.object->state);
  if (!differs) return true;
  return conflict(
      storage::reason::kExists,
      fmt::format("There is another {} '{}' here: its revision {} is not the one of the file. "
                  "Import into a space that has none, or forget this one first.",
                  entry.key.kind, entry.key.id, entry.revision));
}

// The changes without those whose content was erased later, unless the erasure comes with them: an
// object without content is nothing that anybody could read, and this may be all that ever comes.
std::vector<const ArchivedChange*> without_loose_ends(const std::vector<ArchivedChange>& changes) {
  std::vector<const ArchivedChange*> kept;
  std::map<ObjectKey, Revision> erased;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const JournalEntry& entry = change->entry;
    Revision& end = erased[entry.key];
    if (entry.action == journal_action::kErased) end = entry.revision;
    if (change->object || entry.action == journal_action::kDeleted ||
        entry.action == journal_action::kErased || entry.revision < end)
      kept.push_back(&*change);
  }
  std::ranges::reverse(kept);
  return kept;
}

// The piece, and whether another follows it; nothing if the blob has none of that number. A blob
// without a byte has one piece.
Result<std::optional<ArchivedPiece>> read_piece(storage::ReadTxn& txn, const SpaceAccess& access,
                                                const storage::BlobInfo& blob, int64_t number) {
  ArchivedPiece piece{.blob = blob, .piece = number};
  auto bytes = txn.blob_chunk(access, blob.id, number);
  if (!bytes && bytes.error().code != ErrorCode::kNotFound) return std::move(bytes).error();
  if (!bytes && number > 0) return std::optional<ArchivedPiece>();
  if (bytes) piece.bytes = std::move(*bytes);
  piece.last = !txn.blob_chunk(access, blob.id, number + 1);
  return std::optional(std::move(piece));
}

Error damaged(const storage::BlobInfo& blob) {
  return invalid_argument(fmt::format(
      "The bytes of the blob '{}' are not those that were exported; export it again.", blob.id));
}

// All pieces are there: their bytes must be those that were exported.
Status finish(storage::WriteTxn& txn, const SpaceAccess& access, const ArchivedPiece& last) {
  Sha256 hash;
  for (int64_t number = 0; number <= last.piece; ++number) {
    const auto piece = txn.blob_chunk(access, last.blob.id, number);
    if (!piece) return damaged(last.blob);
    hash.add(*piece);
  }
  if (hash.finish() != last.blob.sha256) return damaged(last.blob);
  return txn.finish_blob(access, last.blob);
}

// An erased object leaves no revision to compare with, so the import of its entries is noted by
// itself.
storage::IdempotencyKey note_of(const JournalEntry& entry) {
  return {.caller = "import",
          .operation = "native.import",
          .key = to_hex(sha256(fmt::format("{}\n{}\n{}\n{}\n{}", entry.key.kind, entry.key.id,
                                           entry.revision, entry.action, to_micros(entry.at))))};
}

}  // namespace

Result<ExportResponse> ArchiveService::export_changes(const CallContext& call,
                                                      const ExportRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto entries,
               txn->journal_after(access, request.after, static_cast<size_t>(request.limit)));
  ExportResponse response{.space = access.space(), .next = request.after};
  size_t bytes = 0;
  for (const JournalEntry& entry : entries) {
    if (bytes >= kPageBytes) break;
    ArchivedChange change{.entry = entry};
    auto object = txn->get_as_of(access, entry.key, entry.position);
    if (object) change.object = std::move(*object);
    bytes += change.object ? change.object->body.size() : 0;
    response.changes.push_back(std::move(change));
    response.next = entry.position;
  }
  HOLDFAST_TRY(response.head, txn->position());
  response.done = response.changes.size() == entries.size() &&
                  entries.size() < static_cast<size_t>(request.limit);
  return response;
}

Result<bool> ArchiveService::import_one(storage::WriteTxn& txn, const SpaceAccess& access,
                                        const ArchivedChange& change) {
  HOLDFAST_TRY(const bool known, already_there(txn, access, change));
  if (known) return false;
  if (!change.object) {
    const storage::IdempotencyKey note = note_of(change.entry);
    HOLDFAST_TRY(const auto noted, txn.find_idempotency(access, note));
    if (noted) return false;
    // What is left of it stays with those who could see it.
    const Object gone{.key = change.entry.key,
                      .revision = change.entry.revision,
                      .label = change.entry.label,
                      .created_at = change.entry.at,
                      .updated_at = change.entry.at};
    HOLDFAST_CHECK_OK(txn.replay(access, gone, {}, change.entry));
    HOLDFAST_CHECK_OK(txn.put_idempotency(access, {.key = note, .created_at = txn.now()}));
    return true;
  }
  const NounEntry* noun = nouns_.find(change.object->key.kind);
  if (noun == nullptr) {
    return invalid_argument(fmt::format(
        "This version does not know the kind '{}'; import with the version that wrote it.",
        change.object->key.kind));
  }
  const auto projection = noun->project(*change.object);
  if (!projection) {
    return invalid_argument(fmt::format("The body of {} '{}' is not that of a {}: {}.",
                                        change.object->key.kind, change.object->key.id,
                                        change.object->key.kind, projection.error().detail));
  }
  HOLDFAST_CHECK_OK(txn.replay(access, *change.object, *projection, change.entry));
  return true;
}

Result<ImportResponse> ArchiveService::import_changes(const CallContext& call,
                                                      const ImportRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  return storage::write_returning<ImportResponse>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<ImportResponse> {
        ImportResponse response{.space = access.space()};
        const auto whole = without_loose_ends(request.changes);
        for (const ArchivedChange* change : whole) {
          HOLDFAST_TRY(const bool imported, import_one(txn, access, *change));
          ++(imported ? response.imported : response.skipped);
        }
        response.skipped += static_cast<int64_t>(request.changes.size() - whole.size());
        for (const ArchivedChange* change : whole) {
          const auto left = txn.get(access, change->entry.key);
          if (left && left->body.empty())
            return invalid_argument(
                fmt::format("The file has no content for {} '{}'.", left->key.kind, left->key.id));
        }
        return response;
      });
}

Result<ExportPiecesResponse> ArchiveService::export_pieces(const CallContext& call,
                                                           const ExportPiecesRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  ExportPiecesResponse response{
      .space = access.space(), .after = request.after, .piece = request.piece};
  while (response.pieces.size() < static_cast<size_t>(request.limit)) {
    HOLDFAST_TRY(const auto next, txn->blobs(access, response.after, 1));
    response.done = next.empty();
    if (response.done) break;
    HOLDFAST_TRY(auto piece, read_piece(*txn, access, next.front(), response.piece));
    const bool last = !piece || piece->last;
    if (piece) response.pieces.push_back(std::move(*piece));
    response.piece = last ? 0 : response.piece + 1;
    if (last) response.after = next.front().id;
  }
  return response;
}

Result<ImportResponse> ArchiveService::import_pieces(const CallContext& call,
                                                     const ImportPiecesRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  return storage::write_returning<ImportResponse>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<ImportResponse> {
        ImportResponse response{.space = access.space()};
        for (const ArchivedPiece& piece : request.pieces) {
          const auto known = txn.blob(access, piece.blob.id);
          const auto owner = txn.history(access, piece.blob.owner, 1);
          const bool skip = (known && known->finished) || !owner || owner->empty();
          ++(skip ? response.skipped : response.imported);
          if (skip) continue;
          HOLDFAST_CHECK_OK(txn.put_blob_chunk(access, piece.blob, piece.piece, piece.bytes));
          if (piece.last) HOLDFAST_CHECK_OK(finish(txn, access, piece));
        }
        return response;
      });
}

}  // namespace holdfast::service
