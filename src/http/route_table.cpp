#include "http/route_table.h"

namespace holdfast::http {

void RouteTable::raw(std::string method, std::string path, RawHandler handler) {
  raw(std::move(method), std::move(path), RouteOptions{}, std::move(handler));
}

void RouteTable::raw(std::string method, std::string path, RouteOptions options, RawHandler handler,
                     wire::RouteDescription description) {
  exchange(
      std::move(method), std::move(path), std::move(options),
      [handler = std::move(handler)](Exchange& exchange) {
        return handler(exchange.call, exchange.request);
      },
      std::move(description));
}

void RouteTable::exchange(std::string method, std::string path, RouteOptions options,
                          std::function<Reply(Exchange&)> handler,
                          wire::RouteDescription description) {
  description.method = method;
  description.path = path;
  description.surface = mount_.name;
  description.parameters.insert(description.parameters.end(), options.read_by_checks.begin(),
                                options.read_by_checks.end());
  description.needs_token = options.auth.value_or(mount_.auth) == AuthNeed::kRequired;
  router_.add(Route{.method = std::move(method),
                    .path = std::move(path),
                    .mount = &mount_,
                    .options = std::move(options),
                    .handler = std::move(handler),
                    .description = std::move(description)});
}

std::vector<wire::RouteDescription> describe_routes(const Router& router) {
  std::vector<wire::RouteDescription> list;
  for (const Route& route : router.routes()) {
    if (route.description && !route.description->summary.empty())
      list.push_back(*route.description);
  }
  return list;
}

}  // namespace holdfast::http
