// A folder whose files are read without ever leaving it: no symbolic link is followed on the way,
// whatever is swapped while we look.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::service::substrate {

// `folder/name`; the name alone at the root.
std::string path_below(const std::string& folder, std::string_view name);

struct FolderEntry {
  std::string name = {};  // as the file system has it, possibly no UTF-8
  enum class Kind : uint8_t { kFile, kFolder } kind = Kind::kFile;
  // Of a link to a file inside the folder: where that is, relative to the root. Else empty.
  std::string target = {};
};

// What tells that a file has not changed since it was last read.
struct FileStamp {
  int64_t size = 0;
  int64_t modified_ns = 0;
  int64_t changed_ns = 0;
  uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

// Not thread-safe.
class RepoFolder {
 public:
  // kInvalidArgument if it is no folder. `root` is absolute, without links.
  static Result<RepoFolder> open(const std::string& root);
  ~RepoFolder();
  RepoFolder(RepoFolder&& other) noexcept;
  RepoFolder(const RepoFolder&) = delete;
  RepoFolder& operator=(const RepoFolder&) = delete;

  const std::string& root() const { return root_; }

  // Regular files, folders and links to regular files inside, sorted by name. Empty for a folder
  // that cannot be read. Links to folders are left out: they would be read twice, or for ever.
  std::vector<FolderEntry> list(const std::string& relative) const;
  // Nothing if it is gone, no regular file, or not to be read.
  std::optional<FileStamp> stamp(const std::string& relative) const;
  // Gives the file's bytes to `sink` in pieces until it returns false; false if it cannot be read.
  bool read(const std::string& relative, const std::function<bool(std::string_view)>& sink) const;
  // The whole file if it has at most `limit` bytes.
  std::optional<std::string> read_all(const std::string& relative, size_t limit) const;

 private:
  RepoFolder(std::string root, int descriptor) : root_(std::move(root)), descriptor_(descriptor) {}
  int open_beneath(const std::string& relative, int flags) const;

  std::string root_;
  int descriptor_;
};

}  // namespace holdfast::service::substrate
