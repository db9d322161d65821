#include "app/data_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

std::string system_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

// The process named in a lock file, for messages only.
std::string owner_of(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
  std::string pid(text.data(), size > 0 ? static_cast<size_t>(size) : 0);
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return pid.empty() ? "another process" : "process " + pid;
}

}  // namespace

FolderPaths::FolderPaths(std::string path)
    : folder(std::move(path)),
      database(folder + "/holdfast.db"),
      index(folder + "/index"),
      pages(folder + "/projections"),
      lock(folder + "/LOCK"),
      socket(folder + "/holdfast.sock") {}

Status prepare_folder(const FolderPaths& paths) {
  std::error_code error;
  if (fs::exists(paths.folder, error) && !fs::is_directory(paths.folder, error)) {
    return invalid_argument(fmt::format("{} is not a folder. Name one with --data.", paths.folder));
  }
  if (!fs::exists(paths.folder, error)) {
    fs::create_directories(paths.folder, error);
    if (error) {
      return unavailable(
          fmt::format("The data folder {} cannot be made: {}. Name another with --data.",
                      paths.folder, error.message()));
    }
    fs::permissions(paths.folder, fs::perms::owner_all, error);
  }
  if (::access(paths.folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    return unavailable(fmt::format(
        "The data folder {} is not writable: {}. Change its permissions or name another with "
        "--data.",
        paths.folder, system_text(errno)));
  }
  return {};
}

Result<std::unique_ptr<FolderLock>> FolderLock::acquire(const FolderPaths& paths) {
  const int descriptor = open(paths.lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return unavailable(
        fmt::format("The lock file {} cannot be opened: {}.", paths.lock, system_text(errno)));
  }
  auto lock = std::unique_ptr<FolderLock>(new FolderLock(descriptor));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    Error busy = unavailable(fmt::format(
        "The data folder {} is in use by {}. Stop it, or name another folder with --data.",
        paths.folder, owner_of(descriptor)));
    busy.reason = reason::kOwnedByAnother;
    return busy;
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, pid.data(), pid.size(), 0) < 0) {
    return Error{
        .code = ErrorCode::kStorageFull,
        .message = fmt::format("Nothing can be written to {}: {}. Make room and start again.",
                               paths.folder, system_text(errno))};
  }
  return lock;
}

FolderLock::~FolderLock() { close(descriptor_); }

Result<std::unique_ptr<SocketPath>> SocketPath::open(const FolderPaths& paths) {
  const int descriptor = ::open(paths.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return unavailable(
        fmt::format("The data folder {} cannot be opened: {}.", paths.folder, system_text(errno)));
  return std::unique_ptr<SocketPath>(
      new SocketPath(descriptor, fmt::format("/proc/self/fd/{}/holdfast.sock", descriptor)));
}

SocketPath::~SocketPath() { close(descriptor_); }

}  // namespace holdfast::app
