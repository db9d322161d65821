// subscriptions/listen: a standing stream of change notices.
#include <set>

#include <fmt/format.h>

#include "mcp/modern_era.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

struct Granted {
  ChangeFilter filter = {};
  Value shown = Value::object();  // as the acknowledgement repeats it
};

struct ListFlag {
  std::string_view member;
  bool ChangeFilter::*wanted;
};

constexpr ListFlag kFlags[] = {{"toolsListChanged", &ChangeFilter::tools},
                               {"promptsListChanged", &ChangeFilter::prompts},
                               {"resourcesListChanged", &ChangeFilter::resources}};

std::optional<RpcError> grant_lists(const Value& wanted, const Features& features,
                                    Granted& granted) {
  for (const ListFlag& flag : kFlags) {
    const Value* asked = wanted.find(flag.member);
    if (asked == nullptr) continue;
    if (!asked->is_bool())
      return invalid_params(fmt::format("'{}' must be true or false.", flag.member));
    if (!*asked->if_bool() || !features.list_changed) continue;
    granted.filter.*flag.wanted = true;
    granted.shown.set(flag.member, true);
  }
  return std::nullopt;
}

std::optional<RpcError> grant_resources(const Value& wanted, const Registry& registry,
                                        Granted& granted) {
  const Value* asked = wanted.find("resourceSubscriptions");
  if (asked == nullptr) return std::nullopt;
  if (!asked->is_array()) return invalid_params("'resourceSubscriptions' must be a list of URIs.");
  std::set<std::string> uris;
  for (const Value& uri : *asked->if_array()) {
    if (!uri.is_string()) return invalid_params("'resourceSubscriptions' must be a list of URIs.");
    if (registry.features().subscribe && registry.has_resource(*uri.if_string()))
      uris.insert(*uri.if_string());
  }
  if (uris.empty()) return std::nullopt;
  granted.shown.set("resourceSubscriptions", Value::array_of(uris));
  granted.filter.updates = [uris](const std::string& uri) { return uris.contains(uri); };
  return std::nullopt;
}

}  // namespace

Outcome<Answer> ModernEra::listen(const ModernRequest& request) const {
  const Message& message = request.message;
  if (!request.takes_stream) {
    return fail(invalid_request("This answer is a stream: accept text/event-stream.", 406));
  }
  const Value* wanted = message.param("notifications");
  if (wanted == nullptr || !wanted->is_object())
    return fail(invalid_params("The parameter 'notifications' must be an object."));
  Granted granted;
  if (auto error = grant_lists(*wanted, registry_.features(), granted))
    return fail(std::move(*error));
  if (auto error = grant_resources(*wanted, registry_, granted)) return fail(std::move(*error));
  // The first message, so that no change can come before it.
  Value acknowledged = notification_message(
      "notifications/subscriptions/acknowledged",
      tagged(Value::object({{"notifications", std::move(granted.shown)}}), message.id));
  const auto stream = changes_.subscribe(request.call.principal, std::move(granted.filter),
                                         message.id, std::move(acknowledged));
  if (!stream) {
    return fail(invalid_request(
        fmt::format("There may be {} subscriptions at once; close one first.", kMaxSubscriptions),
        429));
  }
  Value goodbye = dressed({.result = Value::object()});
  goodbye.find("_meta")->set(meta::kSubscriptionId, message.id);
  return Answer{.stream = stream,
                .farewell = {notification_message("notifications/cancelled",
                                                  Value::object({{"requestId", message.id}})),
                             response_message(message.id, std::move(goodbye))}};
}

}  // namespace holdfast::mcp
