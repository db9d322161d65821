#include "surface/mcp/errors.h"

#include "http/surface_mount.h"  // with the reasons of authentication
#include "mcp/protocol.h"
#include "wire/transport.h"

namespace holdfast::surface::mcp {

using holdfast::mcp::code::kInternal;
using holdfast::mcp::code::kInvalidRequest;

WireError wire_error(const Error& error) {
  if (error.reason == access::reason::kTokenMissing) return {401, kInvalidRequest, true};
  if (error.reason == access::reason::kTokenMalformed)
    return {400, kInvalidRequest, true, "invalid_request"};
  if (error.reason == access::reason::kPrincipalInactive)
    return {401, kInvalidRequest, true, "invalid_token"};
  if (const int status = wire::transport_status(error); status != 0)
    return {status, status >= 500 ? kInternal : kInvalidRequest};
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return {400, kInvalidRequest};
    case ErrorCode::kUnauthenticated: return {401, kInvalidRequest, true, "invalid_token"};
    case ErrorCode::kPermissionDenied: return {403, kInvalidRequest, true, "insufficient_scope"};
    case ErrorCode::kNotFound: return {404, kInvalidRequest};
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict: return {409, kInvalidRequest};
    case ErrorCode::kGone: return {410, kInvalidRequest};
    case ErrorCode::kTooLarge: return {413, kInvalidRequest};
    case ErrorCode::kRateLimited: return {429, kInvalidRequest};
    case ErrorCode::kUnavailable: return {503, kInternal};
    case ErrorCode::kDeadlineExceeded: return {504, kInternal};
    case ErrorCode::kStorageFull: return {507, kInternal};
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: return {500, kInternal};
  }
  return {500, kInternal};
}

}  // namespace holdfast::surface::mcp
