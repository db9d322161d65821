// The journalled object store. It knows no nouns: everything is objects, revisions, facets, links
// and the journal (DESIGN section 3). The contract is tests/conformance/, which every adapter
// passes; nothing above this header may rely on one adapter's habits. Transactions are in
// read_txn.h and write_txn.h, the Store that makes them is here.
//
// Errors common to all calls: kDeadlineExceeded, kUnavailable (queue full, shutting down),
// kStorageFull (nothing was changed), kCorrupted, kInternal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/authenticator.h"
#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "storage/change.h"
#include "storage/read_txn.h"
#include "storage/write_txn.h"

namespace holdfast::storage {

namespace reason {
inline constexpr std::string_view kRevisionConflict = "revision_conflict";
inline constexpr std::string_view kExists = "object_exists";
inline constexpr std::string_view kNewerVersion = "newer_version";  // by a newer Holdfast
inline constexpr std::string_view kLeaseLost = "lease_lost";  // the job is no longer this worker's
inline constexpr std::string_view kBlobFinished = "blob_finished";  // takes no more chunks
inline constexpr std::string_view kBlobOwner = "blob_owner";        // belongs to another object
inline constexpr std::string_view kHandleTaken = "handle_taken";    // another principal has it
}  // namespace reason

// Told to the journal with every change of a write.
using WriteClosure = std::function<Status(WriteTxn&)>;

// Thread-safe.
class Store : public access::SpaceDirectory, public access::GrantSource {
 public:
  // Never waits for the writer. Refused once the deadline has passed: paged reads end with it.
  virtual Result<std::unique_ptr<ReadTxn>> begin_read(Deadline deadline) = 0;

  // Runs the closure, here or on the writer's thread, and returns when its effect is durable and
  // every listener has seen it, or with the closure's error when nothing of it remains. Closures of
  // many callers share one commit. A closure makes no network call and takes no lock that a caller
  // of write() may hold.
  virtual Status write(const CallContext& call, const WriteClosure& closure) = 0;

  // A listener added while others write hears of what commits from then on. It lives until it is
  // removed or the store is closed; removing waits for a call under way. Neither is called from a
  // listener.
  virtual void add_listener(CommitListener& listener) = 0;
  virtual void remove_listener(CommitListener& listener) = 0;

  // A consistent copy into a new file, while serving. `progress` is told the share done, 0 to 1.
  virtual Status backup(const std::string& path, const std::function<void(double)>& progress) = 0;
  // Checks the file and the rules between tables; each finding is one sentence. Empty: sound.
  virtual Result<std::vector<std::string>> check() = 0;
  virtual StoreSizes sizes() const = 0;
  // Finishes what is queued, commits, and refuses everything after.
  virtual void close() = 0;
};

// write() for closures that return something.
template <typename T, typename Closure>
Result<T> write_returning(Store& store, const CallContext& call, Closure&& closure) {
  std::optional<T> value;
  HOLDFAST_CHECK_OK(store.write(call, [&](WriteTxn& txn) -> Status {
    Result<T> result = closure(txn);
    if (!result) return std::move(result).error();
    value = std::move(*result);
    return {};
  }));
  return std::move(*value);
}

}  // namespace holdfast::storage
