// What /openapi.json says about the routes of the continuity API.
#pragma once

#include "surface/continuity/operations.h"
#include "wire/openapi.h"

namespace holdfast::surface::continuity {

// From the operation's published schema: parameters of the path, then the query or the body.
wire::RouteDescription describe(const Operation& operation);
// A document or a help page.
wire::RouteDescription describe_page(const std::string& name, const std::string& summary);
// The endpoint of JSON-RPC.
wire::RouteDescription describe_rpc();

}  // namespace holdfast::surface::continuity
