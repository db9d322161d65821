#include "storage/sqlite/scrub_vfs.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include <sqlite3.h>

#include "base/assert.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kName[] = "holdfast_scrub";
// The format of a page: sqlite.org/fileformat2.html, section 1.6.
constexpr size_t kFileHeader = 100;
constexpr int kMinPageBytes = 512;

// The default VFS's functions for one kind of file, and the same with another xWrite.
struct Methods {
  const sqlite3_io_methods* base = nullptr;
  sqlite3_io_methods ours = {};
  std::once_flag once = {};
};

sqlite3_vfs* base_vfs = nullptr;  // NOLINT: set once, before any use
Methods database_methods;         // NOLINT: set once, before any use
Methods log_methods;              // NOLINT: set once, before any use

// A quota and a limit on file sizes are full disks too; SQLite takes only ENOSPC for one.
int full_or(int code) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return code == SQLITE_IOERR_WRITE && full ? SQLITE_FULL : code;
}

int write_log(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  return full_or(log_methods.base->xWrite(file, data, amount, offset));
}

int write_database(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  const bool whole_page =
      amount >= kMinPageBytes && (amount & (amount - 1)) == 0 && offset % amount == 0;
  const auto* base = database_methods.base;
  if (!whole_page) return full_or(base->xWrite(file, data, amount, offset));
  thread_local std::string page;
  page.assign(static_cast<const char*>(data), static_cast<size_t>(amount));
  scrub_page(page, offset == 0);
  return full_or(base->xWrite(file, page.data(), amount, offset));
}

// Exchanges the file's table of functions for one that differs in xWrite only. Our table is made
// when the first file of a kind is opened: the default VFS uses the same one for all of them.
void patch(sqlite3_file* file, Methods& methods, decltype(sqlite3_io_methods::xWrite) write) {
  std::call_once(methods.once, [&] {
    methods.base = file->pMethods;
    methods.ours = *methods.base;
    methods.ours.xWrite = write;
  });
  HOLDFAST_ASSERT(file->pMethods == methods.base);
  file->pMethods = &methods.ours;
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const int code = base_vfs->xOpen(base_vfs, name, file, flags, out_flags);
  if (code != SQLITE_OK) return code;
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) patch(file, database_methods, write_database);
  if ((flags & SQLITE_OPEN_WAL) != 0) patch(file, log_methods, write_log);
  return SQLITE_OK;
}

size_t read_u16(const std::string& page, size_t at) {
  return static_cast<unsigned char>(page[at]) * size_t{256} +
         static_cast<unsigned char>(page[at + 1]);
}

}  // namespace

void scrub_page(std::string& page, bool first) {
  const size_t header = first ? kFileHeader : 0;
  const int type = static_cast<unsigned char>(page[header]);
  const bool interior = type == 2 || type == 5;
  const bool leaf = type == 10 || type == 13;
  if (!interior && !leaf) return;
  const size_t cells = read_u16(page, header + 3);
  const size_t stored = read_u16(page, header + 5);
  const size_t content = stored == 0 ? 65536 : stored;
  const size_t pointers_end = header + (interior ? 12 : 8) + 2 * cells;
  if (pointers_end >= content || content > page.size()) return;
  std::fill(page.begin() + static_cast<std::ptrdiff_t>(pointers_end),
            page.begin() + static_cast<std::ptrdiff_t>(content), '\0');
}

const char* scrub_vfs() {
  static std::once_flag once;
  std::call_once(once, [] {
    base_vfs = sqlite3_vfs_find(nullptr);
    HOLDFAST_ASSERT(base_vfs != nullptr);
    static sqlite3_vfs vfs = *base_vfs;
    vfs.zName = kName;
    vfs.pNext = nullptr;
    vfs.xOpen = open_file;
    HOLDFAST_ASSERT(sqlite3_vfs_register(&vfs, /*makeDflt=*/0) == SQLITE_OK);
  });
  return kName;
}

}  // namespace holdfast::storage::sqlite
