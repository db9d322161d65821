// Reads text/event-stream as far as our own streams use it: the data of each event.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::app {

// Not thread-safe.
class EventReader {
 public:
  explicit EventReader(std::function<void(const std::string& data)> on_event)
      : on_event_(std::move(on_event)) {}

  void feed(std::string_view bytes);

 private:
  void take_line(std::string_view line);

  const std::function<void(const std::string&)> on_event_;
  std::string line_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace holdfast::app
