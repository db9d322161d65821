// The reads of a transaction, shared by SqliteReadTxn and SqliteWriteTxn: each resolves the space
// and hands over to the file that knows the table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/sqlite/blobs.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/idempotency.h"
#include "storage/sqlite/jobs.h"
#include "storage/sqlite/journal.h"
#include "storage/sqlite/principals.h"
#include "storage/sqlite/reads.h"
#include "storage/sqlite/spaces.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {

// Base is ReadTxn or WriteTxn.
template <typename Base>
class ReadMethods : public Base {
 public:
  Result<Object> get(const access::SpaceAccess& access, const ObjectKey& key) override {
    return sqlite::get(db(), scope(access), key);
  }
  Result<std::vector<Object>> get_many(const access::SpaceAccess& access,
                                       const std::vector<ObjectNumber>& numbers) override {
    return sqlite::get_many(db(), scope(access), numbers);
  }
  Result<std::vector<ObjectBody>> get_bodies(const access::SpaceAccess& access,
                                             const std::vector<ObjectNumber>& numbers) override {
    return sqlite::get_bodies(db(), scope(access), numbers);
  }
  Result<Object> get_as_of(const access::SpaceAccess& access, const ObjectKey& key,
                           JournalPosition position) override {
    return sqlite::get_as_of(db(), scope(access), key, position);
  }
  Result<JournalPosition> position_at(Timestamp at) override {
    HOLDFAST_TRY(const auto spaces, list_space_numbers(db()));
    return sqlite::position_at(db(), spaces, at);
  }
  Result<std::vector<RevisionRecord>> history(const access::SpaceAccess& access,
                                              const ObjectKey& key, size_t limit) override {
    return sqlite::history(db(), scope(access), key, limit);
  }
  Result<Page> scan(const access::SpaceAccess& access, const Scan& scan) override {
    return sqlite::scan(db(), scope(access), scan);
  }
  Result<std::vector<Facet>> facets(const access::SpaceAccess& access,
                                    const ObjectKey& key) override {
    return sqlite::facets(db(), scope(access), key);
  }
  Result<std::vector<Neighbour>> neighbours(const access::SpaceAccess& access, const ObjectKey& key,
                                            std::string_view relation, size_t limit) override {
    return sqlite::neighbours(db(), scope(access), key, relation, limit);
  }
  Result<std::vector<std::string>> pointing_at(const access::SpaceAccess& access,
                                               const Pointing& asked) override {
    return sqlite::pointing_at(db(), scope(access), asked);
  }
  Result<std::vector<JournalEntry>> journal_after(const access::SpaceAccess& access,
                                                  JournalPosition after, size_t limit) override {
    return sqlite::journal_after(db(), scope(access), after, limit);
  }
  Result<std::vector<JournalEntry>> journal_before(const access::SpaceAccess& access,
                                                   JournalPosition before, size_t limit) override {
    return sqlite::journal_before(db(), scope(access), before, limit);
  }
  Result<std::optional<IdempotencyRecord>> find_idempotency(const access::SpaceAccess& access,
                                                            const IdempotencyKey& key) override {
    return sqlite::find_idempotency(db(), scope(access).space, key, clock_now());
  }
  Result<BlobInfo> blob(const access::SpaceAccess& access, std::string_view id) override {
    return find_blob(db(), scope(access), id);
  }
  Result<std::vector<BlobInfo>> blobs(const access::SpaceAccess& access, std::string_view after,
                                      size_t limit) override {
    return list_blobs(db(), scope(access), after, limit);
  }
  Result<std::string> blob_chunk(const access::SpaceAccess& access, std::string_view id,
                                 int64_t index) override {
    return read_blob_chunk(db(), scope(access), id, index);
  }
  Result<std::vector<Job>> jobs(const access::SpaceAccess& access, std::string_view queue,
                                JobState state, size_t limit) override {
    return list_jobs(db(), scope(access), queue, state, limit);
  }
  Result<std::optional<Timestamp>> next_job_at(const access::AdminAccess&,
                                               const std::vector<std::string>& queues) override {
    HOLDFAST_TRY(const auto spaces, list_space_numbers(db()));
    return sqlite::next_job_at(db(), spaces, queues);
  }
  Result<std::vector<Space>> spaces(const access::AdminAccess&) override {
    HOLDFAST_TRY(const auto rows, list_spaces(db()));
    std::vector<Space> spaces;
    for (const SpaceRow& row : rows) spaces.push_back({.id = row.id, .created_at = row.created_at});
    return spaces;
  }
  Result<Principal> principal(const access::AdminAccess&, const PrincipalId& id) override {
    HOLDFAST_TRY(auto found, find_principal(db(), id));
    if (!found) return not_found("principal", id.value);
    return std::move(*found);
  }
  Result<std::vector<Principal>> principals(const access::AdminAccess&) override {
    return list_principals(db());
  }
  Result<std::vector<Token>> tokens(const access::AdminAccess&) override {
    return list_tokens(db());
  }
  Result<std::optional<std::string>> meta(std::string_view name) override {
    return find_meta(db(), name);
  }

 protected:
  virtual Connection& db() = 0;
  virtual SpaceNumber number_of(const SpaceId& space) const = 0;
  virtual Timestamp clock_now() const = 0;

  Scope scope(const access::SpaceAccess& access) const {
    return Scope{.space = number_of(access.space()), .access = access};
  }
};

}  // namespace holdfast::storage::sqlite
