// Which route a method and path belong to. Filled at the start, then only read: thread-safe after
// that.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "http/surface_mount.h"
#include "wire/openapi.h"

namespace holdfast::http {

struct RouteOptions {
  bool always_served = false;  // also while the store is still opening
  bool quick = false;  // never waits for anything: answered on the thread that read the request
  // The body is JSON: media type and syntax are judged, Request::json is set. Default: for
  // operations, not for raw.
  std::optional<bool> json_body = {};
  std::optional<AuthNeed> auth = {};
  std::optional<size_t> body_limit = {};
  // For large bodies: asked when the headers are there. False if the request will be refused
  // anyway: its body is not read, and the handler, called with an empty one, says why.
  std::function<bool(const Request&)> worth_reading = {};
  std::vector<Step> checks =
      {};  // run where the mount's steps say so: scopes, tiers, idempotency keys
  std::vector<wire::ParameterDescription> read_by_checks = {};  // for documentation
};

struct Route {
  std::string method;
  std::string
      path;  // /v1/things/{id}; {name...} at the end takes the rest of the path, slashes and all
  const SurfaceMount* mount = nullptr;
  RouteOptions options = {};
  std::function<Reply(Exchange&)> handler;
  std::optional<wire::RouteDescription> description = {};
};

struct RouteMatch {
  const Route* route = nullptr;  // nullptr: unknown path, or the path does not know the method
  const SurfaceMount* mount = nullptr;  // who words the answer; never nullptr
  std::string allow =
      {};  // "GET, HEAD, OPTIONS"; set if the path is known but the method is not its own
  std::vector<wire::PathParameter> parameters = {};
};

class Router {
 public:
  // `fallback` words the answers of paths below no mount.
  explicit Router(const SurfaceMount& fallback) : fallback_(fallback) {}

  // Announces the prefixes of a mount.
  void mount(const SurfaceMount& mount);
  // One handler for each method of a path; two are an assertion failure at the start.
  void add(Route route);

  // Literal segments beat {parameters}, segment by segment. Segments are percent-decoded after
  // splitting, so an encoded slash stays inside its parameter. What cannot be decoded, or is no
  // UTF-8, names nothing. A parameter is never empty, and a trailing slash is another path. HEAD
  // finds the route of GET.
  RouteMatch match(std::string_view method, std::string_view path) const;

  const std::deque<Route>& routes() const { return routes_; }

 private:
  struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals = {};
    std::unique_ptr<Node> parameter = {};
    std::unique_ptr<Node> rest = {};
    std::vector<const Route*> routes = {};             // one a method
    std::vector<std::vector<std::string>> names = {};  // of the parameters, for each route
  };

  static const Node* find(const Node& node, const std::vector<std::string>& segments, size_t at,
                          std::vector<std::string>& values);
  const SurfaceMount& mount_of(std::string_view path) const;

  const SurfaceMount& fallback_;
  std::deque<Route> routes_;
  Node root_;
  std::vector<const SurfaceMount*> mounts_;
};

}  // namespace holdfast::http
