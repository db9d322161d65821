// An Operation is the single declaration of a thing a caller may ask for. Routes, MCP tools,
// OpenAPI and the reference pages derive from it. Operations are function-local statics: whoever
// registers one keeps a reference.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/value.h"
#include "wire/headers.h"
#include "wire/schema.h"

namespace holdfast::wire {

template <typename Request, typename Response>
struct Operation {
  std::string name;
  std::string summary;
  std::string description = {};
  Schema<Request> request = {};
  std::function<Value(const Response&)> encode = {};  // none: the answer has no payload
  Value response_schema = {};  // JSON Schema of the payload, for documentation
  int success_status = 200;    // 204: no body
  // Where the status depends on what happened (201 created, 200 replayed): `success_status` or one
  // of the further ones.
  std::function<int(const Response&)> status = {};
  std::vector<int> further_statuses = {};
  // Header fields of the answer: Location and the like.
  std::function<void(const Response&, Headers&)> headers = {};
  std::vector<std::string> tags = {};
};

// For operations without a request or an answer.
struct Nothing {};

}  // namespace holdfast::wire
