#include "surface/recall/surface.h"

#include "http/route_table.h"
#include "surface/recall/dialect.h"
#include "surface/recall/render.h"
#include "surface/recall/requests.h"

namespace holdfast::surface::recall {
namespace {

using http::Exchange;
using http::Reply;
using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations

struct ItemPath {
  std::string id = {};
};

const wire::Operation<ItemPath, ItemState>& show_processing() {
  static const wire::Operation<ItemPath, ItemState> operation{
      .name = "recall_processing",
      .summary = "What happened to one item.",
      .request = wire::Schema<ItemPath>().path("source_item_id", &ItemPath::id),
      .encode = processing_value,
      .tags = {"recall"}};
  return operation;
}

const wire::Operation<Expand, Expanded>& expand_memory() {
  static const wire::Operation<Expand, Expanded> operation{
      .name = "recall_expand",
      .summary = "A memory in full, with its evidence.",
      .request = expand_schema(),
      .encode = expand_value,
      .tags = {"recall"}};
  return operation;
}

const wire::Operation<FlagMemory, Flagged>& flag_memory() {
  static const wire::Operation<FlagMemory, Flagged> operation{
      .name = "recall_flag",
      .summary = "Says that a memory is wrong; enough voices suppress it.",
      .request = flag_schema(),
      .encode = flag_value,
      .tags = {"recall"}};
  return operation;
}

const wire::Operation<wire::Nothing, QueueHealth>& queue_health() {
  static const wire::Operation<wire::Nothing, QueueHealth> operation{
      .name = "recall_queue_health",
      .summary = "How the background work stands.",
      .encode = queue_value,
      .tags = {"recall"}};
  return operation;
}

const wire::Operation<ContextRequest, SourceContext>& source_context() {
  static const wire::Operation<ContextRequest, SourceContext> operation{
      .name = "recall_source_context",
      .summary = "The turns around a piece of evidence.",
      .request = context_schema(),
      .encode = context_value,
      .tags = {"recall"}};
  return operation;
}

const wire::Operation<wire::Nothing, int64_t>& retry_failed() {
  static const wire::Operation<wire::Nothing, int64_t> operation{
      .name = "recall_retry_failed",
      .summary = "Gives failed items all their attempts again.",
      .encode =
          [](const int64_t& count) {
            return Value::object({{"retried", count}});
          },
      .tags = {"recall"}};
  return operation;
}

class RecallSurface : public Surface {
 public:
  RecallSurface(http::Router& router, const Services& services, size_t body_limit)
      : services_(services) {
    mount_.name = "recall";
    mount_.prefixes = {"/items", "/query", "/item-and-query", "/memory", "/source", "/debug/queue"};
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
    return services_.queue.retry_failed(call);
  }

 private:
  void add_routes(http::Router& router) {
    http::RouteTable routes(router, mount_);
    const auto add = [&](const char* path, const char* summary, auto handler) {
      routes.exchange(
          "POST", path, {.json_body = true}, handler,
          {.name = std::string("recall") + path, .summary = summary, .tags = {"recall"}});
    };
    add("/items", "Stores evidence.", [this](Exchange& e) { return ingest(e); });
    add("/query", "Whether memory should be injected, and which.",
        [this](Exchange& e) { return query(e, false); });
    add("/query/debug", "The same with its trace.", [this](Exchange& e) { return query(e, true); });
    add("/item-and-query", "Stores an item and asks with it.",
        [this](Exchange& e) { return item_and_query(e, false); });
    add("/item-and-query/debug", "The same with its trace.",
        [this](Exchange& e) { return item_and_query(e, true); });
    routes.get("/items/{source_item_id}/processing", show_processing(), *this,
               &RecallSurface::processing);
    routes.get("/memory/{memory_object_id}/expand", expand_memory(), services_.memories,
               &MemoryService::expand);
    routes.post("/memory/{memory_object_id}/flag", flag_memory(), services_.memories,
                &MemoryService::flag);
    routes.get("/source/{source_item_id}/context", source_context(), services_.sources,
               &SourceService::context);
    routes.get("/debug/queue/health", queue_health(), *this, &RecallSurface::health);
    routes.post("/debug/queue/retry-failed", retry_failed(), *this, &RecallSurface::retry);
  }

  Reply ingest(Exchange& exchange) {
    const auto* elements = exchange.request.json ? exchange.request.json->if_array() : nullptr;
    if (elements != nullptr && elements->size() > kMostItems)
      return exchange.refuse({.code = ErrorCode::kInvalidArgument,
                              .reason = std::string(kTooManyItems),
                              .message = "Too many items: max 50 per request"});
    const auto body = exchange.decode(items_schema());
    if (!body) return exchange.refuse(body.error());
    std::vector<NewItem> items;
    for (const ItemBody& item : body->items) items.push_back(item_of(item));
    const auto states = services_.ingest.ingest(exchange.call, items);
    if (!states) return exchange.refuse(states.error());
    Value answer = Value::array();
    for (const ItemState& state : *states) answer.push(ingest_value(state));
    return exchange.answer(200, std::move(answer));
  }

  Reply query(Exchange& exchange, bool trace) const {
    auto wanted = exchange.decode(query_schema());
    if (!wanted) return exchange.refuse(wanted.error());
    wanted->trace = trace;
    return answer(exchange, *wanted);
  }

  Reply item_and_query(Exchange& exchange, bool trace) {
    const auto body = exchange.decode(item_and_query_schema());
    if (!body) return exchange.refuse(body.error());
    const auto states = services_.ingest.ingest(exchange.call, {item_of(*body)});
    if (!states) return exchange.refuse(states.error());
    Query wanted = query_of(*body, states->front().item.about.source_item_id);
    wanted.trace = trace;
    return answer(exchange, wanted);
  }

  Reply answer(Exchange& exchange, const Query& wanted) const {
    const auto run = services_.query.run(exchange.call, wanted);
    if (!run) return exchange.refuse(run.error());
    Value body = query_value(*run);
    if (!wanted.own_item.empty()) body.set("source_item_id", wanted.own_item);
    if (wanted.trace) body.set("trace", trace_value(*run));
    return exchange.answer(200, std::move(body));
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
