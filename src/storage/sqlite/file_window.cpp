#include "storage/sqlite/file_window.h"

#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/mutex.h"
#include "base/prefetch.h"

namespace holdfast::storage::sqlite {
namespace {

// Device and inode: two paths may name one file.
using FileId = std::pair<uint64_t, uint64_t>;

struct Windows {
  Mutex mutex = {};
  std::map<FileId, std::weak_ptr<FileWindow>> open HOLDFAST_GUARDED_BY(mutex) = {};
};

Windows& windows() {
  static Windows all;
  return all;
}

// A page is looked up in several steps, each of which would wait for memory: its header, the place
// of a row, the row. Asked for at once, they come side by side.
void fetch_ahead(const char* page, int64_t size) {
  constexpr int64_t kLine = 64;
  for (int64_t at = 0; at < size; at += kLine) prefetch(page + at);
}

}  // namespace

std::shared_ptr<FileWindow> FileWindow::of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return nullptr;
  Windows& all = windows();
  const MutexLock lock(all.mutex);
  std::erase_if(all.open, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<FileWindow>& known = all.open[{info.st_dev, info.st_ino}];
  if (auto window = known.lock()) return window;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  // Longer than the file is fine: find() gives nothing behind its end.
  void* base = ::mmap(nullptr, kWindowBytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) base = nullptr;
  // A window that could not be mapped still keeps its descriptor, for the sake of the locks.
  std::shared_ptr<FileWindow> window(new FileWindow(descriptor, static_cast<char*>(base)));
  known = window;
  return window;
}

FileWindow::~FileWindow() {
  if (base_ != nullptr) ::munmap(base_, kWindowBytes);
  ::close(descriptor_);
}

void* FileWindow::find(int64_t offset, int64_t amount) {
  if (base_ == nullptr || offset + amount > kWindowBytes) return nullptr;
  if (offset + amount > size_.load(std::memory_order_relaxed)) {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) return nullptr;
    size_.store(info.st_size, std::memory_order_relaxed);
    if (offset + amount > info.st_size) return nullptr;
  }
  char* const bytes = base_ + offset;
  fetch_ahead(bytes, amount);
  return bytes;
}

bool FileWindow::reserve(int64_t offset, int64_t amount) {
  return ::fallocate(descriptor_, 0, offset, amount) == 0;
}

}  // namespace holdfast::storage::sqlite
