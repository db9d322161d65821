// The route tables, one a group. Each is kept by the surface; what they refer to outlives it.
#pragma once

#include "http/route_table.h"
#include "surface/observations/surface.h"
#include "wire/cursor.h"

namespace holdfast::surface::observations {

struct Context {
  Services services;
  Face face;
  wire::CursorCodec cursors;
};

void add_observation_routes(http::RouteTable& routes, const Context& context);
void add_registry_routes(http::RouteTable& routes, const Context& context);
void add_attachment_routes(http::RouteTable& routes, const Context& context);
void add_account_routes(http::RouteTable& routes, const Context& context);

}  // namespace holdfast::surface::observations
