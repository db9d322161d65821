// One request on its way through the pipeline, with everything found out about it so far. Not
// thread-safe.
#pragma once

#include <utility>

#include "http/request.h"
#include "http/router.h"
#include "http/surface_mount.h"
#include "model/call_context.h"
#include "wire/schema.h"

namespace holdfast::http {

struct PipelineSettings;

struct Exchange {
  Request& request;
  const PipelineSettings& settings;
  const SurfaceMount& mount;  // of the route, or of the unknown path
  const Route* route = nullptr;
  CallContext call = {};
  wire::AnswerContext context = {};
  wire::Headers reply_headers = {};  // added to whatever reply comes

  // Words a failure in the mount's dialect. Logs what only the log may know.
  Reply refuse(const Error& error) const;
  // Words a success.
  Reply answer(int status, Value payload) const;

  // Body, query, path and headers through a schema, as strict as the surface is.
  template <typename T>
  Result<T> decode(const wire::Schema<T>& schema) const {
    return schema.read({.body = request.json ? &*request.json : nullptr,
                        .query = &request.query,
                        .path = &request.path_parameters,
                        .headers = &request.headers},
                       mount.strictness);
  }
};

}  // namespace holdfast::http
