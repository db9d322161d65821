// The log: one line an event on stderr, as text for people or as JSON for programs. Events are
// words with underscores, fields are name and value:
//   log::info("listening", {{"address", address}});
// Never log bodies, tokens or queries: what memory holds belongs to its owner.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace holdfast::log {

enum class Format { kText, kJson };
enum class Level { kDebug, kInfo, kWarn, kError, kOff };

// Called once at the start, before other threads. Default: text, info.
void configure(Format format, Level level);

struct Field {
  std::string_view name;
  std::string value;
  bool is_number = false;

  Field(std::string_view n, std::string_view v) : name(n), value(v) {}
  Field(std::string_view n, const char* v) : name(n), value(v) {}
  Field(std::string_view n, const std::string& v) : name(n), value(v) {}
  template <typename T>
  requires std::is_arithmetic_v<T> Field(std::string_view n, T v)
      : name(n), value(fmt::format("{}", v)), is_number(true) {}
};

void write(Level level, std::string_view event, std::initializer_list<Field> fields);

inline void debug(std::string_view event, std::initializer_list<Field> fields = {}) {
  write(Level::kDebug, event, fields);
}
inline void info(std::string_view event, std::initializer_list<Field> fields = {}) {
  write(Level::kInfo, event, fields);
}
inline void warn(std::string_view event, std::initializer_list<Field> fields = {}) {
  write(Level::kWarn, event, fields);
}
inline void error(std::string_view event, std::initializer_list<Field> fields = {}) {
  write(Level::kError, event, fields);
}

}  // namespace holdfast::log
