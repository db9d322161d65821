#include "storage/sqlite/gathered_log.h"

namespace holdfast::storage::sqlite {
namespace {

const sqlite3_io_methods* system_methods = nullptr;  // NOLINT: set once, before any use
WriteRun& (*find_run)(sqlite3_file*) = nullptr;      // NOLINT: set once, before any use

SystemFile as_system(sqlite3_file* file) { return {file, *system_methods}; }

// SQLite undoes the commit that what could not be written belongs to.
int flush(sqlite3_file* file) { return find_run(file).flush(as_system(file)); }

int write_log(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  return find_run(file).add(as_system(file), data, amount, offset);
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
  find_run(file).free_memory();
  const int closed = system_methods->xClose(file);
  return flushed == SQLITE_OK ? closed : flushed;
}

}  // namespace

sqlite3_io_methods gathered_log_methods(const sqlite3_io_methods& base,
                                        WriteRun& (*run_of)(sqlite3_file*)) {
  system_methods = &base;
  find_run = run_of;
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
