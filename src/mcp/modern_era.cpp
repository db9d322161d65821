#include "mcp/modern_era.h"

#include <fmt/format.h>

#include "mcp/log_level.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

constexpr std::string_view kDiscover = "server/discover";
constexpr std::string_view kListen = "subscriptions/listen";

// The methods whose item is repeated in Mcp-Name, and the parameter that names it.
constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}};

RpcError at_transport(RpcError error) {
  error.status = 400;
  return error;
}

std::string version_of(const Message& message) {
  return *message.meta(meta::kProtocolVersion)->if_string();
}

RpcError unsupported_version(const std::string& version) {
  return {.code = code::kUnsupportedVersion,
          .message = "This protocol revision is not served.",
          .data = Value::object({{"supported", modern_names()}, {"requested", version}}),
          .status = 400};
}

std::optional<RpcError> check_item(const Message& message, const wire::Headers& headers) {
  for (const auto& [method, parameter] : kNamed) {
    if (message.method != method) continue;
    const auto field = single_header(headers, header::kName);
    const auto name = field ? decode_mirrored(*field) : std::nullopt;
    const Value* given = message.param(parameter);
    const Value expected = given != nullptr ? *given : Value("");
    if (name && expected == Value(*name)) continue;
    return header_mismatch(
        fmt::format("The header Mcp-Name must repeat the parameter '{}'.", parameter));
  }
  return std::nullopt;
}

}  // namespace

bool is_modern_message(const Message& message, std::string_view version_header) {
  if (message.meta(meta::kProtocolVersion) != nullptr) return true;
  if (message.method == kDiscover || message.method == kListen) return true;
  return names_modern_era(version_header);
}

Answer ModernEra::answer(const ModernRequest& request) const {
  auto answer = run(request);
  if (request.cancellation->cancelled()) return Answer::accepted();
  return answer ? std::move(*answer) : Answer::failure(request.message.id, answer.error());
}

// Metadata → version → method → mirrored names → the method itself.
Outcome<Answer> ModernEra::run(const ModernRequest& request) const {
  if (auto error = check_metadata(request)) return fail(std::move(*error));
  const Message& message = request.message;
  if (!knows(message.method)) {
    RpcError error = unknown_method(message.method);
    error.status = 404;
    return fail(std::move(error));
  }
  if (auto error = check_names(request)) return fail(std::move(*error));
  if (message.method == kListen) return listen(request);
  auto result = dispatch(request);
  if (!result) return fail(result.error());
  return Answer::result(message.id, std::move(*result));
}

std::optional<RpcError> ModernEra::check_metadata(const ModernRequest& request) const {
  const Message& message = request.message;
  const Value* version = message.meta(meta::kProtocolVersion);
  const Value* capabilities = message.meta(meta::kClientCapabilities);
  if (version == nullptr || !version->is_string() || capabilities == nullptr ||
      !capabilities->is_object()) {
    return at_transport(invalid_params(
        fmt::format("A request needs _meta with '{}' (a string) and '{}' (an object).",
                    meta::kProtocolVersion, meta::kClientCapabilities)));
  }
  const wire::Headers* headers = request.headers;
  if (headers != nullptr &&
      single_header(*headers, header::kProtocolVersion) != version_of(message)) {
    return header_mismatch(
        "The header MCP-Protocol-Version must repeat the version of the request.");
  }
  if (!modern_revision(version_of(message))) return unsupported_version(version_of(message));
  if (headers != nullptr && single_header(*headers, header::kMethod) != message.method)
    return header_mismatch("The header Mcp-Method must repeat the method.");
  return std::nullopt;
}

std::optional<RpcError> ModernEra::check_names(const ModernRequest& request) const {
  const Message& message = request.message;
  if (request.headers != nullptr) {
    if (auto error = check_item(message, *request.headers)) return error;
    const Value* name = message.param("name");
    const bool names_tool = message.method == "tools/call" && name != nullptr && name->is_string();
    const Tool* tool = names_tool ? registry_.tool(*name->if_string()) : nullptr;
    const Value* arguments = message.param("arguments");
    if (tool != nullptr) {
      auto error = check_mirrored(registry_.mirrored(*tool),
                                  arguments != nullptr ? *arguments : Value(), *request.headers);
      if (error) return error;
    }
  }
  const Value* level = message.meta(meta::kLogLevel);
  if (level == nullptr || (level->is_string() && parse_log_level(*level->if_string())))
    return std::nullopt;
  return invalid_params("The log level is none of those that exist.");
}

bool ModernEra::knows(const std::string& method) const {
  return method == kDiscover || method == kListen || methods_.find(method) != nullptr;
}

Outcome<Value> ModernEra::dispatch(const ModernRequest& request) const {
  const Message& message = request.message;
  if (message.method == kDiscover) return discover();
  ClientTerms terms{.revision = *modern_revision(version_of(message)),
                    .capabilities = *message.meta(meta::kClientCapabilities)};
  const Value* level = message.meta(meta::kLogLevel);
  if (level != nullptr && registry_.features().logging)
    terms.log_level = parse_log_level(*level->if_string());
  ActiveClient client(message, std::move(terms), request.outlet, request.cancellation);
  Turn turn{.call = request.call, .request = message, .client = client};
  auto result = (methods_.*methods_.find(message.method))(turn);
  client.finish();
  if (!result) return fail(result.error());
  return dressed(std::move(*result));
}

Value ModernEra::discover() const {
  Value result = Value::object(
      {{"supportedVersions", modern_names()},
       {"capabilities", encode_capabilities(registry_.features(), kModern)},
       {"instructions", registry_.instructions()}});
  return dressed({.result = std::move(result), .cache = Cache::kPublic});
}

Value ModernEra::dressed(MethodResult done) const {
  Value out = std::move(done.result);
  if (done.complete) out.set("resultType", "complete");
  if (done.cache != Cache::kNone) {
    out.set("ttlMs", done.cache == Cache::kPublic ? kCacheMillis : 0);
    out.set("cacheScope", done.cache == Cache::kPublic ? "public" : "private");
  }
  out.set("_meta", Value::object({{std::string(meta::kServerInfo),
                                   encode_identity(identity_, kModern)}}));
  return out;
}

}  // namespace holdfast::mcp
