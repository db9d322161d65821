// Preloaded into a server (LD_PRELOAD) to measure it on a disk that is slower than the machine's:
// making bytes durable takes a millisecond more, as on many network volumes and on solid-state
// disks without a protected cache.
#include <cerrno>
#include <ctime>
#include <sys/syscall.h>

#include <unistd.h>

namespace {

constexpr long kMoreNanos = 1'000'000;

int after_a_while(long call, int descriptor) {
  const timespec more{.tv_sec = 0, .tv_nsec = kMoreNanos};
  nanosleep(&more, nullptr);
  return static_cast<int>(syscall(call, descriptor));
}

}  // namespace

extern "C" int fdatasync(int descriptor) { return after_a_while(SYS_fdatasync, descriptor); }
extern "C" int fsync(int descriptor) { return after_a_while(SYS_fsync, descriptor); }
