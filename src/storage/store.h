// The journalled object store. It knows no nouns: everything is objects, revisions, facets, links
// and the journal (DESIGN section 3). The contract is tests/conformance/, which every adapter
// passes; nothing above this header may rely on one adapter's habits.
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
#include "access/space_access.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/noun.h"
#include "model/object.h"
#include "model/principal.h"
#include "storage/change.h"
#include "storage/jobs_table.h"
#include "storage/put.h"
#include "storage/records.h"

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

// A consistent view of the data, taken when the object was made. Not thread-safe: one belongs to
// one request. Objects that `access` may not see are treated as absent everywhere: in pages,
// neighbours, journal and counts.
class ReadTxn {
 public:
  virtual ~ReadTxn() = default;

  // kNotFound if it does not exist, was deleted or erased, or may not be seen: deliberately
  // indistinguishable.
  virtual Result<Object> get(const access::SpaceAccess& access, const ObjectKey& key) = 0;
  // In the order asked for; absent ones are left out.
  virtual Result<std::vector<Object>> get_many(const access::SpaceAccess& access,
                                               const std::vector<ObjectNumber>& numbers) = 0;
  // Of the same objects only what they say: for those who look through many.
  virtual Result<std::vector<ObjectBody>> get_bodies(const access::SpaceAccess& access,
                                                     const std::vector<ObjectNumber>& numbers) = 0;
  // The object as it was just after that journal position; kNotFound if it did not exist then. The
  // label it had and the one of today (a deleted object's last) must both allow it, so that neither
  // what was hidden nor what is hidden now shows.
  virtual Result<Object> get_as_of(const access::SpaceAccess& access, const ObjectKey& key,
                                   JournalPosition position) = 0;
  // The newest position at or before that time; 0 if none.
  virtual Result<JournalPosition> position_at(Timestamp at) = 0;
  // Newest first, the current one and deletions included; those with a label that hides them are
  // left out. kNotFound as get, but a deleted object still has its history.
  virtual Result<std::vector<RevisionRecord>> history(const access::SpaceAccess& access,
                                                      const ObjectKey& key, size_t limit) = 0;

  virtual Result<Page> scan(const access::SpaceAccess& access, const Scan& scan) = 0;
  virtual Result<std::vector<Facet>> facets(const access::SpaceAccess& access,
                                            const ObjectKey& key) = 0;

  // Outgoing and incoming edges of an object, ordered by relation, then target. Edges to objects
  // that exist but may not be seen are left out; edges to objects that do not exist are kept.
  // `relation` empty: all. Nothing is known of an object that does not exist but who points at it.
  virtual Result<std::vector<Neighbour>> neighbours(const access::SpaceAccess& access,
                                                    const ObjectKey& key, std::string_view relation,
                                                    size_t limit) = 0;

  // Entries after `after`, oldest first; or before `before`, newest first.
  virtual Result<std::vector<JournalEntry>> journal_after(const access::SpaceAccess& access,
                                                          JournalPosition after, size_t limit) = 0;
  virtual Result<std::vector<JournalEntry>> journal_before(const access::SpaceAccess& access,
                                                           JournalPosition before,
                                                           size_t limit) = 0;
  // The newest position of any space, 0 for an empty store. Never falls.
  virtual Result<JournalPosition> position() = 0;

  // An expired record is absent, swept or not.
  virtual Result<std::optional<IdempotencyRecord>> find_idempotency(
      const access::SpaceAccess& access, const IdempotencyKey& key) = 0;

  // A blob is seen by whoever sees its owner; while the owner does not exist, only by a viewer who
  // sees everything.
  virtual Result<BlobInfo> blob(const access::SpaceAccess& access, std::string_view id) = 0;
  // Finished ones that are seen, by id, behind `after`.
  virtual Result<std::vector<BlobInfo>> blobs(const access::SpaceAccess& access,
                                              std::string_view after, size_t limit) = 0;
  virtual Result<std::string> blob_chunk(const access::SpaceAccess& access, std::string_view id,
                                         int64_t index) = 0;

  virtual Result<std::vector<Job>> jobs(const access::SpaceAccess& access, std::string_view queue,
                                        JobState state, size_t limit) = 0;
  // When the next pending job of these queues is due or the next lease ends, in any space. Nothing:
  // none waits.
  virtual Result<std::optional<Timestamp>> next_job_at(const access::AdminAccess& access,
                                                       const std::vector<std::string>& queues) = 0;

  virtual Result<std::vector<Space>> spaces(const access::AdminAccess& access) = 0;
  virtual Result<Principal> principal(const access::AdminAccess& access, const PrincipalId& id) = 0;
  virtual Result<std::vector<Principal>> principals(const access::AdminAccess& access) = 0;
  virtual Result<std::vector<Token>> tokens(const access::AdminAccess& access) = 0;

  // Small settings of the store itself (a cursor secret, a schema note). Not found is an empty
  // optional.
  virtual Result<std::optional<std::string>> meta(std::string_view name) = 0;
};

// A write under way. It sees its own changes. Returning an error from the closure undoes this write
// and no other.
class WriteTxn : public ReadTxn {
 public:
  // One instant for the whole write, later than every earlier write's.
  virtual Timestamp now() const = 0;

  // Creates or replaces, and makes the space if it does not exist. An object that was deleted is
  // made anew: another number, the next revision. An object whose body, state and label are as they
  // were is not changed: no revision, no journal entry (facets and links are refreshed). Returns
  // the object as stored. A key the caller may not see but which exists gives kAlreadyExists only
  // if `expected` is 0, else kNotFound.
  virtual Result<Object> put(const access::SpaceAccess& access, Put put) = 0;
  // The same for those who know what it will be, and are spared a copy of it.
  virtual Status add(const access::SpaceAccess& access, Put put) = 0;
  // Removes it from reads and lists; its history stays. kNotFound as get.
  virtual Status remove(const access::SpaceAccess& access, const ObjectKey& key,
                        std::string_view message) = 0;
  // Removes body, revisions, facets, links, blobs, stored answers about it and journal messages;
  // leaves a tombstone entry. Also takes objects that were deleted before. kNotFound as get
  // otherwise.
  virtual Status erase(const access::SpaceAccess& access, const ObjectKey& key,
                       std::string_view message) = 0;
  // Adds to number facets of an object in place: counters. No revision, no journal entry, no
  // Change. Returns the new values. A facet that the object's projection does not declare starts at
  // 0 and survives later puts; one that it does declare is set anew by the next put.
  virtual Result<std::vector<int64_t>> count(const access::SpaceAccess& access,
                                             const ObjectKey& key,
                                             const std::vector<CountStep>& steps) = 0;
  Result<int64_t> count(const access::SpaceAccess& access, const ObjectKey& key,
                        std::string_view facet, int64_t delta) {
    HOLDFAST_TRY(const auto values, count(access, key, {{std::string(facet), delta}}));
    return values.front();
  }

  virtual Status put_idempotency(const access::SpaceAccess& access,
                                 const IdempotencyRecord& record) = 0;
  virtual Status remove_idempotency(const access::SpaceAccess& access,
                                    const IdempotencyKey& key) = 0;
  // Removes records that expired before `now`, at most `limit`. Returns how many.
  virtual Result<size_t> sweep_idempotency(const access::AdminAccess& access, Timestamp now,
                                           size_t limit) = 0;

  // Chunks count from 0, hold at most kBlobChunkBytes (kTooLarge) and come in any order; the first
  // makes the blob. kConflict once it is finished. finish_blob: kInvalidArgument if the chunks do
  // not add up to blob.size.
  virtual Status put_blob_chunk(const access::SpaceAccess& access, const BlobInfo& blob,
                                int64_t index, std::string_view bytes) = 0;
  virtual Status finish_blob(const access::SpaceAccess& access, const BlobInfo& blob) = 0;
  virtual Status remove_blob(const access::SpaceAccess& access, std::string_view id) = 0;

  // Returns the job's id, or that of the pending one with the same dedupe key.
  virtual Result<int64_t> enqueue(const access::SpaceAccess& access, const Job& job) = 0;
  // Takes jobs that are due: pending, or running with a lapsed lease, with attempts left; oldest
  // run_at first. A job whose lease lapsed on its last attempt becomes failed (category
  // "lease_lost").
  virtual Result<std::vector<Job>> claim_jobs(const access::AdminAccess& access,
                                              const JobClaim& claim) = 0;
  // kConflict if the lease is no longer this worker's; the caller's write must then fail too.
  virtual Status finish_job(const access::AdminAccess& access, const JobOutcome& outcome) = 0;
  // At the start of an owner: whatever an earlier process had claimed becomes pending again,
  // attempts kept.
  virtual Status release_jobs(const access::AdminAccess& access) = 0;
  // Removes finished jobs completed before that time, at most `limit`. Returns how many.
  virtual Result<size_t> sweep_jobs(const access::AdminAccess& access, Timestamp before,
                                    size_t limit) = 0;

  // Making one that exists is fine.
  virtual Status create_space(const access::AdminAccess& access, const SpaceId& space) = 0;
  // Erases a space and everything in it.
  virtual Status erase_space(const access::AdminAccess& access, const SpaceId& space) = 0;
  virtual Status put_principal(const access::AdminAccess& access, const Principal& principal) = 0;
  virtual Status put_token(const access::AdminAccess& access, const Token& token) = 0;
  // Marks it and every token minted from it as revoked. kNotFound for an unknown id.
  virtual Status revoke_token(const access::AdminAccess& access, std::string_view id) = 0;
  // Forgets tokens minted from this one that expired before then and minted none themselves, at
  // most so many.
  virtual Status sweep_minted_tokens(const access::AdminAccess& access, std::string_view parent,
                                     Timestamp expired_before, size_t limit) = 0;
  virtual Status set_meta(const access::AdminAccess& access, std::string_view name,
                          std::string_view value) = 0;

  // Restoring a journal and history as they were (import, replication): the entry keeps its time,
  // principal, surface, action, message and revision; its position is new. Entries of one `change`
  // that come one after the other in one write stay one. An object with entry.action "deleted" or
  // "erased" has no body.
  virtual Status replay(const access::SpaceAccess& access, const Object& object,
                        const Projection& projection, const JournalEntry& entry) = 0;
};

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
