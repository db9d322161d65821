// A WAL snapshot on a connection borrowed from the reader pool.
#pragma once

#include "storage/sqlite/directory.h"
#include "storage/sqlite/read_methods.h"
#include "storage/sqlite/reader_pool.h"

namespace holdfast::storage::sqlite {

class SqliteReadTxn final : public ReadMethods<ReadTxn> {
 public:
  // Takes the snapshot, unless the connection has one.
  static Result<std::unique_ptr<ReadTxn>> begin(ReaderPool::Lease connection,
                                                const Directory& directory, const Clock& clock);

  Result<JournalPosition> position() override { return position_; }

 private:
  SqliteReadTxn(ReaderPool::Lease connection, const Directory& directory, const Clock& clock)
      : connection_(std::move(connection)), directory_(directory), clock_(clock) {}

  Connection& db() override { return *connection_; }
  SpaceNumber number_of(const SpaceId& space) const override { return directory_.number_of(space); }
  Timestamp clock_now() const override { return clock_.now(); }

  ReaderPool::Lease connection_;
  const Directory& directory_;
  const Clock& clock_;
  JournalPosition position_ = 0;
};

}  // namespace holdfast::storage::sqlite
