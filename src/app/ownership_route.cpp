#include "app/ownership_route.h"

#include <thread>

#include "app/socket_call.h"
#include "http/route_table.h"
#include "wire/dialect.h"

namespace holdfast::app {
namespace {

constexpr const char* kYieldPath = "/_owner/yield";
// An owner that yields finishes the calls under way first.
constexpr std::chrono::seconds kYieldPatience{30};
// A command that ends by itself, or an owner that was just killed.
constexpr std::chrono::seconds kEndPatience{3};
constexpr std::chrono::milliseconds kBetweenLooks{20};

class MountedRoute : public OwnershipRoute {
 public:
  MountedRoute(http::Router& router, std::function<void()> yield) {
    mount_.name = "owner";
    mount_.dialect = &dialect_;
    http::RouteTable routes(router, mount_);
    routes.exchange("POST", kYieldPath, {.json_body = false},
                    [yield = std::move(yield)](http::Exchange& exchange) {
                      if (!exchange.call.local_process) {
                        return exchange.refuse(Error{.code = ErrorCode::kPermissionDenied,
                                                     .message = "Only for this machine."});
                      }
                      yield();
                      return http::Reply{.status = 202};
                    });
  }

 private:
  const wire::PlainDialect dialect_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<OwnershipRoute> mount_ownership(http::Router& router, std::function<void()> yield) {
  return std::make_unique<MountedRoute>(router, std::move(yield));
}

Result<std::unique_ptr<Engine>> create_engine_in_turn(const EngineOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    auto engine = Engine::create(options);
    if (engine || engine.error().reason != reason::kOwnedByAnother) return engine;
    HOLDFAST_TRY(const auto socket, SocketPath::open(options.paths));
    const auto answer =
        socket_call(socket->text(), {.method = "POST", .target = kYieldPath}, kEndPatience);
    const bool yields = answer && answer->status == 202;
    const bool gone = !answer && answer.error().reason == reason::kNobodyAnswers;
    const auto waited = std::chrono::steady_clock::now() - began;
    if (waited > (yields ? kYieldPatience : kEndPatience) || (!yields && !gone)) return engine;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace holdfast::app
