// Pages of long lists.
#include "service/continuity/service_fixture.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {
namespace {

using PagesTest = ServiceTest;

TEST_F(PagesTest, GoOnBehindWhatTheIndexPagesTo) {
  constexpr size_t kReminders = search::kMaxWindow + 30;
  const auto id_of = [](size_t number) { return fmt::format("sched_{:05}", number); };
  ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
    for (size_t i = 0; i < kReminders; ++i) {
      HOLDFAST_CHECK_OK(put_document(txn, access_, reminder_noun(), id_of(i),
                                     Value::object({{"schedule_id", id_of(i)},
                                                    {"kind", "reminder"},
                                                    {"status", "pending"},
                                                    {"title", "t"},
                                                    {"due_at", "2026-03-02T00:00:00Z"},
                                                    {"version", 1}}),
                                     ""));
    }
    return {};
  }));
  for (const size_t offset : {size_t{0}, search::kMaxWindow - 20, search::kMaxWindow}) {
    const auto page = call(schedule_, &ScheduleService::list,
                           fmt::format(R"({{"limit":25,"offset":{}}})", offset));
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(integer_of(*page, "total", 0), static_cast<int64_t>(kReminders));
    const Value::Array& items = list_of(*page, "items");
    ASSERT_EQ(items.size(), 25U) << offset;
    EXPECT_EQ(text_of(items.front(), "schedule_id"), id_of(offset));
    EXPECT_EQ(text_of(items.back(), "schedule_id"), id_of(offset + 24));
  }
}

TEST_F(PagesTest, CountPeersAndTasksBeyondOnePageOfTheIndex) {
  constexpr size_t kEach = search::kMaxLimit + 5;
  ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
    for (size_t i = 0; i < kEach; ++i) {
      const std::string id = fmt::format("{:05}", i);
      HOLDFAST_CHECK_OK(
          put_document(txn, access_, peer_noun(), id, Value::object({{"peer_id", id}}), ""));
      HOLDFAST_CHECK_OK(put_document(
          txn, access_, task_noun(), id,
          Value::object({{"task_id", id}, {"status", "open"}, {"thread_id", "t"}}), ""));
    }
    return {};
  }));
  const auto peers = call(tasks_, &TaskService::peers, "{}");
  ASSERT_TRUE(peers) << peers.error().message;
  EXPECT_EQ(integer_of(*peers, "count", 0), static_cast<int64_t>(kEach));
  const auto bundle =
      call(retrieval_, &RetrieveService::retrieve,
           R"({"task":"x","continuity_mode":"auto","subject_kind":"thread","subject_id":"t"})");
  ASSERT_TRUE(bundle) << bundle.error().message;
  EXPECT_EQ(to_json(*find_path(*bundle, "bundle.graph_context.truncation.nodes")),
            fmt::format(R"({{"limit":24,"available":{},"returned":24,"truncated":true}})", kEach));
}

}  // namespace
}  // namespace holdfast::service::continuity
