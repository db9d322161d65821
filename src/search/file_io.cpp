#include "search/file_io.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

namespace holdfast::search {
namespace {

Error failure(const std::string& path, int code) {
  const bool full = code == ENOSPC || code == EDQUOT;
  return Error{.code = full ? ErrorCode::kStorageFull
                            : (code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInternal),
               .message = "A file of the search index cannot be written or read.",
               .detail = path + ": " + std::generic_category().message(code)};
}

// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Status create_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.get() < 0) return failure(path, errno);
  return {};
}

Status write_file(const std::string& path, std::span<const std::string_view> pieces) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (file.get() < 0) return failure(path, errno);
  for (std::string_view bytes : pieces) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failure(path, errno);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  if (::fsync(file.get()) != 0) return failure(path, errno);
  return {};
}

Status sync_folder(const std::string& folder) {
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.get() < 0 || ::fsync(handle.get()) != 0) return failure(folder, errno);
  return {};
}

Status rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return failure(to, errno);
  return sync_folder(std::filesystem::path(to).parent_path().string());
}

Status replace_file(const std::string& path, std::string_view bytes) {
  HOLDFAST_CHECK_OK(create_file(path + ".tmp"));
  HOLDFAST_CHECK_OK(write_file(path + ".tmp", {&bytes, 1}));
  return rename_file(path + ".tmp", path);
}

Result<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failure(path, errno);
  std::string bytes;
  std::string piece(size_t{64} * 1024, '\0');
  while (true) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure(path, errno);
    if (got == 0) return bytes;
    bytes.append(piece, 0, static_cast<size_t>(got));
  }
}

}  // namespace holdfast::search
