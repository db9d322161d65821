// The routes of one surface, as a table:
//
//   http::RouteTable routes(router, mount);
//   routes.post("/v1/recall", recall(), memories, &MemoryService::recall);
//   routes.raw("GET", "/metrics", {.quick = true, .auth = http::AuthNeed::kNone}, metrics_handler);
//
// Operations and services are kept by reference: they outlive the router.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "http/exchange.h"
#include "http/router.h"
#include "wire/operation.h"

namespace holdfast::http {

using RawHandler = std::function<Reply(const CallContext&, const Request&)>;

class RouteTable {
 public:
  // Also announces the mount's prefixes. Both arguments outlive the table.
  RouteTable(Router& router, const SurfaceMount& mount) : router_(router), mount_(mount) {
    router.mount(mount);
  }

  // Decode, call, encode, word. `function` is Result<Response> (Service::*)(const CallContext&,
  // const Request&), const or not.
  template <typename Req, typename Res, typename Service, typename Function>
  void get(const std::string& path, const wire::Operation<Req, Res>& operation, Service& service,
           Function function, RouteOptions options = {}) {
    add("GET", path, operation, service, function, std::move(options));
  }
  template <typename Req, typename Res, typename Service, typename Function>
  void post(const std::string& path, const wire::Operation<Req, Res>& operation, Service& service,
            Function function, RouteOptions options = {}) {
    add("POST", path, operation, service, function, std::move(options));
  }
  template <typename Req, typename Res, typename Service, typename Function>
  void put(const std::string& path, const wire::Operation<Req, Res>& operation, Service& service,
           Function function, RouteOptions options = {}) {
    add("PUT", path, operation, service, function, std::move(options));
  }
  template <typename Req, typename Res, typename Service, typename Function>
  void patch(const std::string& path, const wire::Operation<Req, Res>& operation, Service& service,
             Function function, RouteOptions options = {}) {
    add("PATCH", path, operation, service, function, std::move(options));
  }
  template <typename Req, typename Res, typename Service, typename Function>
  void del(const std::string& path, const wire::Operation<Req, Res>& operation, Service& service,
           Function function, RouteOptions options = {}) {
    add("DELETE", path, operation, service, function, std::move(options));
  }

  // A handler that reads the request and makes the reply itself: streams, uploads, JSON-RPC, pages.
  // Its body is not taken for JSON unless the options say so.
  void raw(std::string method, std::string path, RawHandler handler);
  void raw(std::string method, std::string path, RouteOptions options, RawHandler handler,
           wire::RouteDescription description = {});
  // The same with the whole exchange in hand: refuse(), answer(), decode(), reply_headers.
  void exchange(std::string method, std::string path, RouteOptions options,
                std::function<Reply(Exchange&)> handler, wire::RouteDescription description = {});

 private:
  template <typename Req, typename Res, typename Service, typename Function>
  void add(const std::string& method, const std::string& path,
           const wire::Operation<Req, Res>& operation, Service& service, Function function,
           RouteOptions options) {
    if (!options.json_body) options.json_body = operation.request.has_body();
    exchange(
        method, path, std::move(options),
        [&operation, &service, function](Exchange& exchange) -> Reply {
          const Result<Req> request = exchange.decode(operation.request);
          if (!request) return exchange.refuse(request.error());
          const Result<Res> response = (service.*function)(exchange.call, *request);
          if (!response) return exchange.refuse(response.error());
          if (operation.headers) operation.headers(*response, exchange.reply_headers);
          const int status =
              operation.status ? operation.status(*response) : operation.success_status;
          return exchange.answer(status, operation.encode ? operation.encode(*response) : Value());
        },
        wire::describe(operation, mount_.strictness));
  }

  Router& router_;
  const SurfaceMount& mount_;
};

// The descriptions of every described route, for openapi_document().
std::vector<wire::RouteDescription> describe_routes(const Router& router);

}  // namespace holdfast::http
