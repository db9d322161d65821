// A server on a loopback port with a few routes, for the tests of http/.
#pragma once

#include <future>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "http/route_table.h"
#include "http/server.h"
#include "http/test_client.h"

namespace holdfast::http {

class ServerTest : public testing::Test {
 protected:
  void start(ServerSettings settings = {}) {
    RouteTable routes(router_, mount_);
    routes.raw("GET", "/quick", {.quick = true}, [](const CallContext&, const Request&) {
      return text_reply(200, "text/plain", "quick");
    });
    routes.raw("GET", "/echo/{word}", [](const CallContext&, const Request& request) {
      return text_reply(200, "text/plain", std::string(request.path_parameter("word")));
    });
    routes.raw("POST", "/echo", [](const CallContext&, const Request& request) {
      return text_reply(200, "text/plain", request.body);
    });
    routes.raw(
        "PUT", "/ticket/{word}",
        {.worth_reading =
             [](const Request& request) { return request.path_parameter("word") == "good"; }},
        [](const CallContext&, const Request& request) {
          return text_reply(request.body.empty() ? 401 : 200, "text/plain", request.body);
        });
    routes.raw("GET", "/local", [](const CallContext&, const Request& request) {
      return text_reply(200, "text/plain", request.local_process ? "local" : "remote");
    });
    routes.raw("GET", "/large", [](const CallContext&, const Request&) {
      return text_reply(200, "text/plain", std::string(3'000'000, 'x'));
    });
    routes.raw("GET", "/wait", [this](const CallContext&, const Request&) {
      entered_.set_value();
      release_.get_future().wait();
      return text_reply(200, "text/plain", "waited");
    });
    routes.raw("GET", "/hold", [this](const CallContext&, const Request&) {
      held_.wait();
      return Reply{};
    });
    routes.raw("GET", "/events", [this](const CallContext&, const Request& request) {
      auto queue = std::make_shared<EventQueue>(100'000);
      queue->push({.id = "1",
                   .event = "hello",
                   .data = "resumed after " + std::string(request.headers.get("Last-Event-ID"))});
      queue_.set_value(queue);
      return event_reply(queue);
    });
    routes.raw("POST", "/turning", [](const CallContext&, const Request& request) {
      auto queue = std::make_shared<EventQueue>();
      if (!request.start_stream || !request.start_stream(event_reply(queue)))
        return text_reply(200, "text/plain", "no");
      queue->push({.data = "half"});
      queue->push({.data = "done"});
      queue->finish();
      return Reply{.already_streaming = true};
    });
    pipeline_ = std::make_unique<Pipeline>(PipelineSettings{.router = router_,
                                                            .authenticator = *authenticator_,
                                                            .clock = clock_,
                                                            .metrics = metrics_,
                                                            .access_log = AccessLog::kOff});
    if (settings.listen.empty()) settings.listen = {{"127.0.0.1", 0}};
    auto server = Server::start(*pipeline_, settings);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    server_ = std::move(*server);
    port_ = server_->port();
  }

  wire::PlainDialect dialect_;
  SurfaceMount mount_{.name = "test", .dialect = &dialect_, .body_limit = 1'000'000};
  Router router_{mount_};
  SystemClock clock_;
  Metrics metrics_;
  std::unique_ptr<access::Authenticator> authenticator_ = access::make_open_authenticator();
  std::promise<void> entered_;
  std::promise<void> release_;
  std::promise<void> hold_;
  std::shared_future<void> held_ = hold_.get_future().share();
  std::promise<std::shared_ptr<EventQueue>> queue_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

}  // namespace holdfast::http
