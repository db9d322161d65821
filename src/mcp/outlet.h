// Where the messages that precede the answer to one request go. Made by a carrier for each request.
#pragma once

#include "model/value.h"

namespace holdfast::mcp {

// Used by the thread that runs the request.
class Outlet {
 public:
  virtual ~Outlet() = default;
  // False if such messages cannot reach the client: it takes one JSON answer only, or has gone.
  virtual bool send(const Value& message) = 0;
  // The client has gone. Only connections that serve one request can tell.
  virtual bool is_lost() const { return false; }
};

// For requests that nothing may precede the answer of, such as those of a batch.
class ClosedOutlet : public Outlet {
 public:
  bool send(const Value&) override { return false; }
};

}  // namespace holdfast::mcp
