#include "app/restore.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/clock.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

void remove_store(const std::string& path) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix, ignored);
}

Result<std::vector<std::string>> find_damage(const std::string& path) {
  const SystemClock clock;
  HOLDFAST_TRY(const auto store, storage::open_sqlite_store({.path = path, .clock = clock}));
  auto findings = store->check();
  store->close();
  return findings;
}

Status check_store(const std::string& path) {
  auto findings = find_damage(path);
  // Too damaged to be looked through is damaged too.
  if (!findings && findings.error().code == ErrorCode::kCorrupted)
    findings = std::vector<std::string>{findings.error().detail + "."};
  if (!findings) return findings.error();
  if (findings->empty()) return {};
  return Error{
      .code = ErrorCode::kCorrupted,
      .message = fmt::format("The backup is damaged: {} Nothing was restored; try another backup.",
                             findings->front())};
}

}  // namespace

Status restore_backup(const std::string& file, const FolderPaths& paths) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return invalid_argument(fmt::format("There is no backup {}.", file));
  HOLDFAST_CHECK_OK(prepare_folder(paths));
  HOLDFAST_TRY(const auto lock, FolderLock::acquire(paths));
  if (fs::exists(paths.database, error)) {
    return invalid_argument(fmt::format(
        "{} already holds a memory. Name a new folder with --data; nothing was changed.",
        paths.folder));
  }
  const std::string copy = paths.folder + "/restoring.db";
  remove_store(copy);
  if (!fs::copy_file(file, copy, error)) {
    remove_store(copy);
    return Error{.code = ErrorCode::kStorageFull,
                 .message = fmt::format("The backup cannot be copied: {}.", error.message())};
  }
  if (Status sound = check_store(copy); !sound) {
    remove_store(copy);
    return sound;
  }
  fs::rename(copy, paths.database, error);
  if (error) {
    remove_store(copy);
    return internal_error(error.message());
  }
  return {};
}

}  // namespace holdfast::app
