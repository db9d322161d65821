#include "service/chat/usage.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "service/chat/as_user.h"
#include "service/chat/memory.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::SpaceAccess;

constexpr std::string_view kDayFacet = "chat_day";
constexpr std::string_view kRequests = "requests";
constexpr std::string_view kInput = "input_tokens";
constexpr std::string_view kOutput = "output_tokens";
constexpr std::string_view kCost = "cost_micros";
constexpr size_t kTopThreads = 5;
constexpr size_t kRecentCalls = 10;
// More than are shown, so that threads with equal counts come in their order.
constexpr size_t kThreadsRead = 200;

const Codec<ChatCall>& call_codec() {
  static const Codec<ChatCall> codec = Codec<ChatCall>()
                                           .field("user", &ChatCall::user)
                                           .field("day", &ChatCall::day)
                                           .field("request_id", &ChatCall::request_id)
                                           .field("thread_id", &ChatCall::thread_id)
                                           .field("input_tokens", &ChatCall::input_tokens)
                                           .field("output_tokens", &ChatCall::output_tokens)
                                           .field("latency_ms", &ChatCall::latency_ms)
                                           .field("cost_micros", &ChatCall::cost_micros);
  return codec;
}

const Codec<UsageKey>& key_codec() {
  static const Codec<UsageKey> codec = Codec<UsageKey>()
                                           .field("user", &UsageKey::user)
                                           .field("day", &UsageKey::day)
                                           .field("thread_id", &UsageKey::thread_id);
  return codec;
}

// Ids of any length and content become short ones.
std::string id_of(const UsageKey& key) {
  return key.day + "-" + to_hex(sha256(key.user + '\0' + key.thread_id)).substr(0, 32);
}

std::string day_value(const std::string& user, const std::string& day) { return day + "/" + user; }

// Each user's day has a number facet of its own, so that the store's order by value is the order of
// its threads.
std::string thread_facet(const std::string& user, const std::string& day) {
  return "chat_tokens/" + day + "/" + to_hex(sha256(user)).substr(0, 32);
}

// Nearly always the object is there already.
Status add(storage::WriteTxn& txn, const SpaceAccess& access, const Noun<UsageKey>& noun,
           const UsageKey& key, const std::vector<storage::CountStep>& steps) {
  const ObjectKey object{.kind = noun.kind, .id = id_of(key)};
  const auto counted = txn.count(access, object, steps);
  if (counted) return {};
  if (counted.error().code != ErrorCode::kNotFound) return counted.error();
  HOLDFAST_CHECK_OK(txn.put(access, storage::put_of(noun, object.id, key, memory_label(key.user))));
  HOLDFAST_CHECK_OK(txn.count(access, object, steps));
  return {};
}

Result<int64_t> number_of(const std::vector<Facet>& facets, std::string_view name) {
  for (const Facet& facet : facets) {
    if (facet.is_number && facet.name == name) return facet.number;
  }
  return 0;
}

}  // namespace

const Noun<ChatCall>& call_noun() {
  static const Noun<ChatCall> noun{
      .kind = "chat_call", .codec = call_codec(), .project = [](const ChatCall& call) {
        Projection projection;
        projection.facets.push_back(
            Facet::of(std::string(kDayFacet), day_value(call.user, call.day)));
        return projection;
      }};
  return noun;
}

const Noun<UsageKey>& usage_day_noun() {
  static const Noun<UsageKey> noun{.kind = "chat_usage_day",
                                   .codec = key_codec(),
                                   .project = [](const UsageKey&) { return Projection(); }};
  return noun;
}

const Noun<UsageKey>& usage_thread_noun() {
  static const Noun<UsageKey> noun{.kind = "chat_usage_thread",
                                   .codec = key_codec(),
                                   .project = [](const UsageKey&) { return Projection(); }};
  return noun;
}

Status count_call(storage::WriteTxn& txn, const SpaceAccess& access, const ChatCall& call) {
  // One call a write, and every write has its own instant: ids in order, each once.
  storage::Put put = storage::put_of(call_noun(), fmt::format("{:020}", to_micros(txn.now())), call,
                                     memory_label(call.user));
  put.fresh = true;
  HOLDFAST_CHECK_OK(txn.put(access, std::move(put)));
  HOLDFAST_CHECK_OK(add(txn, access, usage_day_noun(), {.user = call.user, .day = call.day},
                        {{std::string(kRequests), 1},
                         {std::string(kInput), call.input_tokens},
                         {std::string(kOutput), call.output_tokens},
                         {std::string(kCost), call.cost_micros}}));
  return add(txn, access, usage_thread_noun(),
             {.user = call.user, .day = call.day, .thread_id = call.thread_id},
             {{thread_facet(call.user, call.day), call.input_tokens + call.output_tokens}});
}

Result<DayUsage> UsageService::day(const CallContext& call, const DayRequest& request) const {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), access::Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  DayUsage usage{.date = request.date};
  const ObjectKey key{.kind = usage_day_noun().kind,
                      .id = id_of({.user = request.user, .day = request.date})};
  if (!txn->get(access, key)) return usage;
  HOLDFAST_TRY(const auto counters, txn->facets(access, key));
  HOLDFAST_TRY(usage.requests, number_of(counters, kRequests));
  HOLDFAST_TRY(usage.input_tokens, number_of(counters, kInput));
  HOLDFAST_TRY(usage.output_tokens, number_of(counters, kOutput));
  HOLDFAST_TRY(usage.cost_micros, number_of(counters, kCost));

  const std::string facet = thread_facet(request.user, request.date);
  HOLDFAST_TRY(const auto threads, txn->scan(access, {.kind = usage_thread_noun().kind,
                                                      .range = storage::Scan::Range{.name = facet},
                                                      .descending = true,
                                                      .limit = kThreadsRead}));
  for (const Object& object : threads.objects) {
    HOLDFAST_TRY(const UsageKey thread, storage::value_of(usage_thread_noun(), object));
    HOLDFAST_TRY(const auto facets, txn->facets(access, object.key));
    HOLDFAST_TRY(const int64_t tokens, number_of(facets, facet));
    usage.top_threads.push_back({.thread_id = thread.thread_id, .total_tokens = tokens});
  }
  std::ranges::sort(usage.top_threads, [](const auto& a, const auto& b) {
    return a.total_tokens != b.total_tokens ? a.total_tokens > b.total_tokens
                                            : a.thread_id < b.thread_id;
  });
  if (usage.top_threads.size() > kTopThreads) usage.top_threads.resize(kTopThreads);

  HOLDFAST_TRY(const auto calls,
               txn->scan(access, {.kind = call_noun().kind,
                                  .equal = Facet::of(std::string(kDayFacet),
                                                     day_value(request.user, request.date)),
                                  .descending = true,
                                  .limit = kRecentCalls}));
  for (const Object& object : calls.objects) {
    HOLDFAST_TRY(ChatCall one, storage::value_of(call_noun(), object));
    usage.recent_calls.push_back(std::move(one));
  }
  return usage;
}

}  // namespace holdfast::service::chat
