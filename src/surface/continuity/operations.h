// Every operation of the continuity API, as one table: HTTP routes, MCP tools and the published
// descriptions come from it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
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
  // A second name of a member: it may stand in its place, not beside another value.
  struct Alias {
    std::string name = {};
    std::string of = {};
  } alias = {};
  bool open = false;         // needs no credential
  bool elsewhere = false;    // its route is another surface's; it is a tool only
  bool own_payload = false;  // judges its body itself, after authentication (schedule)
  std::function<int(const Value&)> status = {};  // of a success; empty: 200
};

bool is_reading(const Operation& operation);
// Whether a call may leave something behind; a POST may also be a question.
bool is_changing(const Operation& operation);
bool is_local_only(const Operation& operation);
bool has_member(const Operation& operation, std::string_view name);
// The entry of a refusal that names a member which a closed object does not have.
Value extra_member(const std::string& name, const Value& sent);
// The schema of its arguments, as it is published.
Value input_schema(const Operation& operation);

// Reads the arguments through the shape and runs it. `location` names where they came from in
// shape errors: body or query. `looking`: for an operator's page, not counted as use. `sent`: what
// refusals show, where parameters of the path were added to it.
Result<Value> run(const Operation& operation, const CallContext& call, const Value& raw,
                  const std::string& location, bool looking = false, const Value* sent = nullptr);

}  // namespace holdfast::surface::continuity
