// /observations, at the root and below the base path.
#include "base/digest.h"
#include "model/json_text.h"
#include "service/observation/failure.h"
#include "service/observation/metadata.h"
#include "surface/observations/checks.h"
#include "surface/observations/dialect.h"
#include "surface/observations/encode.h"
#include "surface/observations/list_parameters.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/routes.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their use cases
using http::Exchange;
using http::Reply;

constexpr size_t kBatchBytes = size_t{10} << 20U;

// Fills in what follows from the draft, which is there already.
void finish(const Exchange& exchange, Prepared& prepared, const std::string& commit_id) {
  Draft& draft = prepared.draft;
  drop_repeated(draft.tags);
  if (draft.source.commit_id.empty()) draft.source.commit_id = commit_id;
  prepare(prepared, exchange.call.principal);
}

// Where it stays: so large a thing costs something each time it is moved.
std::optional<Error> read_draft(const Value& item, Draft& draft) {
  if (!item.is_object()) return draft_schema().read_body(item, kStrict).error();
  wire::Reading reading(kStrict);
  draft_schema().read_into(item, draft, reading);
  if (reading.count() == 0) return std::nullopt;
  Error error = wire::make_validation_error({.body = &item}, reading);
  tell_zero_characters(error, item);
  return error;
}

Reply list(Exchange& exchange, const Context& context) {
  const Timestamp now = exchange.context.now;
  auto parameters = read_list_parameters(exchange.request.query, now);
  if (!parameters) return refuse(exchange, parameters.error());
  if (!parameters->cursor.empty()) {
    auto place = decode_cursor(context.cursors, parameters->cursor, parameters->digest, now);
    if (!place) return refuse(exchange, place.error());
    parameters->query.after = std::move(*place);
  }
  const auto page = context.services.observations.list(exchange.call, parameters->query);
  if (!page) return refuse(exchange, page.error());
  const bool more = page->next && !page->items.empty();
  Value cursor;
  if (more) {
    cursor = encode_cursor(context.cursors, *page->next, text_of_piece(page->items.back().id),
                           parameters->digest, now);
  }
  Value meta = meta_of(exchange.context.request_id, now);
  meta.set("total_count", page->total);
  const Value pagination = Value::object(
      {{"cursor", std::move(cursor)}, {"has_more", more}, {"limit", parameters->query.limit}});
  Reply reply = exchange.answer(200, Value());
  reply.body = list_text(*page, pagination, meta);
  return reply;
}

Reply create(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    Prepared prepared;
    HOLDFAST_TRY(prepared.draft, read_request(exchange, draft_schema()));
    finish(exchange, prepared, "");
    return Receipts::Act([&exchange, &context, prepared = std::move(prepared)](
                             Mutation& mutation) mutable -> Result<StoredAnswer> {
      HOLDFAST_TRY(const Created created, context.services.observations.create(mutation, prepared));
      StoredAnswer answer = answer_of(exchange, 201, created_value(created), created.warnings);
      answer.location = std::string(kBase) + "/observations/" + created.observation.id;
      return answer;
    });
  });
}

// `items`: as in read_batch().
std::string fingerprint_of(bool fail_on_error, const std::string& items) {
  return sha256((fail_on_error ? "all or none\n" : "whatever is good\n") + items);
}

// `items`: a digest of their canonical text.
Result<Batch> read_batch(const Exchange& exchange, const std::string& items) {
  const Value* sent = exchange.request.json->find(kItems);
  const auto* list = sent != nullptr ? sent->if_array() : nullptr;
  if (list != nullptr && list->size() > kMostItems) {
    return Error{.code = ErrorCode::kTooLarge,
                 .reason = std::string(reason::kTooLarge),
                 .message = "A batch has at most 100 observations."};
  }
  HOLDFAST_TRY(const BatchBody read, read_request(exchange, batch_schema()));
  Batch batch{
      .commit_id = read.commit_id, .at = exchange.context.now, .fail_on_error = read.fail_on_error};
  batch.fingerprint = fingerprint_of(read.fail_on_error, items);
  batch.items.reserve(read.observations.list->if_array()->size());
  for (const Value& item : *read.observations.list->if_array()) {
    BatchItem& one = batch.items.emplace_back();
    const Value* title = item.find("title");
    if (title != nullptr && title->is_string()) one.title = title->if_string();
    Prepared& prepared = one.prepared.emplace();
    one.invalid = read_draft(item, prepared.draft);
    if (one.invalid) {
      one.prepared.reset();
    } else {
      finish(exchange, prepared, read.commit_id);
    }
  }
  return batch;
}

Result<StoredAnswer> answer_batch(const Exchange& exchange, const Context& context,
                                  Mutation& mutation, Batch& batch) {
  HOLDFAST_TRY(const BatchOutcome outcome,
               context.services.observations.create_batch(mutation, batch));
  const std::string kept = outcome.earlier ? *outcome.earlier : batch_text(outcome);
  const std::string data = with_titles(kept, titles_in(exchange.request));
  if (outcome.earlier) {
    StoredAnswer answer = answer_of_text(exchange, 201, data);
    answer.replayed = true;
    return answer;
  }
  if (outcome.made.empty()) return answer_of_text(exchange, 200, data, outcome.warnings);
  HOLDFAST_CHECK_OK(context.services.observations.keep_commit(mutation, batch, kept));
  StoredAnswer answer = answer_of_text(exchange, 201, data, outcome.warnings);
  answer.commit_part = {
      .commit_id = batch.commit_id, .at = answer.body.find(data), .size = data.size()};
  return answer;
}

std::string digest_of_items(const http::Request& request) {
  const Value* items = request.json->find(kItems);
  if (items == nullptr) return {};
  std::string canonical;
  canonical.reserve(request.body.size());
  append_canonical_json(canonical, *items);
  return to_hex(sha256(canonical));
}

// The items are part of two fingerprints, that of the request and that of the commit: both are made
// of their digest.
Reply create_batch(Exchange& exchange, const Context& context) {
  const std::string items = digest_of_items(exchange.request);
  const auto prepare_batch = [&]() -> Result<Receipts::Act> {
    HOLDFAST_TRY(auto batch, read_batch(exchange, items));
    return Receipts::Act(
        [&exchange, &context, batch = std::move(batch)](Mutation& mutation) mutable {
          return answer_batch(exchange, context, mutation, batch);
        });
  };
  const CanonicalMember part{.name = kItems, .text = items};
  return mutate(exchange, context.services.receipts, prepare_batch, &part);
}

Reply get_observation(Exchange& exchange, const Context& context) {
  const std::string id = id_of(exchange);
  const Status query = check_query(exchange);
  const bool looks = exchange.request.method == "GET" && query;
  const auto shown = context.services.observations.get(exchange.call, id, looks);
  if (!shown) return refuse(exchange, shown.error());
  if (!query) return refuse(exchange, query.error());
  return exchange.answer(200, envelope(exchange.context.request_id, exchange.context.now,
                                       shown_value(*shown, context.face.public_url())));
}

// Judges the metadata that would result together with the rest of the request.
Result<Patch> read_patch(const Exchange& exchange, const Observation& before) {
  auto wanted = read_request(exchange, patch_schema(), kPatchStrict);
  const Value* metadata = exchange.request.json->find("metadata");
  if (metadata == nullptr) return wanted;
  std::vector<Issue> issues = merged_issues(before.metadata, *metadata);
  if (issues.empty()) return wanted;
  if (!wanted) {
    const auto& more = wanted.error().issues;
    issues.insert(issues.end(), more.begin(), more.end());
  }
  Error error = invalid_argument("The patch is not valid.", std::move(issues));
  error.reason = wire::reason::kValidation;
  return error;
}

Reply patch(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    const std::string id = id_of(exchange);
    HOLDFAST_TRY(const Observation before,
                 context.services.observations.may_change(exchange.call, id, Change::kPatch));
    HOLDFAST_TRY(Patch wanted, read_patch(exchange, before));
    wanted.id = id;
    if (wanted.tags) drop_repeated(*wanted.tags);
    return Receipts::Act([&exchange, &context,
                          wanted = std::move(wanted)](Mutation& mutation) -> Result<StoredAnswer> {
      HOLDFAST_TRY(const Patched patched, context.services.observations.patch(mutation, wanted));
      return answer_of(exchange, 200, patched_value(patched, wanted), patched.warnings);
    });
  });
}

Reply remove_observation(Exchange& exchange, const Context& context) {
  return mutate_away(exchange, context.services.receipts, [&](Mutation& mutation) {
    return context.services.observations.remove(mutation, id_of(exchange));
  });
}

}  // namespace

void add_observation_routes(http::RouteTable& routes, const Context& context) {
  const auto handler = [&context](Reply (*handle)(Exchange&, const Context&)) {
    return [&context, handle](Exchange& exchange) { return handle(exchange, context); };
  };
  const http::Step reading = need({"read"}, 0);
  const http::Step writing = need({"write:observations"}, 1);
  for (const std::string& base : {std::string(), std::string(kBase)}) {
    const std::string all = base + "/observations";
    const std::string one = all + "/{id}";
    // The short spelling has names of its own.
    const auto describe = [&](const std::string& name, const char* summary) {
      return wire::RouteDescription{.name = base.empty() ? name + "_short" : name,
                                    .summary = summary,
                                    .tags = {"observations"}};
    };
    const auto described = [&](const char* name, const char* summary, const auto& schema,
                               int status) {
      wire::RouteDescription out = describe(name, summary);
      out.body_schema = schema.json_schema(kStrict);
      out.body_required = true;
      out.success_status = status;
      return keyed(std::move(out));
    };
    wire::RouteDescription listing =
        describe("list_observations", "Observations by filters, sorted and paged.");
    listing.parameters = list_parameter_descriptions();
    routes.exchange("GET", all, {.json_body = false, .checks = {reading}}, handler(list),
                    std::move(listing));
    routes.exchange(
        "POST", all, {.json_body = true, .checks = {writing}}, handler(create),
        described("create_observation", "Record one observation.", draft_schema(), 201));
    wire::RouteDescription batch = described(
        "create_observations", "Record up to 100 observations at once.", batch_schema(), 201);
    batch.further_statuses = {200};  // none was new
    routes.exchange("POST", all + "/batch",
                    {.json_body = true, .body_limit = kBatchBytes, .checks = {writing}},
                    handler(create_batch), std::move(batch));
    routes.exchange("GET", one, {.json_body = false, .checks = {reading}}, handler(get_observation),
                    describe("get_observation", "One observation with what it is linked to."));
    routes.exchange(
        "PATCH", one, {.json_body = true, .checks = {writing}}, handler(patch),
        described("patch_observation", "Change one's own observation.", patch_schema(), 200));
    wire::RouteDescription removal = describe("delete_observation", "Delete an observation.");
    removal.success_status = 204;
    routes.exchange("DELETE", one, {.json_body = false, .checks = {writing}},
                    handler(remove_observation), keyed(std::move(removal)));
  }
}

}  // namespace holdfast::surface::observations
