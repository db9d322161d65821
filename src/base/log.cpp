#include "base/log.h"

#include <atomic>
#include <memory>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/clock.h"
#include "base/time_text.h"

namespace holdfast::log {
namespace {

std::atomic<Format> g_format = Format::kText;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("holdfast",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::info);
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kDebug: return spdlog::level::debug;
    case Level::kInfo: return spdlog::level::info;
    case Level::kWarn: return spdlog::level::warn;
    case Level::kError: return spdlog::level::err;
    case Level::kOff: return spdlog::level::off;
  }
  return spdlog::level::info;
}

std::string_view level_name(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warn";
    case Level::kError: return "error";
    case Level::kOff: return "off";
  }
  return "info";
}

// Quotes and escapes control characters, so that one event stays one line whatever a client sent.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  out += '"';
}

bool needs_quotes(std::string_view text) {
  if (text.empty()) return true;
  for (const char c : text) {
    if (c == ' ' || c == '"' || c == '=' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ||
        c == 0x7f)
      return true;
  }
  return false;
}

std::string text_line(Level level, std::string_view event, std::initializer_list<Field> fields) {
  std::string line =
      fmt::format("{} {:5} {}", format_millis(SystemClock().now()), level_name(level), event);
  for (const Field& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    if (needs_quotes(field.value)) {
      append_quoted(line, field.value);
    } else {
      line += field.value;
    }
  }
  return line;
}

std::string json_line(Level level, std::string_view event, std::initializer_list<Field> fields) {
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","event":)",
                                 format_millis(SystemClock().now()), level_name(level));
  append_quoted(line, event);
  for (const Field& field : fields) {
    line += ',';
    append_quoted(line, field.name);
    line += ':';
    if (field.is_number) {
      line += field.value;
    } else {
      append_quoted(line, field.value);
    }
  }
  line += '}';
  return line;
}

}  // namespace

void configure(Format format, Level level) {
  g_format = format;
  logger().set_level(spdlog_level(level));
}

void write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  const auto wanted = spdlog_level(level);
  if (!logger().should_log(wanted)) return;
  const std::string line =
      g_format == Format::kJson ? json_line(level, event, fields) : text_line(level, event, fields);
  logger().log(wanted, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace holdfast::log
