#include "base/utf8.h"
#include "http/steps.h"
#include "wire/transport.h"

namespace holdfast::http::step {
namespace {

bool takes_json(const Exchange& exchange) {
  return exchange.route->options.json_body.value_or(false);
}

// application/json, with parameters; a charset must be UTF-8.
bool is_json_type(std::string_view type) {
  const size_t semicolon = type.find(';');
  if (!wire::equal_ignoring_case(trim_space(type.substr(0, semicolon)), "application/json"))
    return false;
  std::string_view parameters =
      semicolon == std::string_view::npos ? "" : type.substr(semicolon + 1);
  while (!parameters.empty()) {
    const size_t end = parameters.find(';');
    const std::string_view parameter = trim_space(parameters.substr(0, end));
    parameters.remove_prefix(end == std::string_view::npos ? parameters.size() : end + 1);
    if (!wire::starts_with_ignoring_case(parameter, "charset=")) continue;
    const std::string_view charset = parameter.substr(8);
    if (!wire::equal_ignoring_case(charset, "utf-8") &&
        !wire::equal_ignoring_case(charset, "\"utf-8\""))
      return false;
  }
  return true;
}

std::optional<Reply> judge_media_type(Exchange& exchange, bool needed) {
  const auto types = exchange.request.headers.all("Content-Type");
  if (types.empty() && !needed) return std::nullopt;
  if (types.size() == 1 && is_json_type(types.front())) return std::nullopt;
  return exchange.refuse(
      wire::transport_error(ErrorCode::kInvalidArgument, wire::reason::kUnsupportedMediaType,
                            "Send the body as 'Content-Type: application/json'."));
}

}  // namespace

std::optional<Reply> check_media_type(Exchange& exchange) {
  const bool has_body = !exchange.request.body.empty() || exchange.request.body_too_large;
  if (!takes_json(exchange) || !has_body) return std::nullopt;
  return judge_media_type(exchange, true);
}

std::optional<Reply> require_media_type(Exchange& exchange) {
  if (!takes_json(exchange)) return std::nullopt;
  const std::string& method = exchange.request.method;
  const bool has_body = !exchange.request.body.empty() || exchange.request.body_too_large;
  return judge_media_type(exchange,
                          has_body || method == "POST" || method == "PATCH" || method == "PUT");
}

std::optional<Reply> read_json(Exchange& exchange) {
  Request& request = exchange.request;
  if (!takes_json(exchange) || request.json || request.body.empty()) return std::nullopt;
  auto value = parse_json(request.body, exchange.mount.json_limits);
  if (!value) return exchange.refuse(value.error());
  request.json = std::move(*value);
  exchange.context.body = &*request.json;
  return std::nullopt;
}

}  // namespace holdfast::http::step
