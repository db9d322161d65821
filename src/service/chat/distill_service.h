// "Save this": one fact from a window of messages becomes a memory. The window lives in this
// process only, until the work is done; it is never written down.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/chat/background.h"
#include "service/chat/chat_settings.h"
#include "service/chat/distiller.h"
#include "service/chat/flights.h"
#include "service/chat/transmission.h"
#include "storage/store.h"

namespace holdfast::service::chat {

struct DistillRequest {
  std::string user = {};
  std::string request_id = {};
  std::string thread_id = {};
  std::string trigger_message_id = {};
  std::vector<WindowEntry> window = {};
  int64_t reaffirm_count = 0;
};

struct DistillAccepted {
  std::string request_id = {};
  std::string transmission_id = {};
  bool replayed = false;
};

class DistillService {
 public:
  // `completer` may be nullptr: then the rules alone decide.
  DistillService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                 const search::Index& index, const Clock& clock, const ChatSettings& settings,
                 embed::Completer* completer, Background& background, Flights& flights)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        clock_(clock),
        settings_(settings),
        completer_(completer),
        background_(background),
        flights_(flights) {}

  Result<DistillAccepted> accept(const CallContext& call, const DistillRequest& request);

 private:
  struct Admission {
    std::string transmission_id = {};
    bool replayed = false;
    bool work = true;  // there is something to do
  };

  Result<Admission> admit(const CallContext& call, const DistillRequest& request,
                          const std::string& fresh_id);
  void work(const CallContext& call, const DistillRequest& request,
            const std::string& transmission_id);
  Status conclude(const CallContext& call, const DistillRequest& request,
                  const std::string& transmission_id, const std::optional<std::string>& fact);
  Result<std::string> keep_fact(storage::WriteTxn& txn, const access::SpaceAccess& access,
                                const DistillRequest& request, const std::string& fact,
                                const Memory& made);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const ChatSettings& settings_;
  embed::Completer* const completer_;
  Background& background_;
  Flights& flights_;
};

}  // namespace holdfast::service::chat
