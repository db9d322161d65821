// What can be read of the store. Its manual begins in storage/store.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/object.h"
#include "model/principal.h"
#include "storage/jobs_table.h"
#include "storage/records.h"

namespace holdfast::storage {

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

  // The ids of those that may be seen, in their order.
  virtual Result<std::vector<std::string>> pointing_at(const access::SpaceAccess& access,
                                                       const Pointing& asked) = 0;

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

}  // namespace holdfast::storage
