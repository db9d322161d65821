#include "storage/sqlite/sqlite_store.h"

#include <filesystem>

#include "base/log.h"
#include "storage/sqlite/maintenance.h"
#include "storage/sqlite/migrations.h"
#include "storage/sqlite/read_txn.h"
#include "storage/sqlite/scrub_vfs.h"
#include "storage/sqlite/writer.h"

namespace holdfast::storage {
namespace sqlite {
namespace {

// Before the first table is made. Measured: a savepoint copies every page it touches, so small
// pages make small writes a sixth cheaper than 8 KiB ones; wide rows are in rowid tables, whose
// leaves hold them whole at this size too.
constexpr char kLayout[] = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE";

// Full: a commit is on the disk when it returns. Secure delete: what is deleted is overwritten with
// zeros.
constexpr char kWriterSettings[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
    "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 0;"
    "PRAGMA journal_size_limit = 67108864; PRAGMA max_page_count = 33554431";
static_assert(kMaxPages == 33554431);

constexpr char kFreePages[] = "PRAGMA freelist_count";
constexpr char kPageSize[] = "PRAGMA page_size";

Status ensure_default_space(Connection& db, Timestamp now) {
  HOLDFAST_TRY(const auto spaces, list_spaces(db));
  for (const SpaceRow& space : spaces) {
    if (space.id == kDefaultSpace) return {};
  }
  HOLDFAST_CHECK_OK(insert_space(db, kDefaultSpace, now));
  return {};
}

Status fill(Directory& directory, Connection& db) {
  HOLDFAST_TRY(const auto spaces, list_spaces(db));
  for (const SpaceRow& space : spaces) directory.add_space(space.id, space.number);
  HOLDFAST_TRY(const auto principals, list_principals(db));
  for (const Principal& principal : principals) directory.put_principal(principal);
  HOLDFAST_TRY(const auto tokens, list_tokens(db));
  for (const Token& token : tokens) directory.put_token(token);
  return {};
}

int64_t size_of(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<int64_t>(bytes);
}

class SqliteStore final : public Store {
 public:
  SqliteStore(const SqliteOptions& options, std::unique_ptr<Connection> db, Ledger ledger,
              std::unique_ptr<Directory> directory)
      : path_(options.path),
        clock_(options.clock),
        directory_(std::move(directory)),
        readers_(options.path, options.readers),
        writer_(std::move(db), std::move(ledger), {*directory_, readers_}, options.clock,
                options.queue_limit) {}
  ~SqliteStore() override { close_all(); }

  bool space_exists(const SpaceId& space) const override { return directory_->has_space(space); }

  Result<std::optional<access::Grant>> find_grant(std::string_view token_hash) const override {
    return directory_->find_grant(token_hash);
  }

  Result<std::unique_ptr<ReadTxn>> begin_read(Deadline deadline) override {
    HOLDFAST_TRY(auto connection, readers_.take_snapshot(deadline));
    return SqliteReadTxn::begin(std::move(connection), *directory_, clock_);
  }

  Status write(const CallContext& call, const WriteClosure& closure) override {
    return writer_.write(call, closure);
  }

  void add_listener(CommitListener& listener) override { writer_.add_listener(listener); }
  void remove_listener(CommitListener& listener) override { writer_.remove_listener(listener); }

  Status backup(const std::string& path, const std::function<void(double)>& progress) override {
    return with_snapshot([&](Connection& db) { return copy_database(db, path, progress); });
  }

  Result<std::vector<std::string>> check() override {
    std::vector<std::string> findings;
    HOLDFAST_CHECK_OK(with_snapshot([&](Connection& db) -> Status {
      HOLDFAST_TRY(findings, find_damage(db));
      return {};
    }));
    return findings;
  }

  StoreSizes sizes() const override {
    StoreSizes sizes{.file_bytes = size_of(path_), .wal_bytes = size_of(path_ + "-wal")};
    const auto connection = readers_.take(std::chrono::steady_clock::now());
    if (!connection) return sizes;
    const auto pages = (*connection)->integer_or(0, kFreePages);
    const auto page_bytes = (*connection)->integer_or(0, kPageSize);
    if (pages && page_bytes) sizes.free_bytes = *pages * *page_bytes;
    return sizes;
  }

  void close() override { close_all(); }

 private:
  void close_all() {
    writer_.close();
    readers_.close();
  }

  Status with_snapshot(const std::function<Status(Connection&)>& work) {
    HOLDFAST_TRY(const auto connection, readers_.take(kNoDeadline));
    HOLDFAST_CHECK_OK(connection->run(kBegin));
    Status done =
        read_state(*connection).has_value() ? work(*connection) : read_state(*connection).error();
    Status ended = connection->run(kCommit);
    return done ? ended : done;
  }

  const std::string path_;
  const Clock& clock_;
  const std::unique_ptr<Directory> directory_;
  mutable ReaderPool readers_;
  Writer writer_;
};

Result<std::unique_ptr<Store>> open_store(const SqliteOptions& options) {
  HOLDFAST_CHECK_OK(check_file(options.path));
  HOLDFAST_TRY(auto db, Connection::open(options.path, Connection::Mode::kReadWrite));
  HOLDFAST_CHECK_OK(db->execute(kLayout));
  HOLDFAST_CHECK_OK(migrate(*db));
  HOLDFAST_CHECK_OK(db->execute(kWriterSettings));
  HOLDFAST_CHECK_OK(ensure_default_space(*db, options.clock.now()));
  auto directory = std::make_unique<Directory>();
  HOLDFAST_CHECK_OK(fill(*directory, *db));
  HOLDFAST_TRY(auto ledger, Ledger::load(*db));
  return std::unique_ptr<Store>(std::make_unique<SqliteStore>(
      options, std::move(db), std::move(ledger), std::move(directory)));
}

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options) {
  return sqlite::open_store(options);
}

}  // namespace holdfast::storage
