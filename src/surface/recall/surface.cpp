#include "surface/recall/surface.h"

#include "http/host_policy.h"
#include "http/route_table.h"
#include "surface/recall/asking.h"
#include "surface/recall/dialect.h"
#include "surface/recall/operations.h"
#include "surface/recall/requests.h"

namespace holdfast::surface::recall {
namespace {

using http::Exchange;
using http::Reply;
using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations

// Sent by a program of this machine.
Status check_loopback(const CallContext& call) {
  if (call.local_process || http::is_loopback_name(call.peer_address)) return {};
  return Error{.code = ErrorCode::kPermissionDenied, .message = "Only for this machine."};
}

class RecallSurface : public Surface {
 public:
  RecallSurface(http::Router& router, const Services& services, size_t body_limit)
      : services_(services) {
    mount_.name = "recall";
    mount_.prefixes = {"/items",       "/query",  "/item-and-query",     "/memory",  "/source",
                       "/debug/queue", "/status", "/memory-usage-audit", "/shutdown"};
    mount_.dialect = &dialect_;
    mount_.strictness = {.reject_unknown_members = false, .reject_unknown_parameters = false};
    mount_.body_limit = body_limit;
    add_routes(router);
  }

  Result<ItemState> processing(const CallContext& call, const ItemPath& path) const {
    return services_.ingest.state(call, path.id);
  }
  Result<QueueHealth> health(const CallContext& call, const wire::Nothing& /*request*/) const {
    return services_.queue.health(call);
  }
  Result<int64_t> retry(const CallContext& call, const wire::Nothing& /*request*/) const {
    HOLDFAST_CHECK_OK(check_loopback(call));
    return services_.queue.retry_failed(call);
  }
  Result<ServiceStatus> status(const CallContext& call, const wire::Nothing& /*request*/) const {
    return services_.status.status(call);
  }

 private:
  void add_routes(http::Router& router) {
    http::RouteTable routes(router, mount_);
    const auto add = [&](const char* path, const char* summary, const auto& schema, auto handler) {
      routes.exchange("POST", path, {.json_body = true}, handler,
                      {.name = std::string("recall") + path,
                       .summary = summary,
                       .tags = {"recall"},
                       .body_schema = schema.json_schema(mount_.strictness),
                       .body_required = true});
    };
    add("/items", "Stores evidence.", items_schema(), [this](Exchange& e) { return ingest(e); });
    add("/query", "Whether memory should be injected, and which.", query_schema(),
        [this](Exchange& e) { return query(e, false); });
    add("/query/debug", "The same with its trace.", query_schema(),
        [this](Exchange& e) { return query(e, true); });
    add("/item-and-query", "Stores an item and asks with it.", asking_item_schema(),
        [this](Exchange& e) { return item_and_query(e, false); });
    add("/item-and-query/debug", "The same with its trace.", asking_item_schema(),
        [this](Exchange& e) { return item_and_query(e, true); });
    add_reads(routes);
    add_writes(routes);
    if (services_.stop) {
      routes.exchange(
          "POST", "/shutdown", {.json_body = false}, [this](Exchange& e) { return shut_down(e); },
          {.name = "recall/shutdown", .summary = "Ends the server.", .tags = {"recall"}});
    }
  }

  void add_reads(http::RouteTable& routes) {
    routes.get("/items/{source_item_id}/processing", show_processing(), *this,
               &RecallSurface::processing);
    routes.get("/memory/{memory_object_id}/expand", expand_memory(), services_.memories,
               &MemoryService::expand);
    routes.get("/source/{source_item_id}/context", source_context(), services_.sources,
               &SourceService::context);
    routes.get("/debug/queue/health", queue_health(), *this, &RecallSurface::health);
    routes.get("/status", show_status(), *this, &RecallSurface::status);
    routes.get("/memory-usage-audit", list_usage(), services_.usage, &UsageService::list);
  }

  void add_writes(http::RouteTable& routes) {
    StatementService& statements = services_.statements;
    routes.post("/memory/remember", remember_memory(), statements, &StatementService::remember);
    routes.post("/memory/supersede", supersede_memory(), statements, &StatementService::supersede);
    routes.post("/memory/record-outcome", record_outcome(), statements,
                &StatementService::record_outcome);
    routes.post("/memory/{memory_object_id}/correct", correct_memory(), statements,
                &StatementService::correct);
    routes.post("/memory/{memory_object_id}/forget", forget_memory(), statements,
                &StatementService::forget);
    routes.post("/memory/{memory_object_id}/flag", flag_memory(), services_.memories,
                &MemoryService::flag);
    routes.post("/memory/{memory_object_id}/feedback", give_feedback(), services_.usage,
                &UsageService::feedback);
    routes.post("/memory-usage-audit/{audit_row_id}", observe_usage(), services_.usage,
                &UsageService::observe);
    routes.post("/source/forget", forget_source(), services_.sources, &SourceService::forget);
    routes.post("/debug/queue/retry-failed", retry_failed(), *this, &RecallSurface::retry);
  }

  // As a signal to terminate would: what is under way is finished first, this answer too.
  Reply shut_down(Exchange& exchange) const {
    Status allowed = check_loopback(exchange.call);
    if (allowed) allowed = services_.queue.check_admin(exchange.call);
    if (!allowed) return exchange.refuse(allowed.error());
    services_.stop();
    return exchange.answer(200, Value::object({{"status", "shutting_down"}}));
  }

  Reply ingest(Exchange& exchange) {
    const auto* elements = exchange.request.json ? exchange.request.json->if_array() : nullptr;
    const Status few = check_count(elements != nullptr ? elements->size() : 0);
    if (!few) return exchange.refuse(few.error());
    const auto body = exchange.decode(items_schema());
    if (!body) return exchange.refuse(body.error());
    return shown(exchange, ingest_items(services_, exchange.call, body->items));
  }

  Reply query(Exchange& exchange, bool trace) const {
    auto wanted = exchange.decode(query_schema());
    if (!wanted) return exchange.refuse(wanted.error());
    wanted->trace = trace;
    return shown(exchange, answer_query(services_, exchange.call, *wanted));
  }

  Reply item_and_query(Exchange& exchange, bool trace) {
    const auto body = exchange.decode(asking_item_schema());
    if (!body) return exchange.refuse(body.error());
    // Before anything is stored.
    const Status known = body->trigger_origin ? check_trigger(*body->trigger_origin) : Status();
    if (!known) return exchange.refuse(known.error());
    const auto states = services_.ingest.ingest(exchange.call, {item_of(*body)});
    if (!states) return exchange.refuse(states.error());
    Query wanted = query_of(*body, states->front().item.about.source_item_id);
    wanted.trace = trace;
    return shown(exchange, answer_query(services_, exchange.call, wanted));
  }

  static Reply shown(Exchange& exchange, Result<Value> answer) {
    return answer ? exchange.answer(200, std::move(*answer)) : exchange.refuse(answer.error());
  }

  const Services services_;
  const RecallDialect dialect_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, const Services& services, size_t body_limit) {
  return std::make_unique<RecallSurface>(router, services, body_limit);
}

}  // namespace holdfast::surface::recall
