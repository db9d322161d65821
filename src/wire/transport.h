// Failures that happen before an operation runs, as reasons of an Error, so that a dialect can word
// them. They mean the same on every surface; transport_status gives their HTTP status.
#pragma once

#include <string_view>

#include "base/error.h"

namespace holdfast::wire {

namespace reason {
inline constexpr std::string_view kUnknownPath = "unknown_path";  // 404
inline constexpr std::string_view kMethodNotAllowed =
    "method_not_allowed";                                               // 405, Allow is set for you
inline constexpr std::string_view kNotAcceptable = "not_acceptable";    // 406
inline constexpr std::string_view kRequestTimeout = "request_timeout";  // 408
inline constexpr std::string_view kBodyTooLarge = "body_too_large";     // 413
inline constexpr std::string_view kUnsupportedMediaType = "unsupported_media_type";  // 415
inline constexpr std::string_view kHeadersTooLarge = "headers_too_large";            // 431
inline constexpr std::string_view kMalformedRequest = "malformed_request";   // 400: not HTTP
inline constexpr std::string_view kHostNotAllowed = "host_not_allowed";      // 403
inline constexpr std::string_view kOriginNotAllowed = "origin_not_allowed";  // 403
inline constexpr std::string_view kOverloaded = "overloaded";                // 503
inline constexpr std::string_view kNotReady = "not_ready";                   // 503
}  // namespace reason

// The status of a failure with one of the reasons above; 0 for every other.
int transport_status(const Error& error);

Error transport_error(ErrorCode code, std::string_view why, std::string message);

}  // namespace holdfast::wire
