#include "storage/sqlite/read_txn.h"

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kBegin[] = "BEGIN";
constexpr char kEnd[] = "COMMIT";

}  // namespace

Result<std::unique_ptr<ReadTxn>> SqliteReadTxn::begin(ReaderPool::Lease connection,
                                                      const Directory& directory,
                                                      const Clock& clock) {
  std::unique_ptr<SqliteReadTxn> txn(new SqliteReadTxn(std::move(connection), directory, clock));
  HOLDFAST_CHECK_OK(txn->db().run(kBegin));
  // BEGIN alone takes no snapshot; the first read does.
  HOLDFAST_TRY(const StoreState state, read_state(txn->db()));
  txn->position_ = state.last_position;
  return std::unique_ptr<ReadTxn>(std::move(txn));
}

SqliteReadTxn::~SqliteReadTxn() {
  if (!connection_->in_transaction()) return;
  if (const auto ended = connection_->run(kEnd); !ended) {
    log::error("read_not_ended", {{"detail", ended.error().detail}});
  }
}

}  // namespace holdfast::storage::sqlite
