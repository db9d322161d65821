// The threads that run handlers. Started as they are needed, up to a limit; a job goes to the
// thread that became idle last, whose stack and caches are warm. Thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <semaphore.h>

#include "base/mutex.h"

namespace holdfast {

class WorkerPool {
 public:
  using Job = std::function<void()>;

  // `max_waiting` jobs may wait when every thread is busy.
  WorkerPool(size_t max_threads, size_t max_waiting)
      : max_threads_(max_threads), max_waiting_(max_waiting) {}
  // Stops.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False if too many jobs wait already, or the pool was stopped. Jobs must not throw.
  bool push(Job job);
  // The same for work that is bounded elsewhere: only a stopped pool refuses it.
  bool push_always(Job job);

  // Finishes the jobs that wait and ends the threads. Not from a job.
  void stop();

  size_t waiting() const;

 private:
  struct Worker {
    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    sem_t wake;
    Job job;  // handed over before wake; empty means end
    std::thread thread;
  };

  bool push(Job job, bool always);
  void run(Worker& worker);
  bool start_worker(Job job) HOLDFAST_REQUIRES(mutex_);

  const size_t max_threads_;
  const size_t max_waiting_;
  mutable Mutex mutex_;
  std::deque<Job> queue_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<Worker*> idle_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Worker>> workers_ HOLDFAST_GUARDED_BY(mutex_);
  bool stopped_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast
