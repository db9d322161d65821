#include "storage/sqlite/read_txn.h"

namespace holdfast::storage::sqlite {

Result<std::unique_ptr<ReadTxn>> SqliteReadTxn::begin(ReaderPool::Lease connection,
                                                      const Directory& directory,
                                                      const Clock& clock) {
  std::unique_ptr<SqliteReadTxn> txn(new SqliteReadTxn(std::move(connection), directory, clock));
  ReaderPool::Lease& lease = txn->connection_;
  if (!lease.position()) {
    HOLDFAST_CHECK_OK(lease->run(kBegin));
    // BEGIN alone takes no snapshot; the first read does.
    HOLDFAST_TRY(const StoreState state, read_state(*lease));
    lease.keep(state.last_position);
  }
  txn->position_ = *lease.position();
  return std::unique_ptr<ReadTxn>(std::move(txn));
}

}  // namespace holdfast::storage::sqlite
