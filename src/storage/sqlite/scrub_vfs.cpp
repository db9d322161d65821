#include "storage/sqlite/scrub_vfs.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>

#include <sqlite3.h>

#include "base/assert.h"
#include "storage/sqlite/copied_pages.h"
#include "storage/sqlite/file_window.h"
#include "storage/sqlite/gathered_log.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kName[] = "holdfast_scrub";
// The format of a page: sqlite.org/fileformat2.html, section 1.6.
constexpr size_t kFileHeader = 100;
constexpr int kMinPageBytes = 512;

// The default VFS's functions for one kind of file, and ours.
struct Methods {
  const sqlite3_io_methods* base = nullptr;
  sqlite3_io_methods ours = {};
  std::once_flag once = {};
};

sqlite3_vfs* base_vfs = nullptr;  // NOLINT: set once, before any use
int base_file_bytes = 0;          // NOLINT: set once, before any use
Methods database_methods;         // NOLINT: set once, before any use
Methods log_methods;              // NOLINT: set once, before any use

// Exchanges the file's table of functions for ours, which is made when the first file of a kind is
// opened: the default VFS uses the same one for all of them.
template <typename Make>
void patch(sqlite3_file* file, Methods& methods, Make&& make) {
  std::call_once(methods.once, [&] {
    methods.base = file->pMethods;
    methods.ours = make(*methods.base);
  });
  HOLDFAST_ASSERT(file->pMethods == methods.base);
  file->pMethods = &methods.ours;
}

// What we keep with an open file, behind the default VFS's part of it.
struct FileState {
  WriteRun log;       // of a log
  CopiedPages pages;  // of a database, as is the window
  std::shared_ptr<FileWindow>* window;
};

FileState& state_of(sqlite3_file* file) {
  return *reinterpret_cast<FileState*>(reinterpret_cast<char*>(file) + base_file_bytes);
}

WriteRun& log_of(sqlite3_file* file) { return state_of(file).log; }

SystemFile database_of(sqlite3_file* file) { return {file, *database_methods.base}; }

FileWindow* window_of(sqlite3_file* file) {
  const auto* window = state_of(file).window;
  return window != nullptr ? window->get() : nullptr;
}

int write_database(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
  const bool whole_page =
      amount >= kMinPageBytes && (amount & (amount - 1)) == 0 && offset % amount == 0;
  if (!whole_page) return full_or(database_methods.base->xWrite(file, data, amount, offset));
  thread_local std::string page;
  page.assign(static_cast<const char*>(data), static_cast<size_t>(amount));
  scrub_page(page, offset == 0);
  return state_of(file).pages.write(database_of(file), page.data(), amount, offset);
}

int control_database(sqlite3_file* file, int operation, void* argument) {
  state_of(file).pages.follow(database_of(file), window_of(file), operation, argument);
  return database_methods.base->xFileControl(file, operation, argument);
}

int fetch_page(sqlite3_file* file, sqlite3_int64 offset, int amount, void** page) {
  FileWindow* const window = window_of(file);
  *page = window != nullptr ? window->find(offset, amount) : nullptr;
  return SQLITE_OK;
}

int unfetch_page(sqlite3_file*, sqlite3_int64, void*) { return SQLITE_OK; }

int close_database(sqlite3_file* file) {
  const std::unique_ptr<std::shared_ptr<FileWindow>> window(state_of(file).window);
  state_of(file).pages.run.free_memory();
  return database_methods.base->xClose(file);  // before the window goes
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const int code = base_vfs->xOpen(base_vfs, name, file, flags, out_flags);
  if (code != SQLITE_OK) return code;
  state_of(file) = {};
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) {
    state_of(file).window = new std::shared_ptr(FileWindow::of(name));
    patch(file, database_methods, [](sqlite3_io_methods methods) {
      methods.xWrite = write_database;
      methods.xFileControl = control_database;
      methods.xFetch = fetch_page;
      methods.xUnfetch = unfetch_page;
      methods.xClose = close_database;
      return methods;
    });
  }
  if ((flags & SQLITE_OPEN_WAL) != 0) {
    patch(file, log_methods,
          [](const sqlite3_io_methods& methods) { return gathered_log_methods(methods, log_of); });
  }
  return SQLITE_OK;
}

size_t read_u16(const std::string& page, size_t at) {
  return static_cast<unsigned char>(page[at]) * size_t{256} +
         static_cast<unsigned char>(page[at + 1]);
}

}  // namespace

int full_or(int code) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return code == SQLITE_IOERR_WRITE && full ? SQLITE_FULL : code;
}

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
    constexpr int kAlign = alignof(FileState);
    base_file_bytes = (base_vfs->szOsFile + kAlign - 1) / kAlign * kAlign;
    vfs.szOsFile = base_file_bytes + static_cast<int>(sizeof(FileState));
    vfs.xOpen = open_file;
    HOLDFAST_ASSERT(sqlite3_vfs_register(&vfs, /*makeDflt=*/0) == SQLITE_OK);
  });
  return kName;
}

}  // namespace holdfast::storage::sqlite
