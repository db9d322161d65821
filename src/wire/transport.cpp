#include "wire/transport.h"

namespace holdfast::wire {

int transport_status(const Error& error) {
  struct Entry {
    std::string_view reason;
    int status;
  };
  constexpr Entry kEntries[] = {
      {reason::kUnknownPath, 404},     {reason::kMethodNotAllowed, 405},
      {reason::kNotAcceptable, 406},   {reason::kRequestTimeout, 408},
      {reason::kBodyTooLarge, 413},    {reason::kUnsupportedMediaType, 415},
      {reason::kHeadersTooLarge, 431}, {reason::kMalformedRequest, 400},
      {reason::kHostNotAllowed, 403},  {reason::kOriginNotAllowed, 403},
      {reason::kOverloaded, 503},      {reason::kNotReady, 503},
  };
  for (const Entry& entry : kEntries) {
    if (entry.reason == error.reason) return entry.status;
  }
  return 0;
}

Error transport_error(ErrorCode code, std::string_view why, std::string message) {
  return Error{.code = code, .reason = std::string(why), .message = std::move(message)};
}

}  // namespace holdfast::wire
