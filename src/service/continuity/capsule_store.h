// Capsules in the store: finding them, their paths and their snapshots.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/continuity/nouns.h"
#include "storage/store.h"

namespace holdfast::service::continuity {

// A stored capsule read back. `problem` says why it cannot be used; the capsule is null then.
struct Loaded {
  StoredCapsule stored = {};
  Value as_stored = {};  // the capsule before it was brought up to date
  std::string problem = {};
  bool valid() const { return problem.empty(); }
};

using Access = access::SpaceAccess;

Result<std::optional<Loaded>> load_active(storage::ReadTxn& txn, const Access& access,
                                          const Subject& subject);
// The snapshot: of the active capsule's own content, the one left behind by it, or, where the
// active one cannot be read, its newest state that can.
Result<std::optional<Loaded>> load_fallback(storage::ReadTxn& txn, const Access& access,
                                            const Subject& subject);
// The same, of an active capsule that was loaded before.
Result<std::optional<Loaded>> load_fallback(storage::ReadTxn& txn, const Access& access,
                                            const Subject& subject, std::optional<Loaded> active);
std::optional<Loaded> loaded_of(const Object& object);
// kNotFound `Continuity capsule not found`; kInvalidArgument for one that cannot be read, beginning
// with `invalid`.
Result<StoredCapsule> require_active(storage::ReadTxn& txn, const Access& access,
                                     const Subject& subject, std::string_view missing,
                                     std::string_view invalid);

// The stem of the subject's paths: its own, or the one it would get.
Result<std::string> find_stem(storage::ReadTxn& txn, const Access& access, const Subject& subject);
Status claim_stem(storage::WriteTxn& txn, const Access& access, const Subject& subject,
                  const std::string& stem);
// Gives the path back once no artefact of the subject is left.
Status release_stem(storage::WriteTxn& txn, const Access& access, const Subject& subject,
                    const std::string& stem);

// All archives of a subject, hot ones only unless asked, by name.
Result<std::vector<StoredCapsule>> archives_of(storage::ReadTxn& txn, const Access& access,
                                               const Subject& subject, bool cold_too);

// Puts the active capsule with its message; returns the change's position.
Result<std::string> put_active(storage::WriteTxn& txn, const Access& access,
                               const StoredCapsule& stored, const std::string& message);
Status put_archive(storage::WriteTxn& txn, const Access& access, const StoredCapsule& stored,
                   const std::string& message);
// Removes the active capsule, leaving its snapshot where it has one and `keep_fallback`.
Status remove_active(storage::WriteTxn& txn, const Access& access, const StoredCapsule& stored,
                     bool keep_fallback, const std::string& message);
// One more entry in the history of a capsule, for a change of what else is kept of its subject.
Status note_change(storage::WriteTxn& txn, const Access& access, const CallContext& call,
                   const Subject& subject, const std::string& message);
Result<std::string> position_text(storage::ReadTxn& txn);

}  // namespace holdfast::service::continuity
