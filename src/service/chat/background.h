// Work that goes on after its caller was answered and that must not be written down anywhere: it
// ends with the process. Thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace holdfast::service::chat {

class Background {
 public:
  Background(size_t threads, size_t most_waiting)
      : most_threads_(threads), most_waiting_(most_waiting) {}
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // False if too much waits already, or after stop(). Work must not throw.
  bool post(std::function<void()> work);
  // Waits for the work under way; what waits is dropped.
  void stop();

 private:
  void loop();
  // Waits for work; none after stop().
  std::function<void()> take();

  const size_t most_threads_;
  const size_t most_waiting_;
  Mutex mutex_;
  CondVar wake_;
  std::deque<std::function<void()>> waiting_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ HOLDFAST_GUARDED_BY(mutex_);
  size_t idle_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  bool stopped_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::service::chat
