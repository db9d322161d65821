// The Store on one SQLite file (docs/storage.md). One process owns the file; whoever starts it
// holds the folder's lock.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "storage/store.h"

namespace holdfast::storage {

struct SqliteOptions {
  std::string path = {};      // made if it is not there; its folder must exist
  const Clock& clock;         // outlives the store
  size_t queue_limit = 4096;  // writes that may wait
  size_t readers = 16;        // transactions that may read at once
};

// Errors: kConflict with reason newer_version (a newer Holdfast wrote the file; it is not touched),
// kCorrupted, kStorageFull, kUnavailable (another process has it locked), kInternal.
Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options);

}  // namespace holdfast::storage
