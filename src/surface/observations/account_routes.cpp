// Principals, keys and tokens.
#include "base/time_text.h"
#include "model/json_text.h"
#include "surface/observations/checks.h"
#include "surface/observations/dialect.h"
#include "surface/observations/encode.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/registry_schemas.h"
#include "surface/observations/routes.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their use cases
using http::Exchange;
using http::Reply;

Reply mint(Exchange& exchange, const Context& context) {
  const auto request = read_request(exchange, mint_schema());
  if (!request) return refuse(exchange, request.error());
  const auto minted = context.services.accounts.mint(exchange.call, *request);
  if (!minted) return refuse(exchange, minted.error());
  return exchange.answer(
      200, envelope(exchange.context.request_id, exchange.context.now,
                    Value::object({{"access_token", minted->text},
                                   {"token_type", "Bearer"},
                                   {"expires_in", minted->lifetime.count()},
                                   {"principal", value_of(minted->principal)},
                                   {"granted_scopes", Value::array_of(minted->scopes)},
                                   {"subcortex_scope", scope_value(minted->subcortex_scope)}})));
}

// The text of a key is in the first answer only.
Reply create_key(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    HOLDFAST_TRY(const KeyBody body, read_request(exchange, key_schema()));
    return Receipts::Act([&exchange, &context, wanted = key_of(body, exchange.call)](
                             Mutation& mutation) -> Result<StoredAnswer> {
      HOLDFAST_TRY(const NewKey made, context.services.accounts.create_key(mutation, wanted));
      Value data = value_of(made.key);
      StoredAnswer kept = answer_of(exchange, 201, data);
      data.set("key", made.text);
      StoredAnswer answer = answer_of(exchange, 201, std::move(data));
      answer.kept_body = std::move(kept.body);
      return answer;
    });
  });
}

Reply revoke_key(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    HOLDFAST_CHECK_OK(check_query(exchange));
    return Receipts::Act(
        [&context, id = id_of(exchange)](Mutation& mutation) -> Result<StoredAnswer> {
          HOLDFAST_CHECK_OK(context.services.accounts.revoke_key(mutation, id));
          return StoredAnswer{.status = 204};
        });
  });
}

Reply create_principal(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    HOLDFAST_TRY(const PrincipalBody body, read_request(exchange, principal_schema()));
    return Receipts::Act([&exchange, &context,
                          wanted = principal_of(body)](Mutation& mutation) -> Result<StoredAnswer> {
      HOLDFAST_TRY(const Principal made,
                   context.services.accounts.create_principal(mutation, wanted));
      return answer_of(exchange, 201, value_of(made));
    });
  });
}

Reply change_principal(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    HOLDFAST_CHECK_OK(context.services.accounts.principal(exchange.call, id_of(exchange)));
    HOLDFAST_TRY(const PrincipalPatch body,
                 read_request(exchange, principal_patch_schema(), kPatchStrict));
    return Receipts::Act([&exchange, &context, change = change_of(body),
                          id = id_of(exchange)](Mutation& mutation) -> Result<StoredAnswer> {
      HOLDFAST_TRY(const Principal made,
                   context.services.accounts.change_principal(mutation, id, change));
      return answer_of(exchange, 200, value_of(made));
    });
  });
}

template <typename T>
Reply show(Exchange& exchange, const Result<T>& found) {
  if (!found) return refuse(exchange, found.error());
  if (const Status query = check_query(exchange); !query) return refuse(exchange, query.error());
  return exchange.answer(
      200, envelope(exchange.context.request_id, exchange.context.now, value_of(*found)));
}

Reply get_key(Exchange& exchange, const Context& context) {
  return show(exchange, context.services.accounts.key(exchange.call, id_of(exchange)));
}

Reply get_principal(Exchange& exchange, const Context& context) {
  return show(exchange, context.services.accounts.principal(exchange.call, id_of(exchange)));
}

}  // namespace

void add_account_routes(http::RouteTable& routes, const Context& context) {
  const auto add = [&](const char* method, const char* path, http::RouteOptions options,
                       Reply (*handle)(Exchange&, const Context&), const char* name,
                       const char* summary) {
    options.json_body = std::string_view(method) == "POST" || std::string_view(method) == "PATCH";
    routes.exchange(method, std::string(kBase) + path, std::move(options),
                    [&context, handle](Exchange& exchange) { return handle(exchange, context); },
                    {.name = name, .summary = summary, .tags = {"accounts"}});
  };
  add("POST", "/auth/token", {.auth = http::AuthNeed::kNone}, mint, "mint_token",
      "An hour's token for an agent key.");
  add("POST", "/auth/api-keys", {.checks = {need({"read"}, 0)}}, create_key, "create_key",
      "Make a key; its text is shown this once.");
  add("GET", "/auth/api-keys/{id}", {.checks = {need({"read"}, 0)}}, get_key, "get_key", "A key.");
  add("DELETE", "/auth/api-keys/{id}", {.checks = {need({"read"}, 0)}}, revoke_key, "revoke_key",
      "Revoke a key and what was minted from it.");
  add("POST", "/principals", {.checks = {need({"admin"}, 4)}}, create_principal, "create_principal",
      "Make a principal.");
  add("GET", "/principals/{id}", {.checks = {need({"read"}, 0)}}, get_principal, "get_principal",
      "A principal.");
  add("PATCH", "/principals/{id}", {.checks = {need({"admin"}, 4)}}, change_principal,
      "change_principal", "Set a principal's tier or status.");
}

}  // namespace holdfast::surface::observations
