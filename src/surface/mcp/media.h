// What a client accepts as an answer.
#pragma once

#include "wire/headers.h"

namespace holdfast::surface::mcp {

struct Accepted {
  bool json = true;
  bool stream = true;
  bool names_stream = false;  // text/event-stream or a wildcard, said outright
};

// From every Accept header; without one, everything. A type with q=0 is not accepted.
Accepted accepted_types(const wire::Headers& headers);

}  // namespace holdfast::surface::mcp
