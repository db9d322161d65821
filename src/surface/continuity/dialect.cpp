#include "surface/continuity/dialect.h"

#include "http/surface_mount.h"
#include "model/json_text.h"
#include "service/continuity/failure.h"
#include "surface/continuity/rpc.h"
#include "wire/transport.h"

namespace holdfast::surface::continuity {
namespace {

bool is_structured(const Error& error) {
  return error.reason == service::continuity::reason::kStructured;
}

bool is_syntax(const Error& error) {
  return error.reason == json_reason::kSyntax || error.reason == json_reason::kUtf8 ||
         error.reason == json_reason::kDepth || error.reason == json_reason::kDuplicate;
}

}  // namespace

int status_of(const Error& error) {
  if (const int status = wire::transport_status(error); status != 0) return status;
  if (is_syntax(error) || (is_structured(error) && error.code == ErrorCode::kInvalidArgument))
    return 422;
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return 400;
    case ErrorCode::kUnauthenticated: return 401;
    case ErrorCode::kPermissionDenied: return 403;
    case ErrorCode::kNotFound:
    case ErrorCode::kGone: return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kTooLarge: return 413;
    case ErrorCode::kRateLimited: return 429;
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
    case ErrorCode::kStorageFull: return 503;
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: return 500;
  }
  return 500;
}

Value detail_of(const Error& error) {
  if (is_structured(error)) return parse_json(error.message).value_or(Value(error.message));
  if (is_syntax(error))
    return Value::array({Value::object({{"type", "json_invalid"},
                                        {"loc", Value::array({"body", 0})},
                                        {"msg", "JSON decode error"},
                                        {"input", Value::object()},
                                        {"ctx", Value::object({{"error", error.message}})}})});
  if (error.reason == wire::reason::kUnknownPath) return "Not Found";
  if (error.reason == wire::reason::kMethodNotAllowed) return "Method Not Allowed";
  if (error.reason == access::reason::kTokenMissing) return "Missing Authorization header";
  if (error.reason == access::reason::kTokenMalformed) return "Invalid Authorization header";
  if (error.reason == access::reason::kTokenUnknown) return "Invalid token";
  if (error.reason == access::reason::kTokenRevoked) return "Token revoked";
  if (error.reason == access::reason::kTokenExpired) return "Token expired";
  return error.message;
}

wire::Answer ContinuityDialect::failure(const wire::AnswerContext& context,
                                        const Error& error) const {
  wire::Answer answer;
  answer.status = status_of(error);
  Value body = Value::object({{"detail", detail_of(error)}});
  // Origins are judged for all surfaces alike; this endpoint refuses inside its envelope.
  if (error.reason == wire::reason::kOriginNotAllowed && context.path == kRpcPath &&
      context.headers != nullptr)
    body = origin_refusal(context.headers->get("Origin"));
  if (answer.status == 500)
    body = Value::object(
        {{"ok", false},
         {"operation", "unhandled"},
         {"error", Value::object({{"code", "InternalError"},
                                  {"detail", "Something went wrong on the server."}})}});
  answer.body = to_json(body);
  return answer;
}

}  // namespace holdfast::surface::continuity
