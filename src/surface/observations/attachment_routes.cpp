// Files: announced and completed below the base path, uploaded and downloaded at the root.
#include <charconv>

#include "base/time_text.h"
#include "service/observation/failure.h"
#include "surface/observations/checks.h"
#include "surface/observations/dialect.h"
#include "surface/observations/encode.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/routes.h"
#include "wire/query_string.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their use cases
using http::Exchange;
using http::Reply;

constexpr size_t kLargestFile = 524'288'000;
constexpr std::chrono::hours kLinkLifetime{1};

// The query of a signed link. The default space goes without saying.
std::string signed_query(const Context& context, const std::string& purpose,
                         const std::string& space, const std::string& id, Timestamp until) {
  SignedLink link{.purpose = purpose, .space = space, .id = id};
  link.expires = std::chrono::ceil<std::chrono::seconds>(until).time_since_epoch().count();
  std::string query = "?expires=" + std::to_string(link.expires) +
                      "&signature=" + context.services.links.sign(link);
  if (space != kDefaultSpace.value) query += "&space=" + wire::percent_encode(space);
  return query;
}

// What a request says of the link it came through.
SignedLink link_of(const http::Request& request, const std::string& purpose) {
  const wire::QueryString& query = request.query;
  const auto text = [&](const char* name) {
    const std::string* value = query.find(name);
    return value != nullptr ? *value : std::string();
  };
  SignedLink link{.purpose = purpose,
                  .space = query.find("space") != nullptr ? text("space") : kDefaultSpace.value,
                  .id = std::string(request.path_parameter("id")),
                  .signature = text("signature")};
  const std::string expires = text("expires");
  std::from_chars(expires.data(), expires.data() + expires.size(), link.expires);
  return link;
}

// What is in the query besides.
Status check_link_query(const Exchange& exchange) {
  return check_query(exchange, {"expires", "signature", "space"});
}

// Checks a signed link and puts the caller into its space.
Status accept_link(Exchange& exchange, const Context& context, const std::string& purpose) {
  const SignedLink link = link_of(exchange.request, purpose);
  HOLDFAST_CHECK_OK(context.services.links.check(link));
  exchange.call.viewer.space = SpaceId{link.space};
  return {};
}

Value upload_value(const Attachment& attachment, const Exchange& exchange, const Context& context) {
  const std::string query = signed_query(context, "upload", exchange.call.viewer.space.value,
                                         attachment.id, attachment.expires_at);
  return Value::object(
      {{"id", attachment.id},
       {"upload_url", context.face.public_url() + "/uploads/" + attachment.id + query},
       {"upload_method", "PUT"},
       {"upload_headers",
        Value::object({{"Content-Type", attachment.content_type},
                       {"Content-Length", std::to_string(attachment.size_bytes)}})},
       {"expires_at", format_millis(attachment.expires_at)}});
}

Reply initiate(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    HOLDFAST_TRY(const Attachment wanted, read_request(exchange, initiate_schema()));
    return Receipts::Act([&exchange, &context, wanted](Mutation& mutation) -> Result<StoredAnswer> {
      HOLDFAST_TRY(const Initiated made, context.services.attachments.initiate(mutation, wanted));
      return answer_of(exchange, 200, upload_value(made.attachment, exchange, context),
                       made.warnings);
    });
  });
}

Reply upload(Exchange& exchange, const Context& context) {
  const Status linked = accept_link(exchange, context, "upload");
  if (!linked) return refuse(exchange, linked.error());
  if (const Status query = check_link_query(exchange); !query)
    return refuse(exchange, query.error());
  const Status kept = context.services.attachments.upload(
      exchange.call, id_of(exchange), exchange.request.headers.get("Content-Type"),
      exchange.request.body);
  if (!kept) return refuse(exchange, kept.error());
  return exchange.answer(204, Value());
}

Reply complete(Exchange& exchange, const Context& context) {
  return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
    const std::string id = id_of(exchange);
    HOLDFAST_CHECK_OK(context.services.attachments.may_complete(exchange.call, id));
    HOLDFAST_TRY(const CompleteBody body, read_request(exchange, complete_schema()));
    HOLDFAST_TRY(const auto inspection,
                 context.services.attachments.inspect(exchange.call, id, body.sha256));
    return Receipts::Act(
        [&exchange, &context, id, inspection](Mutation& mutation) -> Result<StoredAnswer> {
          HOLDFAST_TRY(const Attachment done,
                       context.services.attachments.complete(mutation, id, inspection));
          return answer_of(exchange, 200, attachment_value(done, context.face.public_url()),
                           inspection.warnings);
        });
  });
}

Reply get_attachment(Exchange& exchange, const Context& context) {
  const auto shown = context.services.attachments.get(exchange.call, id_of(exchange));
  if (!shown) return refuse(exchange, shown.error());
  if (const Status query = check_query(exchange); !query) return refuse(exchange, query.error());
  const Attachment& attachment = shown->attachment;
  const std::string url = context.face.public_url();
  Value data = attachment_value(attachment, url);
  if (attachment.ready) {
    const Timestamp until = exchange.context.now + kLinkLifetime;
    data.set("download_url", file_url(attachment, url) +
                                 signed_query(context, "download", exchange.call.viewer.space.value,
                                              attachment.id, until));
    data.set("download_url_expires_at", format_millis(until));
  }
  data.set("created_by_id", attachment.created_by);
  Value uses = Value::array();
  for (const std::string& id : shown->used_in)
    uses.push(Value::object({{"type", "observation"}, {"id", id}}));
  data.set("used_in", std::move(uses));
  return exchange.answer(
      200, envelope(exchange.context.request_id, exchange.context.now, std::move(data)));
}

Reply remove_attachment(Exchange& exchange, const Context& context) {
  return mutate_away(exchange, context.services.receipts, [&](Mutation& mutation) {
    return context.services.attachments.remove(mutation, id_of(exchange));
  });
}

// The one range of `Range: bytes=a-b`; nothing for anything else, which is answered in full.
std::optional<ByteRange> range_of(std::string_view header, int64_t size) {
  if (!header.starts_with("bytes=")) return std::nullopt;
  header.remove_prefix(6);
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view text) -> std::optional<int64_t> {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
  };
  const std::string_view from = header.substr(0, dash);
  const std::string_view to = header.substr(dash + 1);
  ByteRange range{.first = 0, .last = size - 1};
  if (from.empty()) {
    const auto last_bytes = number(to);
    if (!last_bytes || *last_bytes == 0) return std::nullopt;
    range.first = std::max<int64_t>(0, size - *last_bytes);
  } else {
    const auto first = number(from);
    const auto last = to.empty() ? std::optional(size - 1) : number(to);
    if (!first || !last || *first >= size || *last < *first) return std::nullopt;
    range = {.first = *first, .last = std::min(*last, size - 1)};
  }
  return range;
}

Result<Attachment> file_for(Exchange& exchange, const Context& context) {
  const std::string filename(exchange.request.path_parameter("filename"));
  if (exchange.request.query.find("signature") != nullptr) {
    HOLDFAST_CHECK_OK(accept_link(exchange, context, "download"));
    return context.services.attachments.linked(exchange.call, id_of(exchange), filename);
  }
  if (exchange.call.principal.empty()) {
    return Error{.code = ErrorCode::kUnauthenticated,
                 .reason = std::string(reason::kTokenMissing),
                 .message = "Send a token, or follow a signed link."};
  }
  if (!exchange.call.has_scope("read")) return scope_required("read");
  return context.services.attachments.readable(exchange.call, id_of(exchange), filename);
}

Reply download(Exchange& exchange, const Context& context) {
  const auto file = file_for(exchange, context);
  if (!file) return refuse(exchange, file.error());
  if (const Status query = check_link_query(exchange); !query)
    return refuse(exchange, query.error());
  const auto part = range_of(exchange.request.headers.get("Range"), file->size_bytes);
  const ByteRange range = part.value_or(ByteRange{.first = 0, .last = file->size_bytes - 1});
  const auto bytes = context.services.attachments.bytes(exchange.call, *file, range);
  if (!bytes) return refuse(exchange, bytes.error());
  Reply reply{.status = part ? 206 : 200, .body = *bytes};
  std::vector<wire::Header> headers;
  add_headers(headers);
  for (wire::Header& header : headers) reply.headers.add(header.name, header.value);
  reply.headers.set("Content-Type", file->content_type);
  reply.headers.set("Content-Disposition", "attachment; filename=\"" + file->filename + "\"");
  reply.headers.set("Content-Security-Policy", "sandbox");
  reply.headers.set("Accept-Ranges", "bytes");
  if (part) {
    reply.headers.set("Content-Range", "bytes " + std::to_string(range.first) + "-" +
                                           std::to_string(range.last) + "/" +
                                           std::to_string(file->size_bytes));
  }
  return reply;
}

}  // namespace

void add_attachment_routes(http::RouteTable& routes, const Context& context) {
  const auto add = [&](const char* method, const std::string& path, http::RouteOptions options,
                       Reply (*handle)(Exchange&, const Context&),
                       wire::RouteDescription description) {
    if (!options.json_body) options.json_body = false;
    description.body_required = !description.body_schema.is_null();
    description.tags = {"attachments"};
    const bool mutating =
        std::string_view(method) == "POST" || std::string_view(method) == "DELETE";
    if (mutating) description = keyed(std::move(description));
    routes.exchange(
        method, path, std::move(options),
        [&context, handle](Exchange& exchange) { return handle(exchange, context); },
        std::move(description));
  };
  const Value bytes = Value::object({{"type", "string"}, {"format", "binary"}});
  const std::string base(kBase);
  const http::Step reading = need({"read"}, 0);
  const http::Step writing = need({"write:observations"}, 1);
  add("POST", base + "/attachments", {.json_body = true, .checks = {writing}}, initiate,
      {.name = "initiate_attachment",
       .summary = "Announce a file and get a link to upload it.",
       .body_schema = initiate_schema().json_schema(kStrict)});
  add("POST", base + "/attachments/{id}/complete", {.json_body = true, .checks = {writing}},
      complete,
      {.name = "complete_attachment",
       .summary = "Finish an upload.",
       .body_schema = complete_schema().json_schema(kStrict)});
  add("GET", base + "/attachments/{id}", {.checks = {reading}}, get_attachment,
      {.name = "get_attachment", .summary = "A file's record."});
  add("DELETE", base + "/attachments/{id}", {.checks = {writing}}, remove_attachment,
      {.name = "delete_attachment", .summary = "Delete a file.", .success_status = 204});
  // Whoever has no link cannot make us hold half a gigabyte.
  const auto linked = [&context](const http::Request& request) {
    return context.services.links.check(link_of(request, "upload")).has_value();
  };
  add("PUT", "/uploads/{id}",
      {.auth = http::AuthNeed::kNone, .body_limit = kLargestFile, .worth_reading = linked}, upload,
      {.name = "upload_file",
       .summary = "Upload the bytes of a file through a signed link.",
       .body_schema = bytes,
       .body_type = "*/*",
       .success_status = 204});
  add("GET", "/attachments/{id}/{filename}", {.auth = http::AuthNeed::kOptional}, download,
      {.name = "download_file",
       .summary = "The bytes of a file.",
       .response_schema = bytes,
       .response_type = "*/*",
       .further_statuses = {206}});
}

}  // namespace holdfast::surface::observations
