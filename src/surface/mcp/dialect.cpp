#include "surface/mcp/dialect.h"

#include <fmt/format.h>

#include "mcp/protocol.h"
#include "mcp/rpc.h"
#include "model/json_text.h"
#include "surface/mcp/errors.h"

namespace holdfast::surface::mcp {
namespace {

constexpr std::string_view kRealm = "Bearer realm=\"holdfast\"";

// What a client that asks for a token should ask for.
constexpr std::string_view kScopes = ", scope=\"read write\"";

std::string challenge(const WireError& wire) {
  if (wire.challenge.empty()) return std::string(kRealm);
  return fmt::format("{}, error=\"{}\"", kRealm, wire.challenge);
}

}  // namespace

McpDialect::McpDialect(const std::string& metadata_url) {
  if (!metadata_url.empty()) metadata_ = fmt::format(", resource_metadata=\"{}\"", metadata_url);
}

wire::Answer McpDialect::failure(const wire::AnswerContext&, const Error& error) const {
  const WireError wire = wire_error(error);
  wire::Answer answer{.status = wire.status, .content_type = "application/json"};
  answer.body = to_json(holdfast::mcp::error_message(
      {}, {.code = wire.code, .message = wire.status == 500 ? "The server failed." : error.message}));
  if (wire.is_challenge) {
    const bool says_scopes = wire.status == 401 && !metadata_.empty();
    answer.headers.push_back({"WWW-Authenticate", challenge(wire) + metadata_ +
                                                      std::string(says_scopes ? kScopes : "")});
  }
  if (wire.status == 405) answer.headers.push_back({"Allow", "POST, GET, DELETE"});
  return answer;
}

std::string McpDialect::scope_challenge(std::string_view scope) const {
  return fmt::format("Bearer error=\"insufficient_scope\", scope=\"{}\"{}", scope, metadata_);
}

}  // namespace holdfast::surface::mcp
