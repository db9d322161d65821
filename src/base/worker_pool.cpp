#include "base/worker_pool.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace holdfast {

WorkerPool::Worker::Worker() { sem_init(&wake, 0, 0); }
WorkerPool::Worker::~Worker() { sem_destroy(&wake); }

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::push(Job job) { return push(std::move(job), false); }
bool WorkerPool::push_always(Job job) { return push(std::move(job), true); }

bool WorkerPool::push(Job job, bool always) {
  Worker* worker = nullptr;
  {
    MutexLock lock(mutex_);
    if (stopped_) return false;
    if (!idle_.empty()) {
      worker = idle_.back();
      idle_.pop_back();
      worker->job = std::move(job);
    } else if (workers_.size() < max_threads_) {
      return start_worker(std::move(job));
    } else if (always || queue_.size() < max_waiting_) {
      queue_.push_back(std::move(job));
      return true;
    } else {
      return false;
    }
  }
  sem_post(&worker->wake);
  return true;
}

bool WorkerPool::start_worker(Job job) {
  auto worker = std::make_unique<Worker>();
  worker->job = std::move(job);
  Worker* started = worker.get();
  try {
    started->thread = std::thread([this, started] { run(*started); });
    workers_.push_back(std::move(worker));
  } catch (const std::system_error& problem) {
    // The system gives no more threads: those that run take the job when they can.
    log::warn("no_more_threads", {{"running", workers_.size()}, {"detail", problem.what()}});
    if (workers_.empty()) return false;
    queue_.push_back(std::move(started->job));
  }
  return true;
}

void WorkerPool::run(Worker& worker) {
  while (true) {
    worker.job();
    worker.job = nullptr;
    {
      MutexLock lock(mutex_);
      if (!queue_.empty()) {
        worker.job = std::move(queue_.front());
        queue_.pop_front();
        continue;
      }
      if (stopped_) return;
      idle_.push_back(&worker);
    }
    while (sem_wait(&worker.wake) != 0 && errno == EINTR) {
    }
    if (!worker.job) return;
  }
}

void WorkerPool::stop() {
  std::vector<std::unique_ptr<Worker>> workers;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    workers = std::move(workers_);
    workers_.clear();
    // Idle workers hold no job, which ends them when woken.
    for (Worker* worker : idle_) sem_post(&worker->wake);
    idle_.clear();
  }
  for (const auto& worker : workers) worker->thread.join();
}

size_t WorkerPool::waiting() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

}  // namespace holdfast
