// Ids are types, never bare strings below a surface.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast {

// A text that names one kind of thing. Comparison is byte for byte.
template <typename Tag>
struct StrongId {
  std::string value = {};

  StrongId() = default;
  explicit StrongId(std::string text) : value(std::move(text)) {}
  bool empty() const { return value.empty(); }
  auto operator<=>(const StrongId&) const = default;
};

// A random version-4 UUID in lower case.
std::string make_uuid();

// ULIDs: 26 characters of Crockford base 32, upper case, ordered by time, strictly increasing
// within one generator even inside a millisecond and when the clock steps back. Thread-safe.
class UlidGenerator {
 public:
  explicit UlidGenerator(const Clock& clock) : clock_(clock) {}
  std::string next();

 private:
  const Clock& clock_;
  Mutex mutex_;
  uint64_t millis_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  // The 80 random bits, as 16 high and 64 low.
  uint16_t high_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  uint64_t low_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast

template <typename Tag>
struct std::hash<holdfast::StrongId<Tag>> {
  size_t operator()(const holdfast::StrongId<Tag>& id) const noexcept {
    return std::hash<std::string>()(id.value);
  }
};
