#include "surface/observations/surface.h"

#include "http/steps.h"
#include "surface/observations/checks.h"
#include "surface/observations/dialect.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/routes.h"

namespace holdfast::surface::observations {
namespace {

using http::Exchange;
using http::Reply;

struct ClockBody {
  int64_t advance_seconds = 0;
};
const wire::Schema<ClockBody>& clock_schema() {
  // Some three thousand years, so that no time runs over.
  static const wire::Schema<ClockBody> schema = wire::Schema<ClockBody>().required(
      "advance_seconds", &ClockBody::advance_seconds, wire::range(0, 100'000'000'000));
  return schema;
}

class ObservationSurface : public Surface {
 public:
  ObservationSurface(http::Router& router, const Services& services, Face face)
      : context_{.services = services,
                 .face = std::move(face),
                 .cursors = wire::CursorCodec(context_secret(), "observations",
                                              wire::CursorAlphabet::kStandard)} {
    mount_.name = "observations";
    mount_.prefixes = {std::string(kBase), "/observations", "/uploads", "/attachments"};
    mount_.dialect = &dialect_;
    mount_.strictness = kStrict;
    mount_.rate_limit = [this](Exchange& exchange) { return check_rate(exchange); };
    // The order of the contract: credential, budget, scope and tier, media type, key, size, syntax.
    mount_.steps = {http::step::authenticate,     http::step::check_rate, http::step::set_deadline,
                    http::step::run_route_checks, check_media_type,       check_key,
                    http::step::check_body_size,  http::step::read_json,  check_object};
    http::RouteTable routes(router, mount_);
    add_observation_routes(routes, context_);
    add_registry_routes(routes, context_);
    add_attachment_routes(routes, context_);
    add_account_routes(routes, context_);
    if (context_.face.advance_clock) add_clock(routes);
  }

 private:
  std::string context_secret() const { return context_.face.cursor_secret; }

  // Whoever has no name here (a signed link, an agent key) has no budget either.
  std::optional<Error> check_rate(Exchange& exchange) {
    if (exchange.call.principal.empty()) return std::nullopt;
    const auto state = context_.services.budgets.spend_request(exchange.call);
    show_budget(state, exchange.reply_headers);
    if (state.allowed) return std::nullopt;
    return service::observation::over_budget(state);
  }

  void add_clock(http::RouteTable& routes) {
    routes.exchange("POST", std::string(kBase) + "/_test/clock",
                    {.json_body = true, .checks = {need({"read"}, 4)}},
                    [this](Exchange& exchange) { return advance_clock(exchange); });
  }

  Reply advance_clock(Exchange& exchange) {
    const auto body = read_request(exchange, clock_schema());
    if (!body) return refuse(exchange, body.error());
    context_.face.advance_clock(body->advance_seconds);
    return exchange.answer(
        200, envelope(exchange.context.request_id, context_.face.now(), Value::object()));
  }

  const Context context_;
  const ObservationDialect dialect_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, const Services& services, Face face) {
  return std::make_unique<ObservationSurface>(router, services, std::move(face));
}

}  // namespace holdfast::surface::observations
