// The write-ahead log in one piece. SQLite writes each page of a commit with two small calls; the
// frames of one commit follow each other, so they are gathered here and go to the system in one
// write, at the latest when SQLite asks for them to be durable. Nothing is announced to readers
// before that, so nobody misses what waits here; a process that dies loses only what was not
// committed.
#pragma once

#include <sqlite3.h>

#include "storage/sqlite/write_run.h"

namespace holdfast::storage::sqlite {

// The functions of a log opened by `base`, with what is written gathered. `run_of` finds what waits
// for a file. Called once a process.
sqlite3_io_methods gathered_log_methods(const sqlite3_io_methods& base,
                                        WriteRun& (*run_of)(sqlite3_file*));

}  // namespace holdfast::storage::sqlite
