// What chats cost, by day, thread and call. Counted in the same write that stores the answer.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/noun.h"
#include "storage/store.h"

namespace holdfast::service::chat {

struct ChatCall {
  std::string user = {};
  std::string day = {};
  std::string request_id = {};
  std::string thread_id = {};
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
  int64_t latency_ms = 0;
  int64_t cost_micros = 0;  // millionths of a dollar
};

// A day of a user, and a thread on it: objects whose numbers are counters.
struct UsageKey {
  std::string user = {};
  std::string day = {};
  std::string thread_id = {};  // empty for the day as a whole
};

const Noun<ChatCall>& call_noun();
const Noun<UsageKey>& usage_day_noun();
const Noun<UsageKey>& usage_thread_noun();

Status count_call(storage::WriteTxn& txn, const access::SpaceAccess& access, const ChatCall& call);

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
  std::vector<ChatCall> recent_calls = {};
};

struct DayRequest {
  std::string user = {};
  std::string date = {};
};

class UsageService {
 public:
  UsageService(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  Result<DayUsage> day(const CallContext& call, const DayRequest& request) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::service::chat
