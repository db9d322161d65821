// Writes to a file that follow each other, gathered so that they go to the system in one call.
#pragma once

#include <sqlite3.h>

namespace holdfast::storage::sqlite {

// An open file as the default VFS knows it.
struct SystemFile {
  sqlite3_file* file;
  const sqlite3_io_methods& methods;
};

// What a VFS keeps with an open file, beside the default VFS's own part. All zeros: nothing waits.
// Its functions return what SQLite's own for files do. Not thread-safe, as the file is not.
struct WriteRun {
  char* bytes;  // made by the first write
  int used;
  sqlite3_int64 offset;  // in the file

  // What waits and does not end at `at` is written before. A write too large to be gathered goes to
  // the system at once.
  int add(const SystemFile& to, const void* data, int amount, sqlite3_int64 at);
  // What could not be written is given up.
  int flush(const SystemFile& to);
  // Gives up what waits, too.
  void free_memory();
};

}  // namespace holdfast::storage::sqlite
