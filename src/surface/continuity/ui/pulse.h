// A beat every so often for whoever listens. Its thread sleeps while nobody does. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>

#include "base/mutex.h"

namespace holdfast::surface::continuity::ui {

class Pulse {
 public:
  explicit Pulse(std::chrono::milliseconds interval);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // `beat` is called from the pulse's thread, must be quick and must not come back here.
  int64_t subscribe(std::function<void()> beat);
  // After it returns the beat is not called any more.
  void unsubscribe(int64_t subscription);

 private:
  void run();

  const std::chrono::milliseconds interval_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ HOLDFAST_GUARDED_BY(mutex_) = false;
  int64_t last_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::function<void()>> beats_ HOLDFAST_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace holdfast::surface::continuity::ui
