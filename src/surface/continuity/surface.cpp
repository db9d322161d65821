#include "surface/continuity/surface.h"

#include <deque>
#include <map>

#include <fmt/format.h>

#include "base/time_text.h"
#include "http/pipeline.h"
#include "http/route_table.h"
#include "http/steps.h"
#include "model/json_text.h"
#include "service/continuity/failure.h"
#include "service/continuity/request.h"
#include "service/continuity/schedule_rules.h"
#include "surface/continuity/description.h"
#include "surface/continuity/dialect.h"
#include "surface/continuity/discovery.h"
#include "surface/continuity/help.h"
#include "surface/continuity/rpc.h"

namespace holdfast::surface::continuity {
namespace {

using http::Exchange;
using http::Reply;

constexpr size_t kMostBodyBytes = size_t{8} << 20U;

class ContinuitySurface : public Surface {
 public:
  ContinuitySurface(http::Router& router, std::vector<Operation> operations, Face face)
      : face_(std::move(face)),
        operations_(with_documents(std::move(operations))),
        help_(operations_),
        rpc_(
            operations_, face_.version, face_.now,
            [this](const Operation& operation, const Exchange& exchange, const CallContext& call) {
              return check_limits(operation, exchange, call);
            },
            [](const Exchange& exchange) { return caller_of(exchange); }) {
    mount_.name = "continuity";
    mount_.prefixes = {"/v1/continuity", "/v1/context",      "/v1/schedule", "/v1/coordination",
                       "/v1/tasks",      "/v1/peers",        "/v1/ops",      "/v1/mcp",
                       "/v1/discovery",  "/v1/capabilities", "/v1/manifest", "/v1/contracts",
                       "/v1/help",       "/capabilities"};
    mount_.dialect = &dialect_;
    mount_.json_limits = {.max_depth = kRequestDepth, .allow_duplicates = true};
    mount_.body_limit = kMostBodyBytes;
    mount_.authenticator = face_.authenticator;
    // The order of the contract: syntax before credentials.
    mount_.steps = {http::step::check_body_size, http::step::read_json, http::step::authenticate,
                    http::step::set_deadline, http::step::run_route_checks};
    const Catalogue catalogue{.operations = operations_,
                              .version = face_.version,
                              .contract_version = face_.contract_version};
    for (const Document& document : documents())
      documents_[document.path] = document.make(catalogue);
    http::RouteTable routes(router, mount_);
    add_operations(routes);
    add_documents(routes);
    if (face_.mcp) add_rpc(routes);
  }

  const std::deque<Operation>& operations() const override { return operations_; }

 private:
  // The documents are tools too, and so is the health that another surface serves.
  std::deque<Operation> with_documents(std::vector<Operation> operations) {
    std::deque<Operation> all(operations.begin(), operations.end());
    const auto add = [&](const std::string& name, const char* path, const char* description,
                         std::function<Result<Value>(const Request&)> run) {
      all.push_back({.name = "system." + name,
                     .method = "GET",
                     .path = path,
                     .description = description,
                     .idempotent = true,
                     .shape = service::continuity::object({}),
                     .run = std::move(run),
                     .open = true,
                     .elsewhere = true});
    };
    add("health", "/health", "Whether the server works.",
        [this](const Request&) { return health(); });
    for (const Document& document : documents()) {
      if (document.tool == nullptr) continue;
      add(document.tool, document.path, document.description,
          [this, path = document.path](const Request&) -> Result<Value> {
            return documents_.at(path);
          });
    }
    return all;
  }

  Result<Value> health() const {
    HOLDFAST_TRY(const std::string position, face_.position());
    return Value::object({{"ok", true},
                          {"service", "cognirelay"},
                          {"version", face_.version},
                          {"contract_version", face_.contract_version},
                          {"repo_root", "."},
                          {"git_initialized", true},
                          {"latest_commit", position},
                          {"signed_ingress_required", false},
                          {"time", format_seconds(face_.now())}});
  }

  void add_operations(http::RouteTable& routes) {
    for (const Operation& operation : operations_) {
      if (operation.elsewhere) continue;
      const bool json = !is_reading(operation) && !operation.own_payload;
      routes.exchange(
          operation.method, operation.path, {.json_body = json},
          [this, &operation](Exchange& exchange) { return serve(operation, exchange); },
          describe(operation));
    }
  }

  // What everyone may know, without a credential.
  void add_documents(http::RouteTable& routes) {
    for (const Document& document : documents())
      routes.exchange(
          "GET", document.path, {.auth = http::AuthNeed::kNone},
          [&body = documents_.at(document.path)](Exchange& exchange) {
            return exchange.answer(200, body);
          },
          describe_page(document.path, document.description != nullptr
                                           ? document.description
                                           : "What this API says about itself."));
    for (const Help::Page& page : Help::pages())
      routes.exchange(
          "GET", std::string("/v1/help") + page.path, {.auth = http::AuthNeed::kNone},
          [this, &page](Exchange& exchange) {
            const std::string name(exchange.request.path_parameter("name"));
            const auto answer = (help_.*page.make)(name);
            if (answer) return exchange.answer(200, *answer);
            return exchange.refuse(service::continuity::absent("Unknown help page: " + name));
          },
          describe_page(page.method, "How to use this API."));
  }

  void add_rpc(http::RouteTable& routes) {
    routes.exchange(
        "POST", kRpcPath, {.auth = http::AuthNeed::kNone},
        [this](Exchange& exchange) {
          if (const auto call = caller_of(exchange))
            exchange.context.space = call->viewer.space.value;
          return rpc_.serve(exchange);
        },
        describe_rpc());
    // There is no stream to listen to.
    routes.exchange("GET", kRpcPath, {.auth = http::AuthNeed::kNone}, [](Exchange&) {
      Reply reply{.status = 405};
      reply.headers.set("Allow", "POST");
      return reply;
    });
  }

  // JSON-RPC answers a bad credential inside its envelope, so it is judged here.
  static Result<CallContext> caller_of(const Exchange& exchange) {
    const http::Request& request = exchange.request;
    const access::Authenticator& authenticator = exchange.mount.authenticator != nullptr
                                                     ? *exchange.mount.authenticator
                                                     : exchange.settings.authenticator;
    HOLDFAST_TRY(
        CallContext call,
        authenticator.authenticate({.authorization = request.headers.all("Authorization"),
                                    .space = std::string(request.headers.get("X-Holdfast-Space")),
                                    .local_process = request.local_process}));
    call.request_id = exchange.context.request_id;
    call.surface = exchange.mount.name;
    call.peer_address = request.peer_address;
    call.deadline = exchange.call.deadline;
    return call;
  }

  Reply serve(const Operation& operation, Exchange& exchange) const {
    if (const auto error = check_limits(operation, exchange, exchange.call))
      return exchange.refuse(*error);
    const Result<Value> raw = arguments(operation, exchange);
    if (!raw) return exchange.refuse(raw.error());
    const std::string location = is_reading(operation) ? "query" : "body";
    const auto& body = exchange.request.json;
    const Result<Value> answer =
        run(operation, exchange.call, *raw, location, false, body ? &*body : nullptr);
    if (!answer) return exchange.refuse(answer.error());
    return exchange.answer(operation.status ? operation.status(*answer) : 200, *answer);
  }

  std::optional<Error> check_limits(const Operation& operation, const Exchange& exchange,
                                    const CallContext& call) const {
    if (face_.rate_limit) {
      const std::string bucket = "continuity/" + operation.bucket;
      const std::string peer = service::continuity::peer_of(call);
      if (const auto wait = face_.rate_limit(bucket + "/token/" + peer, face_.token_limit))
        return limited("Token", operation, *wait);
      if (const auto wait = face_.rate_limit(bucket + "/address/" + exchange.request.peer_address,
                                             face_.address_limit))
        return limited("IP", operation, *wait);
    }
    const auto size = static_cast<int64_t>(exchange.request.body.size());
    if (!is_changing(operation) || size <= face_.payload_limit) return std::nullopt;
    return service::continuity::refuse(ErrorCode::kTooLarge,
                                       fmt::format("Payload too large for {}: {} bytes > limit {}",
                                                   operation.bucket, size, face_.payload_limit));
  }

  static Error limited(const char* whose, const Operation& operation, int64_t wait) {
    Error error = service::continuity::refuse(
        ErrorCode::kRateLimited,
        fmt::format("{} rate limit exceeded for bucket {}", whose, operation.bucket));
    error.retry_after_seconds = wait;
    return error;
  }

  static Error bad_payload(const std::string& field, const std::string& message) {
    return service::continuity::schedule_error(ErrorCode::kInvalidArgument,
                                               "invalid_schedule_payload", field, message);
  }

  // Body or query, with the path's parameters.
  static Result<Value> arguments(const Operation& operation, const Exchange& exchange) {
    Value raw = Value::object();
    if (is_reading(operation)) {
      // Unknown parameters of a query are ignored, also where a tool's arguments are closed.
      for (const auto& parameter : exchange.request.query.all()) {
        if (has_member(operation, parameter.name)) raw.set(parameter.name, parameter.value);
      }
    } else if (operation.own_payload) {
      if (!exchange.request.body.empty()) {
        auto body = parse_json(exchange.request.body, exchange.mount.json_limits);
        if (!body) return bad_payload("body", "body must be valid JSON");
        raw = std::move(*body);
        if (!raw.is_object()) return bad_payload("body", "body must be a JSON object");
      }
    } else {
      raw = exchange.request.json.value_or(Value());
    }
    if (raw.is_object()) {
      for (const auto& parameter : exchange.request.path_parameters) {
        if (!is_reading(operation) && raw.find(parameter.name) != nullptr) {
          if (operation.own_payload)
            return bad_payload(parameter.name, "unexpected field: " + parameter.name);
          if (operation.shape.closed)
            return service::continuity::structured(
                ErrorCode::kInvalidArgument,
                Value::array({extra_member(parameter.name, *raw.find(parameter.name))}));
        }
        raw.set(parameter.name, parameter.value);
      }
    }
    return raw;
  }

  const Face face_;
  const ContinuityDialect dialect_;
  std::map<std::string, Value> documents_;
  const std::deque<Operation> operations_;
  const Help help_;
  RpcEndpoint rpc_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, std::vector<Operation> operations, Face face) {
  return std::make_unique<ContinuitySurface>(router, std::move(operations), std::move(face));
}

}  // namespace holdfast::surface::continuity
