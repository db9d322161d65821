// A SQLite VFS that lets no leftovers reach the database file.
//
// secure_delete overwrites a deleted row with zeros, but when SQLite moves rows between pages the
// old copies stay in the unallocated middle of a page, where a later deletion does not find them
// (3.40: rebuildPage). Those bytes mean nothing to SQLite, so this VFS writes zeros in their place
// whenever a page goes to the database file. Beside that, writes
// are gathered (gathered_log.h, copied_pages.h) and the database is read through one map
// (file_window.h). Everything else is the system's default VFS.
#pragma once

#include <string>

namespace holdfast::storage::sqlite {

// A page whose first byte could be a B-tree's is told from an overflow page by this: page numbers
// stay below 0x02000000, so an overflow page starts with 0 or 1. At 4 KiB a page that is 128 GiB.
inline constexpr int kMaxPages = 0x01ffffff;

// Registers the VFS once per process and returns its name. Thread-safe.
const char* scrub_vfs();

// What a failed write means: a quota and a limit on file sizes are full disks too; SQLite takes
// only ENOSPC for one.
int full_or(int code);

// Zeros the unallocated part of a B-tree page; leaves every other page as it is. `first`: this is
// page 1.
void scrub_page(std::string& page, bool first);

}  // namespace holdfast::storage::sqlite
