// What chats cost, by day, thread and call: added up when somebody asks, from what each run left in
// the write that stored its answer.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/chat/transmission.h"
#include "storage/store.h"

namespace holdfast::service::chat {

// Makes an object of a run that is in no record of a transmission. At most one a write.
Status keep_call(storage::WriteTxn& txn, const access::SpaceAccess& access, const ChatCall& call);

struct DayUsage {
  std::string date = {};
  int64_t requests = 0;
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
  int64_t cost_micros = 0;
  struct Thread {
    std::string thread_id = {};
    int64_t total_tokens = 0;
  };
  std::vector<Thread> top_threads = {};
  std::vector<ChatCall> recent_calls = {};  // newest first
};

struct DayRequest {
  std::string user = {};
  std::string date = {};
};

class UsageService {
 public:
  UsageService(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  // Reads every run of the day, some 3 ms for a thousand: chats are many, and this is asked rarely.
  Result<DayUsage> day(const CallContext& call, const DayRequest& request) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::service::chat
