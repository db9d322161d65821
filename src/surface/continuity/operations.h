// Every operation of the continuity API, as one table: HTTP routes, MCP tools and the published
// descriptions come from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/continuity/request.h"
#include "service/continuity/shape.h"

namespace holdfast::surface::continuity {

using service::continuity::Request;

struct Operation {
  std::string name = {};  // continuity.upsert
  std::string method = "POST";
  std::string path = {};
  std::string bucket = {};  // of its rate limit
  std::string description = {};
  std::vector<std::string> scopes = {};
  bool idempotent = false;
  service::continuity::Shape shape = {};  // of body, query and path parameters together
  std::function<Result<Value>(const Request&)> run = {};
  bool own_payload = false;  // judges its body itself, after authentication (schedule)
  std::function<int(const Value&)> status = {};  // of a success; empty: 200
};

// Reads the arguments through the shape and runs it. `location` names where they came from in
// shape errors: body or query.
Result<Value> run(const Operation& operation, const CallContext& call, const Value& raw,
                  const std::string& location);

}  // namespace holdfast::surface::continuity
