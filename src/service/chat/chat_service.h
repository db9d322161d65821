// Chat: runs a message once for each request id and remembers the answer for repetitions, nothing
// else of what was said.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/chat/background.h"
#include "service/chat/execution.h"
#include "service/chat/flights.h"
#include "storage/store.h"

namespace holdfast::service::chat {

// A run that ended, for the surface to word.
struct ChatOutcome {
  const ChatRun& run;
  const Execution& execution;
  const Trace& trace;
  std::string transmission_id = {};
  std::string message_id = {};  // of the answer
};

// Makes the body of the answer in the dialect of the request; stored for repetitions.
using RenderOutcome = std::function<Value(const ChatOutcome&)>;

struct ChatReply {
  int status = 200;  // 202: pending
  Value body = {};   // of a 200; the surface words a 202
  std::string transmission_id = {};
  std::string trace_run_id = {};
  TraceLevel level = TraceLevel::kInfo;
  bool replayed = false;
};

// What of a failed run its error body shows.
struct ChatFailure {
  Error error = {};
  std::string transmission_id = {};
  std::string trace_run_id = {};
  std::vector<std::string> linter_flags = {};
};

class ChatService {
 public:
  ChatService(storage::Store& store, const access::Gatekeeper& gatekeeper, ExecutionParts parts,
              Background& background, Flights& flights)
      : store_(store),
        gatekeeper_(gatekeeper),
        parts_(parts),
        background_(background),
        flights_(flights) {}

  // kConflict with reason idempotency_conflict; the run's own failure otherwise, with `failed`
  // filled in.
  Result<ChatReply> chat(const CallContext& call, const ChatRun& run, const RenderOutcome& render,
                         ChatFailure& failed);

 private:
  struct Ticket {
    std::string key = {};  // of the flight; empty: none
    std::string hash = {};
    std::string transmission_id = {};
    std::string message_id = {};
    bool known = false;  // there is a transmission of that id already
  };

  Result<std::optional<ChatReply>> earlier(const CallContext& call, storage::ReadTxn& txn,
                                           const ChatRun& run, Ticket& ticket) const;
  // `txn` as in MemoryRetriever::retrieve.
  Result<ChatReply> finish(const CallContext& call, std::unique_ptr<storage::ReadTxn> txn,
                           const ChatRun& run, const Ticket& ticket, const RenderOutcome& render,
                           Trace& trace, ChatFailure& failed);
  Status store(const CallContext& call, const ChatOutcome& outcome, const Ticket& ticket,
               const Value& body);
  Result<ChatReply> defer(const CallContext& call, const ChatRun& run, const Ticket& ticket,
                          const RenderOutcome& render, const std::shared_ptr<Trace>& trace);
  TraceLevel level_of(const ChatRun& run) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const ExecutionParts parts_;
  Background& background_;
  Flights& flights_;
};

// Where an answer is kept: by the id of its request, or, where that has none, of its transmission.
storage::IdempotencyKey answer_key(const std::string& user, const std::string& request_id,
                                   const std::string& transmission_id);

}  // namespace holdfast::service::chat
