#include "storage/sqlite/log_buffer.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "storage/sqlite/scrub_vfs.h"

namespace holdfast::storage::sqlite {
namespace {

const sqlite3_io_methods* system_methods = nullptr;  // NOLINT: set once, before any use
LogBuffer& (*find_buffer)(sqlite3_file*) = nullptr;  // NOLINT: set once, before any use

int write_through(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  return full_or(system_methods->xWrite(file, data, amount, offset));
}

int flush(sqlite3_file* file) {
  LogBuffer& buffer = find_buffer(file);
  if (buffer.used == 0) return SQLITE_OK;
  const int amount = buffer.used;
  // What could not be written is given up: SQLite undoes the commit it belongs to.
  buffer.used = 0;
  return write_through(file, buffer.bytes, amount, buffer.offset);
}

int write_log(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  LogBuffer& buffer = find_buffer(file);
  const bool follows = buffer.used > 0 && offset == buffer.offset + buffer.used;
  if (buffer.used > 0 && (!follows || buffer.used + amount > kLogBufferBytes)) {
    if (const int code = flush(file); code != SQLITE_OK) return code;
  }
  if (buffer.bytes == nullptr) buffer.bytes = static_cast<char*>(std::malloc(kLogBufferBytes));
  if (buffer.bytes == nullptr || amount > kLogBufferBytes)
    return write_through(file, data, amount, offset);
  if (buffer.used == 0) buffer.offset = offset;
  std::memcpy(buffer.bytes + buffer.used, data, static_cast<size_t>(amount));
  buffer.used += amount;
  return SQLITE_OK;
}

int read_log(sqlite3_file* file, void* data, int amount, sqlite3_int64 offset) {
  const int code = flush(file);
  return code == SQLITE_OK ? system_methods->xRead(file, data, amount, offset) : code;
}

int sync_log(sqlite3_file* file, int flags) {
  const int code = flush(file);
  return code == SQLITE_OK ? system_methods->xSync(file, flags) : code;
}

int truncate_log(sqlite3_file* file, sqlite3_int64 size) {
  const int code = flush(file);
  return code == SQLITE_OK ? system_methods->xTruncate(file, size) : code;
}

int size_of_log(sqlite3_file* file, sqlite3_int64* size) {
  const int code = flush(file);
  return code == SQLITE_OK ? system_methods->xFileSize(file, size) : code;
}

int close_log(sqlite3_file* file) {
  const int flushed = flush(file);
  LogBuffer& buffer = find_buffer(file);
  std::free(buffer.bytes);
  buffer.bytes = nullptr;
  const int closed = system_methods->xClose(file);
  return flushed == SQLITE_OK ? closed : flushed;
}

}  // namespace

sqlite3_io_methods gathered_log_methods(const sqlite3_io_methods& base,
                                        LogBuffer& (*buffer_of)(sqlite3_file*)) {
  system_methods = &base;
  find_buffer = buffer_of;
  sqlite3_io_methods ours = base;
  ours.xWrite = write_log;
  ours.xRead = read_log;
  ours.xSync = sync_log;
  ours.xTruncate = truncate_log;
  ours.xFileSize = size_of_log;
  ours.xClose = close_log;
  return ours;
}

}  // namespace holdfast::storage::sqlite
