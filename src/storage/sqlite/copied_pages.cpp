#include "storage/sqlite/copied_pages.h"

#include "base/assert.h"
#include "storage/sqlite/scrub_vfs.h"

namespace holdfast::storage::sqlite {

void CopiedPages::follow(const SystemFile& file, FileWindow* window, int operation,
                         const void* argument) {
  if (operation == SQLITE_FCNTL_CKPT_START) copying = true;
  // The size that the file is going to have.
  if (operation == SQLITE_FCNTL_SIZE_HINT && copying && window != nullptr) {
    const auto until = *static_cast<const sqlite3_int64*>(argument);
    sqlite3_int64 from = 0;
    if (file.methods.xFileSize(file.file, &from) != SQLITE_OK || from >= until) return;
    if (!window->reserve(from, until - from)) return;
    reserved_from = from;
    reserved_until = until;
  }
  if (operation == SQLITE_FCNTL_CKPT_DONE) {
    HOLDFAST_ASSERT(run.flush(file) == SQLITE_OK);
    copying = false;
    reserved_from = reserved_until = 0;
  }
}

int CopiedPages::write(const SystemFile& file, const void* page, int amount, sqlite3_int64 offset) {
  const bool reserved = offset >= reserved_from && offset + amount <= reserved_until;
  if (reserved) return run.add(file, page, amount, offset);
  return full_or(file.methods.xWrite(file.file, page, amount, offset));
}

}  // namespace holdfast::storage::sqlite
