// Mutexes whose use the lint build (clang -Wthread-safety) can check. A member says what guards it:
//   int count_ HOLDFAST_GUARDED_BY(mutex_) = 0;
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include <pthread.h>

#if defined(__clang__)
#define HOLDFAST_ANNOTATE(x) __attribute__((x))
#else
#define HOLDFAST_ANNOTATE(x)
#endif
#define HOLDFAST_CAPABILITY(x) HOLDFAST_ANNOTATE(capability(x))
#define HOLDFAST_SCOPED_CAPABILITY HOLDFAST_ANNOTATE(scoped_lockable)
#define HOLDFAST_GUARDED_BY(x) HOLDFAST_ANNOTATE(guarded_by(x))
#define HOLDFAST_REQUIRES(...) HOLDFAST_ANNOTATE(requires_capability(__VA_ARGS__))
#define HOLDFAST_REQUIRES_SHARED(...) HOLDFAST_ANNOTATE(requires_shared_capability(__VA_ARGS__))
#define HOLDFAST_ACQUIRE(...) HOLDFAST_ANNOTATE(acquire_capability(__VA_ARGS__))
#define HOLDFAST_ACQUIRE_SHARED(...) HOLDFAST_ANNOTATE(acquire_shared_capability(__VA_ARGS__))
#define HOLDFAST_RELEASE(...) HOLDFAST_ANNOTATE(release_capability(__VA_ARGS__))
#define HOLDFAST_RELEASE_GENERIC(...) HOLDFAST_ANNOTATE(release_generic_capability(__VA_ARGS__))
#define HOLDFAST_EXCLUDES(...) HOLDFAST_ANNOTATE(locks_excluded(__VA_ARGS__))
#define HOLDFAST_NO_THREAD_SAFETY_ANALYSIS HOLDFAST_ANNOTATE(no_thread_safety_analysis)

namespace holdfast {

class HOLDFAST_CAPABILITY("mutex") Mutex {
 public:
  void lock() HOLDFAST_ACQUIRE() { mutex_.lock(); }
  void unlock() HOLDFAST_RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class HOLDFAST_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() HOLDFAST_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  friend class CondVar;
  Mutex& mutex_;
};

// Waits are written as loops over the condition, so that the analysis sees the guarded reads:
//   while (queue_.empty()) ready_.wait(lock);
class CondVar {
 public:
  void wait(MutexLock& lock) { condition_.wait(lock.mutex_); }
  // False when the time passed.
  bool wait_until(MutexLock& lock, std::chrono::steady_clock::time_point deadline) {
    return condition_.wait_until(lock.mutex_, deadline) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

// Many readers or one writer. A waiting writer goes before new readers: std::shared_mutex lets a
// steady stream of readers starve it.
class HOLDFAST_CAPABILITY("shared_mutex") SharedMutex {
 public:
  SharedMutex() {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock_, &attributes);
    pthread_rwlockattr_destroy(&attributes);
  }
  ~SharedMutex() { pthread_rwlock_destroy(&lock_); }
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void lock() HOLDFAST_ACQUIRE() { pthread_rwlock_wrlock(&lock_); }
  void unlock() HOLDFAST_RELEASE() { pthread_rwlock_unlock(&lock_); }
  void lock_shared() HOLDFAST_ACQUIRE_SHARED() { pthread_rwlock_rdlock(&lock_); }
  void unlock_shared() HOLDFAST_RELEASE() { pthread_rwlock_unlock(&lock_); }

 private:
  pthread_rwlock_t lock_;
};

class HOLDFAST_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) HOLDFAST_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~ReaderLock() HOLDFAST_RELEASE_GENERIC() { mutex_.unlock_shared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

class HOLDFAST_SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~WriterLock() HOLDFAST_RELEASE() { mutex_.unlock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace holdfast
