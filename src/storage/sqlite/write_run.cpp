#include "storage/sqlite/write_run.h"

#include <cstdlib>
#include <cstring>

#include "storage/sqlite/scrub_vfs.h"

namespace holdfast::storage::sqlite {
namespace {

// The default VFS takes at most 0x1ffff bytes at once.
constexpr int kMostBytes = 120 * 1024;

int write_through(const SystemFile& to, const void* data, int amount, sqlite3_int64 at) {
  return full_or(to.methods.xWrite(to.file, data, amount, at));
}

}  // namespace

int WriteRun::add(const SystemFile& to, const void* data, int amount, sqlite3_int64 at) {
  const bool follows = used > 0 && at == offset + used;
  if (used > 0 && (!follows || used + amount > kMostBytes)) {
    if (const int code = flush(to); code != SQLITE_OK) return code;
  }
  if (bytes == nullptr) bytes = static_cast<char*>(std::malloc(kMostBytes));
  if (bytes == nullptr || amount > kMostBytes) return write_through(to, data, amount, at);
  if (used == 0) offset = at;
  std::memcpy(bytes + used, data, static_cast<size_t>(amount));
  used += amount;
  return SQLITE_OK;
}

int WriteRun::flush(const SystemFile& to) {
  if (used == 0) return SQLITE_OK;
  const int amount = used;
  used = 0;
  return write_through(to, bytes, amount, offset);
}

void WriteRun::free_memory() {
  std::free(bytes);
  *this = {};
}

}  // namespace holdfast::storage::sqlite
