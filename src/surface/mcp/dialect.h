// How /mcp words what goes wrong before a message is read: JSON-RPC errors without an id, and the
// challenges of RFC 6750.
#pragma once

#include <string>
#include <string_view>

#include "wire/dialect.h"

namespace holdfast::surface::mcp {

class McpDialect : public wire::Dialect {
 public:
  // `challenge_suffix`: what every challenge ends with, such as resource_metadata="…"; may be
  // empty.
  explicit McpDialect(std::string challenge_suffix = {})
      : challenge_suffix_(std::move(challenge_suffix)) {}

  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;

  // WWW-Authenticate of a call that lacks a scope.
  std::string scope_challenge(std::string_view scope) const;

 private:
  std::string challenge_suffix_;
};

}  // namespace holdfast::surface::mcp
