// From an Error of the transport to HTTP's status and JSON-RPC's code.
#pragma once

#include <string_view>

#include "base/error.h"

namespace holdfast::surface::mcp {

struct WireError {
  int status = 500;
  int code = 0;
  bool is_challenge = false;        // the answer carries WWW-Authenticate
  std::string_view challenge = {};  // its error; a constant, empty for none
};

WireError wire_error(const Error& error);

}  // namespace holdfast::surface::mcp
