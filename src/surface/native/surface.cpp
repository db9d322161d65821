#include "surface/native/surface.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/time_text.h"
#include "http/metrics.h"
#include "http/route_table.h"
#include "http/steps.h"
#include "model/json_text.h"
#include "surface/native/admin_operations.h"
#include "surface/native/archive_operations.h"
#include "surface/native/care_operations.h"
#include "surface/native/dialect.h"
#include "surface/native/journal_events.h"
#include "surface/native/memory_operations.h"
#include "surface/native/object_operations.h"
#include "surface/native/search_operations.h"

namespace holdfast::surface::native {
namespace {

using http::AuthNeed;
using http::Exchange;
using http::Reply;

constexpr int64_t kFarthestSeconds = 100'000'000'000;  // some thousand years

struct ClockBody {
  int64_t advance_seconds = 0;
};

wire::Schema<ClockBody> clock_schema() {
  return wire::Schema<ClockBody>()
      .required("advance_seconds", &ClockBody::advance_seconds, wire::range(0, kFarthestSeconds))
      .ignore_unknown();
}

// Idempotency-Key: 1 to 255 visible ASCII characters, once.
std::optional<Reply> read_idempotency_key(Exchange& exchange) {
  const auto keys = exchange.request.headers.all("Idempotency-Key");
  if (keys.empty()) return std::nullopt;
  const std::string& key = keys.front();
  bool good = keys.size() == 1 && !key.empty() && key.size() <= 255;
  for (const char c : key) good = good && c > 0x20 && c < 0x7f;
  if (!good) {
    return exchange.refuse(
        invalid_argument("Idempotency-Key must be 1 to 255 visible ASCII characters, sent once."));
  }
  exchange.call.idempotency_key = key;
  return std::nullopt;
}

wire::ParameterDescription idempotency_key() {
  return {.source = wire::Source::kHeader,
          .name = "Idempotency-Key",
          .description = "With it, a call that is repeated within 24 hours stores nothing twice.",
          .schema = Value::object({{"type", "string"}, {"minLength", 1}, {"maxLength", 255}})};
}

Value health_value(const service::HealthResponse& health, const ServerFace& face) {
  Value body = Value::object({{"status", health.embedding_provider_ok ? "ok" : "degraded"},
                              {"vector_index_ready", health.vector_index_ready},
                              {"ok", true},
                              {"service", "cognirelay"},
                              {"version", face.version},
                              {"contract_version", face.contract_version},
                              {"repo_root", "."},
                              {"git_initialized", true},
                              {"latest_commit", std::to_string(health.position)},
                              {"signed_ingress_required", false},
                              {"time", format_seconds(face.now())}});
  if (health.embeddings) body.set("embedding_provider_ok", health.embedding_provider_ok);
  return body;
}

// Nothing if the reader has seen nothing yet.
Result<std::optional<JournalPosition>> last_event_id(const http::Request& request) {
  const std::string* text = request.headers.find("Last-Event-ID");
  if (text == nullptr) return std::optional<JournalPosition>();
  JournalPosition position = -1;
  const char* const end = text->data() + text->size();
  const auto [read, error] = std::from_chars(text->data(), end, position);
  if (error != std::errc() || read != end || position < 0)
    return invalid_argument("Last-Event-ID must be the id of an event: a whole number.");
  return std::optional(position);
}

class NativeSurface : public Surface {
 public:
  NativeSurface(http::Router& router, const Services& services, ServerFace face)
      : router_(router), services_(services), face_(std::move(face)) {
    mount_.name = "native";
    mount_.prefixes = {"/holdfast", "/health", "/metrics", "/openapi.json", "/_test"};
    mount_.dialect = &dialect_;
    mount_.body_limit = size_t{2} << 20U;
    if (face_.rate_limit) {
      mount_.rate_limit = [this](Exchange& exchange) { return face_.rate_limit(exchange.call); };
    }
    http::RouteTable routes(router, mount_);
    add_memory(routes);
    add_objects(routes);
    add_upkeep(routes);
    add_shared(routes);
    add_import(router);
  }

 private:
  void add_memory(http::RouteTable& routes) {
    using namespace service;
    routes.post("/holdfast/v1/remember", remember(), services_.memories, &MemoryService::remember,
                {.checks = {read_idempotency_key}, .read_by_checks = {idempotency_key()}});
    routes.post("/holdfast/v1/search", search(), services_.search, &SearchService::search);
    routes.post("/holdfast/v1/context", context(), services_.context, &ContextService::context);
  }

  void add_objects(http::RouteTable& routes) {
    using service::ObjectService;
    auto& objects = services_.objects;
    routes.get("/holdfast/v1/objects/{kind}/{id}", show(), objects, &ObjectService::show);
    routes.get("/holdfast/v1/objects/{kind}/{id}/history", history(), objects,
               &ObjectService::history);
    routes.get("/holdfast/v1/objects/{kind}/{id}/links", links(), objects, &ObjectService::links);
    routes.del("/holdfast/v1/objects/{kind}/{id}", forget(), objects, &ObjectService::forget);
    routes.get("/holdfast/v1/journal", journal(), objects, &ObjectService::journal);
    routes.get("/holdfast/v1/graph", graph(), objects, &ObjectService::graph);
    routes.exchange(
        "GET", "/holdfast/v1/events", {.json_body = false},
        [this](Exchange& exchange) { return events(exchange); },
        {.name = "events",
         .summary = "The journal as server-sent events, resumable by Last-Event-ID.",
         .tags = {"journal"},
         .parameters = {{.source = wire::Source::kHeader,
                         .name = "Last-Event-ID",
                         .description = "The id of the last event seen.",
                         .schema = Value::object({{"type", "integer"}, {"minimum", 0}})}},
         .response_schema = Value::object({{"type", "string"}}),
         .response_type = "text/event-stream"});
  }

  void add_upkeep(http::RouteTable& routes) {
    using namespace service;
    routes.get("/holdfast/v1/spaces", list_spaces(), services_.admin, &AdminService::spaces);
    routes.post("/holdfast/v1/spaces", create_space(), services_.admin,
                &AdminService::create_space);
    routes.del("/holdfast/v1/spaces/{name}", erase_space(), services_.admin,
               &AdminService::erase_space);
    routes.post("/holdfast/v1/tokens", create_token(), services_.admin,
                &AdminService::create_token);
    routes.get("/holdfast/v1/tokens", list_tokens(), services_.admin, &AdminService::tokens);
    routes.del("/holdfast/v1/tokens/{id}", revoke_token(), services_.admin,
               &AdminService::revoke_token);
    routes.get("/holdfast/v1/export", export_changes(), services_.archive,
               &ArchiveService::export_changes);
    routes.get("/holdfast/v1/export/pieces", export_pieces(), services_.archive,
               &ArchiveService::export_pieces);
    routes.get("/holdfast/v1/stats", stats(), services_.care, &CareService::stats);
    routes.post("/holdfast/v1/verify", verify(), services_.care, &CareService::verify);
    routes.post("/holdfast/v1/reindex", reindex(), services_.care, &CareService::reindex);
    routes.post("/holdfast/v1/backup", backup(), services_.care, &CareService::backup);
  }

  // Whatever any surface let in can come back, with the archive around it.
  void add_import(http::Router& router) {
    using service::ArchiveService;
    import_mount_ = mount_;
    import_mount_.prefixes = {};
    import_mount_.json_limits = JsonLimits();
    http::RouteTable routes(router, import_mount_);
    // Whoever is not known cannot make us hold such a body.
    const http::RouteOptions importing{.body_limit = service::kMaxImportBytes,
                                       .worth_reading = face_.knows_caller};
    routes.post("/holdfast/v1/import", import_changes(), services_.archive,
                &ArchiveService::import_changes, importing);
    routes.post("/holdfast/v1/import/pieces", import_pieces(), services_.archive,
                &ArchiveService::import_pieces, importing);
  }

  void add_shared(http::RouteTable& routes) {
    for (const char* path : {"/health", "/healthz", "/readyz"}) {
      routes.exchange("GET", path,
                      {.always_served = true, .json_body = false, .auth = AuthNeed::kNone},
                      [this](Exchange& exchange) { return health(exchange); },
                      {.name = std::string(path + 1),
                       .summary = "Whether the server is ready.",
                       .tags = {"upkeep"}});
    }
    routes.exchange("GET", "/metrics", {.always_served = true, .json_body = false},
                    [this](Exchange& exchange) { return metrics(exchange); },
                    {.name = "metrics",
                     .summary = "Numbers of the whole server, for Prometheus.",
                     .tags = {"upkeep"},
                     .response_schema = Value::object({{"type", "string"}}),
                     .response_type = "text/plain"});
    routes.raw("GET", "/openapi.json", {.json_body = false, .auth = AuthNeed::kNone},
               [this](const CallContext&, const http::Request&) {
                 const Value document =
                     wire::openapi_document({.title = "Holdfast", .version = face_.version},
                                            http::describe_routes(router_));
                 return http::text_reply(200, "application/json; charset=utf-8", to_json(document));
               },
               {.name = "openapi", .summary = "This description.", .tags = {"upkeep"}});
    if (face_.advance_clock) {
      routes.exchange("POST", "/_test/clock", {.json_body = true, .auth = AuthNeed::kNone},
                      [this](Exchange& exchange) { return advance_clock(exchange); });
    }
  }

  Reply health(Exchange& exchange) {
    if (!face_.ready()) {
      return exchange.answer(
          503, Value::object(
                   {{"status", "initializing"}, {"vector_index_ready", false}, {"ok", false}}));
    }
    const auto health = services_.care.health(exchange.call, {});
    if (!health) return exchange.refuse(health.error());
    return exchange.answer(200, health_value(*health, face_));
  }

  // Totals over all spaces are the administrator's.
  Reply metrics(Exchange& exchange) {
    const Status allowed = services_.care.may_see_totals(exchange.call);
    if (!allowed) return exchange.refuse(allowed.error());
    return http::text_reply(200, http::kMetricsContentType, face_.metrics());
  }

  Reply events(Exchange& exchange) {
    static const wire::Schema<wire::Nothing> kNoParameters;
    const auto asked = exchange.decode(kNoParameters);
    if (!asked) return exchange.refuse(asked.error());
    // Refuses what the journal itself would refuse, before the stream begins.
    const auto newest = services_.objects.journal(exchange.call, {.limit = 1});
    if (!newest) return exchange.refuse(newest.error());
    const auto seen = last_event_id(exchange.request);
    if (!seen) return exchange.refuse(seen.error());
    const JournalPosition last = newest->entries.empty() ? 0 : newest->entries.front().position;
    // An id from beyond the end is of a journal that a backup has replaced: it goes on from here.
    const JournalPosition after = std::min(seen->value_or(last), last);
    return http::event_reply(std::make_shared<JournalEvents>(
        exchange.call, after, http::step::still_authenticated(exchange), services_.objects,
        services_.events));
  }

  Reply advance_clock(Exchange& exchange) {
    const auto body = clock_schema().read_body(exchange.request.json.value_or(Value()), {});
    if (!body) return exchange.refuse(body.error());
    face_.advance_clock(body->advance_seconds);
    return exchange.answer(
        200, Value::object({{"meta", Value::object({{"timestamp", format_millis(face_.now())}})}}));
  }

  http::Router& router_;
  const Services services_;
  const ServerFace face_;
  const NativeDialect dialect_;
  http::SurfaceMount mount_;
  http::SurfaceMount import_mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, const Services& services, ServerFace face) {
  return std::make_unique<NativeSurface>(router, services, std::move(face));
}

}  // namespace holdfast::surface::native
