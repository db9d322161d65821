// Pages on their way from the log into the database file. SQLite copies them one by one, in their
// order; those behind the file's end follow each other and are gathered, which costs the system a
// third. SQLite lets readers look for them in the file without asking again whether they could be
// written, so only pages whose room on the disk was reserved before are gathered.
#pragma once

#include <sqlite3.h>

#include "storage/sqlite/file_window.h"
#include "storage/sqlite/write_run.h"

namespace holdfast::storage::sqlite {

// What a VFS keeps with an open database. All zeros: nothing is being copied. Not thread-safe.
struct CopiedPages {
  WriteRun run;
  bool copying;
  sqlite3_int64 reserved_from;
  sqlite3_int64 reserved_until;

  // For whatever SQLite tells a file; `window`: the file's, or nullptr. Ends the process where
  // pages cannot be written in spite of all, as when the disk is broken: the log still has them.
  void follow(const SystemFile& file, FileWindow* window, int operation, const void* argument);
  // Writes a page, or has it wait.
  int write(const SystemFile& file, const void* page, int amount, sqlite3_int64 offset);
};

}  // namespace holdfast::storage::sqlite
