// The OpenAPI 3.1 document of everything that is served, made from the declarations that validate.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"
#include "wire/object_shape.h"
#include "wire/operation.h"

namespace holdfast::wire {

// One method of one path.
struct RouteDescription {
  std::string method = {};   // GET, POST, ...
  std::string path = {};     // template: /v1/things/{id}
  std::string surface = {};  // becomes a tag
  std::string name =
      {};  // operationId is <surface>_<name>; empty for raw routes without a description
  std::string summary = {};
  std::string description = {};
  std::vector<std::string> tags = {};
  std::vector<ParameterDescription> parameters = {};
  Value body_schema = {};  // null: no body
  bool body_required = false;
  std::string body_type = "application/json";
  Value response_schema = {};  // null: not described
  std::string response_type = "application/json";
  int success_status = 200;
  std::vector<int> further_statuses = {};  // that are a success too
  bool needs_token = false;
};

struct OpenApiInfo {
  std::string title = {};
  std::string version = {};
  std::string description = {};
  std::string server_url = {};
};

Value openapi_document(const OpenApiInfo& info, const std::vector<RouteDescription>& routes);

// What an operation says about a route.
template <typename Request, typename Response>
RouteDescription describe(const Operation<Request, Response>& operation,
                          const Strictness& strictness) {
  RouteDescription route{.name = operation.name,
                         .summary = operation.summary,
                         .description = operation.description,
                         .tags = operation.tags,
                         .parameters = operation.request.parameters(strictness),
                         .response_schema = operation.response_schema,
                         .success_status = operation.success_status,
                         .further_statuses = operation.further_statuses};
  if (operation.request.has_body()) {
    route.body_schema = operation.request.json_schema(strictness);
    route.body_required = operation.request.body_required();
  }
  return route;
}

}  // namespace holdfast::wire
