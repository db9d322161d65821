#include "service/substrate/repo_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace holdfast::service::substrate {
namespace {

namespace fs = std::filesystem;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// Never waits for a pipe's other end.
constexpr int kFileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

int64_t nanoseconds(const timespec& at) {
  return static_cast<int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

// Where a link inside the root leads, relative to it; nothing if outside or to no regular file.
std::optional<std::string> inner_target(const std::string& root, const std::string& relative) {
  std::error_code failed;
  const fs::path real = fs::canonical(fs::path(root) / relative, failed);
  if (failed || !fs::is_regular_file(real, failed)) return std::nullopt;
  const std::string prefix = root == "/" ? root : root + '/';
  const std::string text = real.string();
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

}  // namespace

std::string path_below(const std::string& folder, std::string_view name) {
  std::string path = folder;
  if (!path.empty()) path += '/';
  return path.append(name);
}

Result<RepoFolder> RepoFolder::open(const std::string& root) {
  const int descriptor = ::open(root.c_str(), kFolderFlags);
  if (descriptor < 0) return invalid_argument("Repo path is not a directory: " + root);
  return RepoFolder(root, descriptor);
}

RepoFolder::~RepoFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RepoFolder::RepoFolder(RepoFolder&& other) noexcept
    : root_(std::move(other.root_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

int RepoFolder::open_beneath(const std::string& relative, int flags) const {
  int at = ::dup(descriptor_);
  for (size_t begin = 0; at >= 0 && begin < relative.size();) {
    const size_t slash = std::min(relative.find('/', begin), relative.size());
    const std::string name = relative.substr(begin, slash - begin);
    const bool last = slash == relative.size();
    const int next = name == ".." ? -1 : ::openat(at, name.c_str(), last ? flags : kFolderFlags);
    ::close(at);
    at = next;
    begin = slash + 1;
  }
  return at;
}

std::vector<FolderEntry> RepoFolder::list(const std::string& relative) const {
  std::vector<FolderEntry> entries;
  const int descriptor = open_beneath(relative, kFolderFlags);
  if (descriptor < 0) return entries;
  // A duplicate of the root shares its place in the listing with every other one.
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(descriptor), &::closedir);
  if (!folder) return entries;
  ::rewinddir(folder.get());
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info {};
    if (::fstatat(descriptor, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    FolderEntry found{.name = name};
    if (S_ISDIR(info.st_mode)) {
      found.kind = FolderEntry::Kind::kFolder;
    } else if (S_ISLNK(info.st_mode)) {
      auto target = inner_target(root_, path_below(relative, name));
      if (!target) continue;
      found.target = std::move(*target);
    } else if (!S_ISREG(info.st_mode)) {
      continue;
    }
    entries.push_back(std::move(found));
  }
  std::ranges::sort(entries, {}, &FolderEntry::name);
  return entries;
}

std::optional<FileStamp> RepoFolder::stamp(const std::string& relative) const {
  const int descriptor = open_beneath(relative, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat info {};
  const bool regular = ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  ::close(descriptor);
  if (!regular) return std::nullopt;
  return FileStamp{.size = info.st_size,
                   .modified_ns = nanoseconds(info.st_mtim),
                   .changed_ns = nanoseconds(info.st_ctim),
                   .inode = info.st_ino};
}

bool RepoFolder::read(const std::string& relative,
                      const std::function<bool(std::string_view)>& sink) const {
  const int descriptor = open_beneath(relative, kFileFlags);
  if (descriptor < 0) return false;
  struct stat info {};
  bool ok = ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  static thread_local std::array<char, 65536> buffer;
  while (ok) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0) ok = errno == EINTR;
    if (count == 0) break;
    if (count > 0 && !sink({buffer.data(), static_cast<size_t>(count)})) break;
  }
  ::close(descriptor);
  return ok;
}

std::optional<std::string> RepoFolder::read_all(const std::string& relative, size_t limit) const {
  std::string bytes;
  bool fits = true;
  const bool ok = read(relative, [&](std::string_view piece) {
    fits = bytes.size() + piece.size() <= limit;
    if (fits) bytes += piece;
    return fits;
  });
  if (!ok || !fits) return std::nullopt;
  return bytes;
}

}  // namespace holdfast::service::substrate
