// The names of log levels.
#pragma once

#include <optional>
#include <string_view>

#include "mcp/client.h"

namespace holdfast::mcp {

std::string_view log_level_name(LogLevel level);
std::optional<LogLevel> parse_log_level(std::string_view name);

}  // namespace holdfast::mcp
