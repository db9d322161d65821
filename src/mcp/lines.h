// Messages as lines: one JSON text each, ended by '\n'.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace holdfast::mcp {

// Cuts bytes into lines. A line over the limit is not kept: it is reported once and skipped to its
// end. Not thread-safe.
class LineReader {
 public:
  struct Events {
    std::function<void(std::string_view line)> line;  // without its end; '\r' before it is dropped
    std::function<void()> too_long;
  };

  LineReader(size_t max_bytes, Events events)
      : max_bytes_(max_bytes), events_(std::move(events)) {}

  void feed(std::string_view bytes);
  // The input has ended; a last line without '\n' counts.
  void finish();

 private:
  void keep(std::string_view part);
  void end_line();

  const size_t max_bytes_;
  const Events events_;
  std::string line_;
  bool skipping_ = false;
};

// Writes whole lines to a descriptor. Thread-safe.
class LineWriter {
 public:
  explicit LineWriter(int descriptor) : descriptor_(descriptor) {}

  // Waits for a slow reader. False once the reader has gone; nothing is written any more.
  bool write(std::string line);

 private:
  const int descriptor_;
  Mutex mutex_;
  bool broken_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::mcp
