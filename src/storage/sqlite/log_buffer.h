// The write-ahead log in one piece. SQLite writes each page of a commit with two small calls; the
// frames of one commit follow each other, so they are gathered here and go to the system in one
// write, at the latest when SQLite asks for them to be durable. Nothing is announced to readers
// before that, so nobody misses what waits here; a process that dies loses only what was not
// committed.
#pragma once

#include <sqlite3.h>

namespace holdfast::storage::sqlite {

// What a VFS keeps with an open log, beside the default VFS's own part. All zeros: nothing waits.
struct LogBuffer {
  char* bytes;  // of kLogBufferBytes; made by the first write
  int used;
  sqlite3_int64 offset;  // in the file
};

// The default VFS takes at most 0x1ffff bytes at once.
inline constexpr int kLogBufferBytes = 120 * 1024;

// The functions of a log opened by `base`, with what is written gathered. `buffer_of` finds a
// file's buffer. Called once a process.
sqlite3_io_methods gathered_log_methods(const sqlite3_io_methods& base,
                                        LogBuffer& (*buffer_of)(sqlite3_file*));

}  // namespace holdfast::storage::sqlite
