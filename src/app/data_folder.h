// One process owns a data folder (DESIGN section 3). The lock is held by the kernel for as long as
// the process lives, so a killed owner leaves nothing to clean up.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

#include "base/result.h"

namespace holdfast::app {

namespace reason {
inline constexpr std::string_view kOwnedByAnother = "owned_by_another";
}  // namespace reason

// The files of a folder.
struct FolderPaths {
  explicit FolderPaths(std::string folder);
  std::string folder;
  std::string database;  // holdfast.db
  std::string index;     // index/
  std::string pages;     // projections/: Markdown pages, where they were asked for
  std::string lock;      // LOCK: held by the owner, names its process
  std::string socket;    // holdfast.sock: where the owner answers other processes
};

// Makes the folder (readable by its user only) if it is not there. Errors: kInvalidArgument or
// kUnavailable with one sentence that says what to do (not a folder, not writable).
Status prepare_folder(const FolderPaths& paths);

// The lock, while it is held. Released by destruction or by the end of the process, however it
// ends.
class FolderLock {
 public:
  // kUnavailable with kOwnedByAnother while another process holds it; the message names that
  // process.
  static Result<std::unique_ptr<FolderLock>> acquire(const FolderPaths& paths);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// A path for the folder's socket that is short enough for a socket address whatever the folder's
// own length: it goes through an open descriptor of the folder. Keep the object while the path is
// used.
class SocketPath {
 public:
  static Result<std::unique_ptr<SocketPath>> open(const FolderPaths& paths);
  ~SocketPath();
  SocketPath(const SocketPath&) = delete;
  SocketPath& operator=(const SocketPath&) = delete;
  const std::string& text() const { return text_; }

 private:
  SocketPath(int descriptor, std::string text) : descriptor_(descriptor), text_(std::move(text)) {}
  int descriptor_;
  std::string text_;
};

}  // namespace holdfast::app
