// A whole space as a stream of its changes, out and in: history, authors and times included. Pages
// keep memory bounded and let the caller show progress; the text form (JSON Lines) is the
// surface's.
#pragma once

#include <optional>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/noun.h"
#include "storage/store.h"

namespace holdfast::service {

// The text of the largest page of changes that an import takes. A document may have 16 MiB, and
// every byte of it six characters in JSON; what was exported must be importable.
inline constexpr size_t kMaxImportBytes = size_t{128} << 20U;

// One journal entry with the object as it was then. No object: it was deleted by this change, or
// erased since.
struct ArchivedChange {
  JournalEntry entry = {};
  std::optional<Object> object = std::nullopt;
};

struct ExportRequest {
  JournalPosition after = 0;
  int64_t limit = 500;
};
struct ExportResponse {
  SpaceId space = {};
  std::vector<ArchivedChange> changes = {};
  JournalPosition next = 0;  // give it as `after` for the next page
  JournalPosition head = 0;  // where the journal ends now
  bool done = false;
};

struct ImportRequest {
  std::vector<ArchivedChange> changes = {};
};
struct ImportResponse {
  SpaceId space = {};
  int64_t imported = 0;
  int64_t skipped = 0;  // already there, or about nothing that is
};

// Bytes kept beside objects, a stretch at a time. They are not part of a change: what an export has
// is what there is at its end.
struct ArchivedPiece {
  storage::BlobInfo blob = {};
  int64_t piece = 0;
  bool last = false;
  std::string bytes = {};
};

struct ExportPiecesRequest {
  std::string after = {};  // the blob whose pieces were the last, as the page before said
  int64_t piece = 0;       // the first one wanted of the blob that follows it
  int64_t limit = 8;
};
struct ExportPiecesResponse {
  SpaceId space = {};
  std::vector<ArchivedPiece> pieces = {};
  std::string after = {};  // for the next page
  int64_t piece = 0;
  bool done = false;
};

struct ImportPiecesRequest {
  std::vector<ArchivedPiece> pieces = {};
};

// Needs the scope `admin`. Thread-safe.
class ArchiveService {
 public:
  ArchiveService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                 const NounCatalog& nouns)
      : store_(store), gatekeeper_(gatekeeper), nouns_(nouns) {}

  Result<ExportResponse> export_changes(const CallContext& call, const ExportRequest& request);
  // All or nothing per call. What the space already has (by revision) is skipped, so an interrupted
  // import is simply repeated. kInvalidArgument for a kind this version does not know; kConflict if
  // the space has another object of that name, told by a revision with other content.
  Result<ImportResponse> import_changes(const CallContext& call, const ImportRequest& request);
  Result<ExportPiecesResponse> export_pieces(const CallContext& call,
                                             const ExportPiecesRequest& request);
  // After the changes. Skipped are pieces of blobs that are there already, and of objects that are
  // not: nobody could ever erase them. kInvalidArgument if the bytes are not those that were
  // exported.
  Result<ImportResponse> import_pieces(const CallContext& call, const ImportPiecesRequest& request);

 private:
  Result<bool> import_one(storage::WriteTxn& txn, const access::SpaceAccess& access,
                          const ArchivedChange& change);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const NounCatalog& nouns_;
};

}  // namespace holdfast::service
