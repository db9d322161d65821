#include "mcp/session_era.h"

#include "mcp/log_level.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {

std::optional<RpcError> SessionEra::check_initialize(const Message& message) const {
  const auto version = string_param(message, "protocolVersion");
  return version ? std::nullopt : std::optional(version.error());
}

Answer SessionEra::begin(const Message& message, Session& session) const {
  const std::string wanted = *message.param("protocolVersion")->if_string();
  const Revision revision = session_revision(wanted).value_or(kLatestSession);
  const Value* capabilities = message.param("capabilities");
  session.begin(revision, capabilities != nullptr ? *capabilities : Value());
  return Answer::result(
      message.id,
      Value::object({{"protocolVersion", revision_name(revision)},
                     {"capabilities", encode_capabilities(registry_.features(), revision)},
                     {"serverInfo", encode_identity(identity_, revision)},
                     {"instructions", registry_.instructions()}}));
}

Answer SessionEra::request(const SessionRequest& request) const {
  const Function own = find(request.message.method);
  auto result = own != nullptr ? (this->*own)(request) : dispatch(request);
  request.session->in_flight().end(id_key(request.message.id), request.cancellation);
  request.session->touch();
  if (request.cancellation->cancelled()) return Answer::accepted();
  if (result) return Answer::result(request.message.id, std::move(*result));
  // Failures travel in the message; only a missing right is also one of HTTP.
  RpcError error = std::move(result.error());
  if (error.status != 403) error.status = 200;
  return Answer::failure(request.message.id, error);
}

SessionEra::Function SessionEra::find(const std::string& method) const {
  const Features& offered = registry_.features();
  if (method == "ping") return &SessionEra::ping;
  if (method == "resources/subscribe" && offered.subscribe) return &SessionEra::subscribe;
  if (method == "resources/unsubscribe" && offered.subscribe) return &SessionEra::unsubscribe;
  if (method == "logging/setLevel" && offered.logging) return &SessionEra::set_level;
  return nullptr;
}

Outcome<Value> SessionEra::dispatch(const SessionRequest& request) const {
  const Methods::Function method = methods_.find(request.message.method);
  if (method == nullptr) return fail(unknown_method(request.message.method));
  ClientTerms terms{.revision = request.session->revision().value_or(kLatestSession),
                    .session = request.session};
  if (registry_.features().logging) terms.log_level = request.session->log_level();
  ActiveClient client(request.message, std::move(terms), request.outlet, request.cancellation);
  Turn turn{.call = request.call, .request = request.message, .client = client};
  auto result = (methods_.*method)(turn);
  client.finish();
  if (!result) return fail(std::move(result.error()));
  return std::move(result->result);
}

Outcome<Value> SessionEra::ping(const SessionRequest&) const { return Value::object(); }

Outcome<Value> SessionEra::subscribe(const SessionRequest& request) const {
  const auto uri = string_param(request.message, "uri");
  if (!uri) return fail(uri.error());
  if (!registry_.has_resource(*uri)) return fail(resource_not_found(*uri, kLatestSession));
  if (!request.session->subscribe(*uri)) {
    return fail(invalid_request("This session is subscribed to too many resources already."));
  }
  return Value::object();
}

Outcome<Value> SessionEra::unsubscribe(const SessionRequest& request) const {
  const auto uri = string_param(request.message, "uri");
  if (!uri) return fail(uri.error());
  if (!registry_.has_resource(*uri)) return fail(resource_not_found(*uri, kLatestSession));
  request.session->unsubscribe(*uri);
  return Value::object();
}

Outcome<Value> SessionEra::set_level(const SessionRequest& request) const {
  const auto name = string_param(request.message, "level");
  const auto level = name ? parse_log_level(*name) : std::nullopt;
  if (!level) return fail(invalid_params("The log level is none of those that exist."));
  request.session->set_log_level(*level);
  return Value::object();
}

void SessionEra::notification(const Message& message, Session& session) const {
  if (message.method == "notifications/initialized") session.set_initialized();
  if (message.method == "notifications/cancelled") {
    const Value* id = message.param("requestId");
    if (id != nullptr && is_id(*id)) session.in_flight().cancel(id_key(*id));
  }
}

std::shared_ptr<Subscription> SessionEra::open_stream(
    const std::shared_ptr<Session>& session) const {
  auto stream = changes_.open_stream(
      {.tools = true,
       .prompts = true,
       .resources = true,
       .updates = [weak = std::weak_ptr(session)](const std::string& uri) {
         const auto held = weak.lock();
         return held && held->is_subscribed(uri);
       }});
  session->set_stream(stream);
  return stream;
}

}  // namespace holdfast::mcp
