// The write under way on the writer's connection. One object serves all writes, one after the
// other: begin() starts one, effects() tells what it did beyond rows. Used by whoever writes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "storage/sqlite/ledger.h"
#include "storage/sqlite/new_objects.h"
#include "storage/sqlite/read_methods.h"

namespace holdfast::storage::sqlite {

// What the first writes of a batch changed; whoever made them is answered when the listeners know.
struct Portion {
  std::vector<Change> changes = {};
  size_t writes = 0;  // of the batch, this portion's and those before
};

// What a write changes outside the file, once it is durable.
struct Effects {
  std::vector<Portion> portions = {};                        // in order, none without changes
  std::vector<std::pair<SpaceId, SpaceNumber>> spaces = {};  // in order; 0: erased
  std::vector<PrincipalId> principals = {};
  std::vector<std::string> tokens = {};  // ids
  std::vector<SpaceId> without_due_jobs = {};
  bool rows = false;    // anything at all was written
  bool erased = false;  // the WAL must be truncated before anyone is answered
  bool jobs = false;

  // All but the changes, which are large and go where they belong at once.
  void add(Effects&& later);
  size_t change_count() const;
};

class SqliteWriteTxn final : public ReadMethods<WriteTxn> {
 public:
  SqliteWriteTxn(Connection& db, Ledger& ledger, const Clock& clock)
      : db_(db), ledger_(ledger), clock_(clock), new_objects_(db) {}

  // Changes are added to `changes`; nullptr: nobody listens. The other effects are effects().
  void begin(const CallContext& call, std::vector<Change>* changes);
  // Inserts what waits to be inserted. To be called when the closure is done.
  Status finish() { return new_objects_.insert(); }
  // Instead of finish(), where the write is undone.
  void give_up() { new_objects_.begin(nullptr); }
  Effects& effects() { return effects_; }

  Timestamp now() const override { return now_; }
  Result<JournalPosition> position() override { return ledger_.state().last_position; }

  Result<Object> put(const access::SpaceAccess& access, Put put) override;
  Status add(const access::SpaceAccess& access, Put put) override;
  Status remove(const access::SpaceAccess& access, const ObjectKey& key,
                std::string_view message) override;
  Status erase(const access::SpaceAccess& access, const ObjectKey& key,
               std::string_view message) override;
  using WriteTxn::count;
  Result<std::vector<int64_t>> count(const access::SpaceAccess& access, const ObjectKey& key,
                                     const std::vector<CountStep>& steps) override;
  Status replay(const access::SpaceAccess& access, const Object& object,
                const Projection& projection, const JournalEntry& entry) override;

  Status put_idempotency(const access::SpaceAccess& access,
                         const IdempotencyRecord& record) override;
  Status remove_idempotency(const access::SpaceAccess& access, const IdempotencyKey& key) override;
  Result<size_t> sweep_idempotency(const access::AdminAccess& access, Timestamp now,
                                   size_t limit) override;

  Status put_blob_chunk(const access::SpaceAccess& access, const BlobInfo& blob, int64_t index,
                        std::string_view bytes) override;
  Status finish_blob(const access::SpaceAccess& access, const BlobInfo& blob) override;
  Status remove_blob(const access::SpaceAccess& access, std::string_view id) override;

  Result<int64_t> enqueue(const access::SpaceAccess& access, const Job& job) override;
  Result<std::vector<Job>> claim_jobs(const access::AdminAccess& access,
                                      const JobClaim& claim) override;
  Status finish_job(const access::AdminAccess& access, const JobOutcome& outcome) override;
  Status release_jobs(const access::AdminAccess& access) override;
  Result<size_t> sweep_jobs(const access::AdminAccess& access, Timestamp before,
                            size_t limit) override;

  Status create_space(const access::AdminAccess& access, const SpaceId& space) override;
  Status erase_space(const access::AdminAccess& access, const SpaceId& space) override;
  Status put_principal(const access::AdminAccess& access, const Principal& principal) override;
  Status put_token(const access::AdminAccess& access, const Token& token) override;
  Status revoke_token(const access::AdminAccess& access, std::string_view id) override;
  Status sweep_minted_tokens(const access::AdminAccess& access, std::string_view parent,
                             Timestamp expired_before, size_t limit) override;
  Status set_meta(const access::AdminAccess& access, std::string_view name,
                  std::string_view value) override;

 private:
  Connection& db() override { return db_; }
  SpaceNumber number_of(const SpaceId& space) const override;
  Timestamp clock_now() const override { return now_; }

  // The space's number; makes the space if it is not there.
  Result<SpaceNumber> space_for_writing(const access::SpaceAccess& access);
  Result<SpaceNumber> make_space(const SpaceId& space);

  // The object as stored. Valid until the next change of this write.
  Result<const Object*> put_here(const access::SpaceAccess& access, Put&& put);
  Result<const Object*> create(SpaceNumber space, const access::SpaceAccess& access, Put&& put);
  Result<const Object*> replace(SpaceNumber space, const access::SpaceAccess& access, Put&& put,
                                StoredObject& old);
  // The journal entry of a change of `object` in this write, with the next position.
  JournalEntry next_entry(const Object& object, std::string_view action, std::string_view message);
  JournalPosition next_position();
  // Takes the object out of objects; its state goes to revisions.
  Status retire(const SpaceId& id, SpaceNumber space, const StoredObject& old);
  // Takes everything of the key but its journal entries, whose messages are emptied.
  Status wipe(const SpaceId& id, SpaceNumber space, const ObjectKey& key);
  void record(const SpaceId& space, Change::What what, Object&& object, Projection&& projection,
              JournalEntry&& entry);
  // The object, which was put by this entry, both for the listeners and for the caller.
  const Object* recorded(const SpaceId& space, Object&& object, Projection&& projection,
                         JournalEntry&& entry);
  const Object* kept(Object&& object);

  Connection& db_;
  Ledger& ledger_;
  const Clock& clock_;
  NewObjects new_objects_;
  const CallContext* call_ = nullptr;  // of the write under way
  std::vector<Change>* changes_ = nullptr;
  Object last_ = {};  // that was put and is in no change
  Timestamp now_ = {};
  JournalPosition first_position_ = 0;
  JournalPosition replayed_change_ = 0;  // of the entry that was replayed last, where it came from
  JournalPosition replayed_at_ = 0;      // and where that change begins here
  Effects effects_;
};

}  // namespace holdfast::storage::sqlite
