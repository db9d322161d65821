#include "service/chat/usage.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "service/chat/as_user.h"
#include "service/chat/memory.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::SpaceAccess;

constexpr size_t kTopThreads = 5;
constexpr size_t kRecentCalls = 10;
constexpr size_t kRunsAtOnce = 1000;

struct PastCall {
  Timestamp at = {};
  ChatCall call = {};
};

Result<PastCall> past_call_of(const Object& object) {
  PastCall past{.at = object.created_at};
  if (object.key.kind == call_noun().kind) {
    HOLDFAST_TRY(past.call, storage::value_of(call_noun(), object));
  } else {
    HOLDFAST_TRY(auto transmission, storage::value_of(transmission_noun(), object));
    past.call = std::move(transmission.call).value_or(ChatCall());
  }
  return past;
}

// Adds up, and remembers the newest.
class Sum {
 public:
  void add(PastCall past) {
    const ChatCall& call = past.call;
    ++usage_.requests;
    usage_.input_tokens += call.input_tokens;
    usage_.output_tokens += call.output_tokens;
    usage_.cost_micros += call.cost_micros;
    threads_[call.thread_id] += call.input_tokens + call.output_tokens;
    newest_.push_back(std::move(past));
    if (newest_.size() > 2 * kRecentCalls) keep_newest();
  }

  DayUsage take() {
    for (const auto& [thread, tokens] : threads_)
      usage_.top_threads.push_back({.thread_id = thread, .total_tokens = tokens});
    std::ranges::sort(usage_.top_threads, [](const auto& a, const auto& b) {
      return a.total_tokens != b.total_tokens ? a.total_tokens > b.total_tokens
                                              : a.thread_id < b.thread_id;
    });
    if (usage_.top_threads.size() > kTopThreads) usage_.top_threads.resize(kTopThreads);
    keep_newest();
    for (PastCall& past : newest_) usage_.recent_calls.push_back(std::move(past.call));
    return std::move(usage_);
  }

 private:
  void keep_newest() {
    std::ranges::stable_sort(newest_, std::ranges::greater(), &PastCall::at);
    if (newest_.size() > kRecentCalls) newest_.resize(kRecentCalls);
  }

  DayUsage usage_;
  std::unordered_map<std::string, int64_t> threads_;
  std::vector<PastCall> newest_;
};

}  // namespace

Status keep_call(storage::WriteTxn& txn, const SpaceAccess& access, const ChatCall& call) {
  // Every write has its own instant: ids in order, each once.
  storage::Put put = storage::put_of(call_noun(), fmt::format("{:020}", to_micros(txn.now())), call,
                                     memory_label(call.user));
  put.fresh = true;
  return txn.add(access, std::move(put));
}

Result<DayUsage> UsageService::day(const CallContext& call, const DayRequest& request) const {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), access::Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  Sum sum;
  for (const std::string& kind : {transmission_noun().kind, call_noun().kind}) {
    storage::Scan scan{
        .kind = kind,
        .equal = Facet::of(std::string(facet::kDay), day_value(request.user, request.date)),
        .limit = kRunsAtOnce};
    do {
      HOLDFAST_TRY(const auto page, txn->scan(access, scan));
      for (const Object& object : page.objects) {
        HOLDFAST_TRY(PastCall past, past_call_of(object));
        sum.add(std::move(past));
      }
      scan.after = page.next;
    } while (scan.after);
  }
  DayUsage usage = sum.take();
  usage.date = request.date;
  return usage;
}

}  // namespace holdfast::service::chat
