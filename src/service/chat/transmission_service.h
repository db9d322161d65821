// What became of a transmission.
#pragma once

#include <optional>
#include <string>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/chat/flights.h"
#include "service/chat/transmission.h"
#include "storage/store.h"

namespace holdfast::service::chat {

struct ShownTransmission {
  std::string id = {};
  Transmission transmission = {};
  bool pending = false;
  Value answer = {};  // the body that the chat was answered with; null: none
  std::optional<std::string> fact = {};
};

struct ShowTransmission {
  std::string user = {};
  std::string id = {};
};

class TransmissionService {
 public:
  TransmissionService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                      const Flights& flights)
      : store_(store), gatekeeper_(gatekeeper), flights_(flights) {}

  // kNotFound, also for another user's.
  Result<ShownTransmission> show(const CallContext& call, const ShowTransmission& request) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const Flights& flights_;
};

}  // namespace holdfast::service::chat
