// What can be changed in the store. Its manual begins in storage/store.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/put.h"
#include "storage/read_txn.h"

namespace holdfast::storage {

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

}  // namespace holdfast::storage
