#include "storage/sqlite/connection.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "storage/sqlite/page_cache.h"
#include "storage/sqlite/scrub_vfs.h"

namespace holdfast::storage::sqlite {
namespace {

void configure_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Counting allocations takes a process-wide lock in every malloc; nobody reads the counts.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    use_page_cache();
  });
}

Error worded(int code, std::string detail) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return Error{
          .code = ErrorCode::kStorageFull,
          .message = "The disk is full; nothing was changed. Free some space and try again.",
          .detail = std::move(detail)};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error{
          .code = ErrorCode::kCorrupted,
          .message = "The stored data is damaged. Run 'holdfast verify', then restore a backup.",
          .detail = std::move(detail)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: {
      Error error = unavailable("The data is locked by another process; try again.");
      error.detail = std::move(detail);
      return error;
    }
    default: return internal_error(std::move(detail));
  }
}

}  // namespace

std::string_view Row::bytes(int column) const {
  // The pointer first: asking for the size may convert the value.
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char*>(data), static_cast<size_t>(size));
}

std::optional<Timestamp> Row::optional_time(int column) const {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path, Mode mode) {
  configure_library();
  const int flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
      (mode == Mode::kRead ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &db, flags, scrub_vfs());
  std::unique_ptr<Connection> connection(new Connection(db));
  if (code != SQLITE_OK) return connection->error(code);
  sqlite3_busy_timeout(db, 5000);
  if (mode == Mode::kRead) HOLDFAST_CHECK_OK(connection->execute("PRAGMA query_only = ON"));
  return connection;
}

Connection::~Connection() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(db_);
}

Error Connection::error(int code) const {
  return worded(code, fmt::format("sqlite {}: {}", code, sqlite3_errmsg(db_)));
}

Status Connection::execute(const std::string& script) {
  const int code = sqlite3_exec(db_, script.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Connection::Use::~Use() {
  if (statement == nullptr) return;
  if (cached) {
    sqlite3_reset(statement);
  } else {
    sqlite3_finalize(statement);
  }
}

Result<Connection::Use> Connection::take(const char* sql) {
  if (delayed_ != nullptr) HOLDFAST_CHECK_OK(std::exchange(delayed_, nullptr)->insert());
  const auto found = statements_.find(sql);
  const bool known = found != statements_.end();
  if (known && sqlite3_stmt_busy(found->second) == 0) return Use(found->second, true);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  // A statement that is already being stepped further up the stack gets a twin for this one use.
  if (!known) statements_.emplace(sql, statement);
  return Use(statement, !known);
}

Result<bool> Connection::step(sqlite3_stmt* statement) {
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return error(code);
}

void Binder::bind_one(sqlite3_stmt* s, int index, std::string_view text) {
  // A null pointer would be bound as NULL; an empty text is not NULL.
  sqlite3_bind_text64(s, index, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

void Binder::bind_one(sqlite3_stmt* s, int index, const Blob& blob) {
  sqlite3_bind_blob64(s, index, blob.bytes.empty() ? "" : blob.bytes.data(), blob.bytes.size(),
                      SQLITE_STATIC);
}

}  // namespace holdfast::storage::sqlite
