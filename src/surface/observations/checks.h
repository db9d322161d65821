// The checks of this API that come before a handler, and what every mutation does around it.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "model/canonical_json.h"
#include "service/observation/budgets.h"
#include "service/observation/content_scan.h"
#include "service/observation/receipts.h"
#include "surface/observations/errors.h"
#include "surface/observations/observation_schemas.h"

namespace holdfast::surface::observations {

inline constexpr std::string_view kBase = "/api/v2";

// One of the scopes, then the tier.
http::Step need(std::vector<std::string> any_scope, int tier);

// JSON, said so even without a body, but where a body may be left out.
std::optional<http::Reply> check_media_type(http::Exchange& exchange);
// Idempotency-Key on POST, PATCH and DELETE, but not on the routes that need none.
std::optional<http::Reply> check_key(http::Exchange& exchange);
// A body that is one JSON object; an empty one counts as {} where nothing in it is required.
std::optional<http::Reply> check_object(http::Exchange& exchange);

// kInvalidArgument if the query has other parameters than these, of which most routes know none.
Status check_query(const http::Exchange& exchange,
                   std::initializer_list<std::string_view> known = {});
// The body, judged together with the query: all problems are told at once.
template <typename T>
Result<T> read_request(const http::Exchange& exchange, const wire::Schema<T>& schema,
                       wire::Strictness strictness = kStrict) {
  strictness.now = exchange.context.now;
  auto body = schema.read_body(*exchange.request.json, strictness);
  if (!body) tell_zero_characters(body.error(), *exchange.request.json);
  const Status query = check_query(exchange);
  if (query) return body;
  Error error = query.error();
  if (!body)
    error.issues.insert(error.issues.begin(), body.error().issues.begin(),
                        body.error().issues.end());
  return error;
}

// The object that the path names.
std::string id_of(const http::Exchange& exchange);

// X-RateLimit headers of a bucket.
void show_budget(const service::observation::BudgetState& state, wire::Headers& headers);
// Words a failure; one of a bucket of its own shows that bucket's headers.
http::Reply refuse(http::Exchange& exchange, const Error& error);

http::Reply reply_of(const http::Exchange& exchange,
                     const service::observation::StoredAnswer& answer);

// The member of a batch that has the observations.
inline constexpr std::string_view kItems = "observations";
// Reads titles from the body of a batch, which must live as long.
service::observation::TitleOf titles_in(const http::Request& request);

// A request that may be repeated: the stored answer, or whatever `prepare` judges before the write
// and then does in it.
using Prepare = std::function<Result<service::observation::Receipts::Act>()>;
// `part`: what stands for a member of the body in the request's fingerprint, if anything.
http::Reply mutate(http::Exchange& exchange, service::observation::Receipts& receipts,
                   const Prepare& prepare, const CanonicalMember* part = nullptr);

// A deletion. Whether there is such a thing, and whether it may be deleted, comes before what is
// wrong with the query.
using Remove = std::function<Status(service::observation::Mutation&)>;
http::Reply mutate_away(http::Exchange& exchange, service::observation::Receipts& receipts,
                        const Remove& remove);

// An answer with data and meta; warnings only if there are any.
service::observation::StoredAnswer answer_of(
    const http::Exchange& exchange, int status, const Value& data,
    const std::vector<service::observation::ContentWarning>& warnings = {});
// The same where the data is JSON text already.
service::observation::StoredAnswer answer_of_text(
    const http::Exchange& exchange, int status, std::string_view data,
    const std::vector<service::observation::ContentWarning>& warnings = {});

// The description of a route that demands an Idempotency-Key.
wire::RouteDescription keyed(wire::RouteDescription description);

}  // namespace holdfast::surface::observations
