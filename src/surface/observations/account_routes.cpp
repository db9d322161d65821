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
      StoredAnswer answer = answer_of(exchange, 201, data);
      answer.kept_body = std::move(kept.body);
      return answer;
    });
  });
}

Reply revoke_key(Exchange& exchange, const Context& context) {
  return mutate_away(exchange, context.services.receipts, [&](Mutation& mutation) {
    return context.services.accounts.revoke_key(mutation, id_of(exchange));
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
                       Reply (*handle)(Exchange&, const Context&),
                       wire::RouteDescription description) {
    options.json_body = !description.body_schema.is_null();
    description.body_required = !description.body_schema.is_null();
    description.tags = {"accounts"};
    if (std::string_view(method) != "GET" && options.auth != http::AuthNeed::kNone)
      description = keyed(std::move(description));
    routes.exchange(
        method, std::string(kBase) + path, std::move(options),
        [&context, handle](Exchange& exchange) { return handle(exchange, context); },
        std::move(description));
  };
  add("POST", "/auth/token", {.auth = http::AuthNeed::kNone}, mint,
      {.name = "mint_token",
       .summary = "An hour's token for an agent key.",
       .body_schema = mint_schema().json_schema(kStrict)});
  add("POST", "/auth/api-keys", {.checks = {need({"read"}, 0)}}, create_key,
      {.name = "create_key",
       .summary = "Make a key; its text is shown this once.",
       .body_schema = key_schema().json_schema(kStrict),
       .success_status = 201});
  add("GET", "/auth/api-keys/{id}", {.checks = {need({"read"}, 0)}}, get_key,
      {.name = "get_key", .summary = "A key."});
  add("DELETE", "/auth/api-keys/{id}", {.checks = {need({"read"}, 0)}}, revoke_key,
      {.name = "revoke_key",
       .summary = "Revoke a key and what was minted from it.",
       .success_status = 204});
  add("POST", "/principals", {.checks = {need({"admin"}, 4)}}, create_principal,
      {.name = "create_principal",
       .summary = "Make a principal.",
       .body_schema = principal_schema().json_schema(kStrict),
       .success_status = 201});
  add("GET", "/principals/{id}", {.checks = {need({"read"}, 0)}}, get_principal,
      {.name = "get_principal", .summary = "A principal."});
  add("PATCH", "/principals/{id}", {.checks = {need({"admin"}, 4)}}, change_principal,
      {.name = "change_principal",
       .summary = "Set a principal's tier or status.",
       .body_schema = principal_patch_schema().json_schema(kPatchStrict)});
}

}  // namespace holdfast::surface::observations
