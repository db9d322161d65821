// How /mcp words what goes wrong before a message is read: JSON-RPC errors without an id, and the
// challenges of RFC 6750.
#pragma once

#include <string>
#include <string_view>

#include "wire/dialect.h"

namespace holdfast::surface::mcp {

class McpDialect : public wire::Dialect {
 public:
  // `metadata_url`: where clients learn which authorization server to ask; empty if there is none.
  explicit McpDialect(const std::string& metadata_url = {});

  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;

  // WWW-Authenticate of a call that lacks a scope.
  std::string scope_challenge(std::string_view scope) const;

 private:
  std::string metadata_;  // the parameter of a challenge, or empty
};

}  // namespace holdfast::surface::mcp
