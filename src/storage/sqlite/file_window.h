// The beginning of a database file, mapped into memory once for all connections of the process.
//
// SQLite can map files itself, but each connection maps its own, and takes the map down whenever
// another one has committed, because some other program might have cut the file. Here nobody can:
// one process owns a data folder, and its file never shrinks (no vacuum). So the map stays.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace holdfast::storage::sqlite {

// Pages that lie further back are read with system calls: what is mapped and touched counts as
// resident memory, although the system takes it back when it needs it.
inline constexpr int64_t kWindowBytes = int64_t{512} << 20U;

// Thread-safe. The file's locks are the process's: the descriptor in here must not be closed while
// a connection is open, so a window outlives the connections that use it.
class FileWindow {
 public:
  // The window of this file, shared with whoever has it already. nullptr if it cannot be mapped.
  static std::shared_ptr<FileWindow> of(const std::string& path);

  ~FileWindow();
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;

  // Bytes of the file as they are now, or nullptr if they are not in the window.
  void* find(int64_t offset, int64_t amount);
  // Makes the file longer, by zeros whose room on the disk is certain. False: not here, or not now.
  bool reserve(int64_t offset, int64_t amount);

 private:
  FileWindow(int descriptor, char* base) : descriptor_(descriptor), base_(base) {}

  const int descriptor_;
  char* const base_;
  std::atomic<int64_t> size_ = 0;  // of the file when it was last asked for
};

}  // namespace holdfast::storage::sqlite
