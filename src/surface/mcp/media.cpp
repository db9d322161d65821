#include "surface/mcp/media.h"

#include <string_view>

#include "base/utf8.h"

namespace holdfast::surface::mcp {
namespace {

// q=0, q=0.0, ... among the parameters.
bool is_refused(std::string_view parameters) {
  while (!parameters.empty()) {
    const size_t end = parameters.find(';');
    const std::string_view parameter = trim_space(parameters.substr(0, end));
    parameters.remove_prefix(end == std::string_view::npos ? parameters.size() : end + 1);
    if (wire::starts_with_ignoring_case(parameter, "q=0") &&
        parameter.find_first_not_of("0.", 2) == std::string_view::npos)
      return true;
  }
  return false;
}

void take(std::string_view entry, Accepted& accepted) {
  const size_t semicolon = entry.find(';');
  const std::string_view type = trim_space(entry.substr(0, semicolon));
  if (semicolon != std::string_view::npos && is_refused(entry.substr(semicolon + 1))) return;
  const auto is = [&](std::string_view name) { return wire::equal_ignoring_case(type, name); };
  if (is("*/*") || is("application/*") || is("application/json")) accepted.json = true;
  if (is("*/*") || is("text/*") || is("text/event-stream"))
    accepted.stream = accepted.names_stream = true;
}

}  // namespace

Accepted accepted_types(const wire::Headers& headers) {
  if (!headers.has("Accept")) return {};
  Accepted accepted{.json = false, .stream = false};
  for (const std::string& field : headers.all("Accept")) {
    std::string_view rest = field;
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      take(rest.substr(0, comma), accepted);
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  return accepted;
}

}  // namespace holdfast::surface::mcp
