#include "service/native/archive_service.h"

#include <fmt/format.h>

#include "base/digest.h"

namespace holdfast::service {
namespace {

using access::Permission;
using access::SpaceAccess;

// True if the space already has this change or a later one of the same object.
bool already_there(storage::ReadTxn& txn, const SpaceAccess& access, const JournalEntry& entry) {
  const auto newest = txn.history(access, entry.key, 1);
  return newest && !newest->empty() && newest->front().object.revision >= entry.revision;
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
  for (const JournalEntry& entry : entries) {
    ArchivedChange change{.entry = entry};
    auto object = txn->get_as_of(access, entry.key, entry.position);
    if (object) change.object = std::move(*object);
    response.changes.push_back(std::move(change));
    response.next = entry.position;
  }
  HOLDFAST_TRY(response.head, txn->position());
  response.done = entries.size() < static_cast<size_t>(request.limit);
  return response;
}

Result<bool> ArchiveService::import_one(storage::WriteTxn& txn, const SpaceAccess& access,
                                        const ArchivedChange& change) {
  if (already_there(txn, access, change.entry)) return false;
  if (!change.object) {
    const storage::IdempotencyKey note = note_of(change.entry);
    HOLDFAST_TRY(const auto noted, txn.find_idempotency(access, note));
    if (noted) return false;
    HOLDFAST_CHECK_OK(txn.replay(access,
                                 Object{.key = change.entry.key, .revision = change.entry.revision},
                                 {}, change.entry));
    HOLDFAST_CHECK_OK(txn.put_idempotency(access, {.key = note, .created_at = txn.now()}));
    return true;
  }
  const NounEntry* noun = nouns_.find(change.object->key.kind);
  if (noun == nullptr) {
    return invalid_argument(fmt::format(
        "This version does not know the kind '{}'; import with the version that wrote it.",
        change.object->key.kind));
  }
  HOLDFAST_TRY(const Projection projection, noun->project(*change.object));
  HOLDFAST_CHECK_OK(txn.replay(access, *change.object, projection, change.entry));
  return true;
}

Result<ImportResponse> ArchiveService::import_changes(const CallContext& call,
                                                      const ImportRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  return storage::write_returning<ImportResponse>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<ImportResponse> {
        ImportResponse response{.space = access.space()};
        for (const ArchivedChange& change : request.changes) {
          HOLDFAST_TRY(const bool imported, import_one(txn, access, change));
          ++(imported ? response.imported : response.skipped);
        }
        return response;
      });
}

}  // namespace holdfast::service
