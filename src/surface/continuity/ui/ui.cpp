#include "surface/continuity/ui/ui.h"

#include "http/route_table.h"
#include "http/steps.h"
#include "service/continuity/capsule.h"
#include "service/continuity/failure.h"
#include "surface/continuity/capsule_operations.h"
#include "surface/continuity/dialect.h"
#include "surface/continuity/ui/assets.h"
#include "surface/continuity/ui/pulse.h"
#include "surface/continuity/ui/snapshot_events.h"

namespace holdfast::surface::continuity::ui {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs
using http::Exchange;
using http::Reply;
using service::continuity::text;  // not the namespace of that name

// Everything comes from here, and nothing but the stylesheet, the script and the events.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action "
    "'self'; base-uri 'none'; frame-ancestors 'none'";

// A snapshot that takes longer ends the stream: no worker waits while the capsules are being read.
constexpr std::chrono::seconds kLongestPull{1};

Operation looking(std::string name, Shape shape, std::function<Result<Value>(const Request&)> run) {
  return {.name = std::move(name),
          .method = "GET",
          .scopes = {std::string(kReadFiles)},
          .idempotent = true,
          .shape = std::move(shape),
          .run = std::move(run)};
}

// What only operators ask for. Not published: no route, no tool.
std::vector<Operation> own_operations(ReadService& reads, TaskService& tasks) {
  return {
      looking("ui.counts", object({}), bind(reads, &ReadService::counts)),
      looking(
          "ui.browse",
          object({optional("q", text(0, 200)), optional("subject_kind", subject_kind_shape()),
                  optional("artifact_state", one_of({"active", "fallback", "archived", "cold"})),
                  optional("health_status", one_of({"healthy", "degraded", "conflicted"})),
                  optional("limit", integer(1, kMostRows), Value(kMostRows))}),
          bind(reads, &ReadService::browse)),
      looking("ui.artefacts",
              object({required("subject_kind", subject_kind_shape()),
                      required("subject_id", text(1, 200)),
                      optional("limit", integer(1, kMostRows), Value(kMostRows))}),
              bind(reads, &ReadService::artefacts)),
      looking("ui.task", object({required("task_id", text())}), bind(tasks, &TaskService::get)),
  };
}

Page refusal(const Error& error) {
  const int status = status_of(error);
  return {.title = std::string(http::status_text(status)),
          .body = status < 500 ? shown(detail_of(error)) : Html("Something went wrong."),
          .status = status};
}

class RealUi : public Ui {
 public:
  RealUi(http::Router& router, const Face& face)
      : help_(face.operations),
        own_(own_operations(face.reads, face.tasks)),
        desk_{.operations = face.operations, .own = own_, .help = help_, .posture = face.posture},
        pulse_(std::chrono::seconds(face.posture.poll_seconds)) {
    mount_.name = "continuity";
    mount_.prefixes = {"/ui"};
    mount_.dialect = &dialect_;
    mount_.authenticator = &face.owner;
    mount_.steps = {http::step::authenticate, http::step::set_deadline};
    if (face.posture.require_localhost) mount_.steps.insert(mount_.steps.begin(), refuse_strangers);
    http::RouteTable routes(router, mount_);
    routes.exchange("GET", "/ui", {}, [](Exchange&) {
      Reply reply{.status = 307};
      reply.headers.set("Location", "/ui/");
      return reply;
    });
    for (const PageRoute& route : page_routes())
      routes.exchange("GET", route.path, {},
                      [this, &route](Exchange& exchange) { return show(route, exchange); });
    add_asset(routes, "/ui/style.css", "text/css; charset=utf-8", kStylesheet);
    add_asset(routes, "/ui/live.js", "text/javascript; charset=utf-8", kLiveScript);
    routes.exchange("GET", "/ui/events", {}, [this](Exchange& exchange) {
      return http::event_reply(std::make_shared<SnapshotEvents>(
          [this, call = exchange.call]() mutable {
            call.deadline = std::chrono::steady_clock::now() + kLongestPull;
            return snapshot(desk_, call);
          },
          pulse_));
    });
  }

 private:
  static std::optional<Reply> refuse_strangers(Exchange& exchange) {
    if (is_local_address(exchange.request.peer_address)) return std::nullopt;
    return exchange.refuse(denied("Operator UI is local-only"));
  }

  static Reply guarded(Reply reply) {
    reply.headers.set("Content-Security-Policy", kPolicy);
    reply.headers.set("X-Content-Type-Options", "nosniff");
    reply.headers.set("Referrer-Policy", "no-referrer");
    reply.headers.set("Cache-Control", "no-store");
    return reply;
  }

  static void add_asset(http::RouteTable& routes, const char* path, const char* type,
                        std::string_view body) {
    routes.exchange("GET", path, {}, [type, body](Exchange&) {
      return guarded(http::text_reply(200, type, std::string(body)));
    });
  }

  Reply show(const PageRoute& route, Exchange& exchange) const {
    auto page = route.make({.desk = desk_, .call = exchange.call, .request = exchange.request});
    const Page shown_page = page ? std::move(*page) : refusal(page.error());
    return guarded(
        http::text_reply(shown_page.status, "text/html; charset=utf-8", framed(shown_page)));
  }

  const ContinuityDialect dialect_;
  const Help help_;
  const std::vector<Operation> own_;
  const Desk desk_;
  Pulse pulse_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Ui> mount(http::Router& router, const Face& face) {
  return std::make_unique<RealUi>(router, face);
}

}  // namespace holdfast::surface::continuity::ui
