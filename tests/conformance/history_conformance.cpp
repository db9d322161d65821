// Revisions, time travel, the journal, and replaying one.
#include <algorithm>

#include "store_harness.h"

namespace holdfast::storage {
namespace {

TEST_P(StoreConformance, HistoryIsNewestFirstWithWhoAndWhy) {
  put({.key = {"note", "n"}, .body = "one", .message = "first thought"});
  put({.key = {"note", "n"}, .body = "two", .action = "corrected", .message = "second thought"});
  remove({"note", "n"});

  const auto history = *read()->history(engine(), {"note", "n"}, 10);

  ASSERT_EQ(history.size(), 3u);
  EXPECT_TRUE(history[0].deleted);
  EXPECT_EQ(history[0].object.body, "");
  EXPECT_EQ(history[0].entry.action, journal_action::kDeleted);
  EXPECT_EQ(history[0].entry.message, "gone");
  EXPECT_EQ(history[1].object.body, "two");
  EXPECT_EQ(history[1].entry.action, "corrected");
  EXPECT_EQ(history[1].entry.message, "second thought");
  EXPECT_EQ(history[2].object.body, "one");
  EXPECT_EQ(history[2].entry.action, journal_action::kCreated);
  EXPECT_EQ(history[2].entry.principal, "ada");
  EXPECT_EQ(history[2].entry.surface, "native");
  EXPECT_EQ(history[2].entry.request_id, "req-1");
  for (const auto& record : history) {
    EXPECT_EQ(record.object.revision, record.entry.revision);
    EXPECT_EQ(record.object.position, record.entry.position);
  }
  EXPECT_EQ(read()->history(engine(), {"note", "n"}, 2)->size(), 2u);
  EXPECT_EQ(code_of(read()->history(engine(), {"note", "none"}, 2)), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, AsOfShowsWhatWasThen) {
  const auto one = put_text("n", "one").position;
  const auto two = put_text("n", "two").position;
  remove({"note", "n"});
  const auto removed = *read()->position();
  const auto again = put_text("n", "again").position;
  const auto txn = read();
  const auto body_at = [&](JournalPosition position) {
    const auto object = txn->get_as_of(engine(), {"note", "n"}, position);
    return object ? object->body : "absent";
  };

  EXPECT_EQ(body_at(one - 1), "absent");
  EXPECT_EQ(body_at(one), "one");
  EXPECT_EQ(body_at(two), "two");
  EXPECT_EQ(body_at(removed), "absent");
  EXPECT_EQ(body_at(again), "again");
  EXPECT_EQ(body_at(again + 1000), "again");
  EXPECT_EQ(txn->get_as_of(engine(), {"note", "n"}, one)->revision, 1);
}

TEST_P(StoreConformance, ATimeNamesTheNewestPositionAtOrBeforeIt) {
  const Object a = put_text("a", "1");
  clock_.advance(std::chrono::hours(1));
  put({.key = {"note", "x"}}, "elsewhere");
  const Object b = put_text("b", "2");
  clock_.advance(std::chrono::hours(1));
  const Object c = put_text("c", "3");
  const auto txn = read();

  EXPECT_EQ(*txn->position_at(kStart - std::chrono::seconds(1)), 0);
  EXPECT_EQ(*txn->position_at(a.updated_at), a.position);
  EXPECT_EQ(*txn->position_at(b.updated_at - std::chrono::minutes(1)), a.position);
  EXPECT_EQ(*txn->position_at(b.updated_at), b.position);
  EXPECT_EQ(*txn->position_at(c.updated_at + std::chrono::hours(5)), c.position);
}

TEST_P(StoreConformance, PositionsGrowAcrossSpacesAndNeverFall) {
  EXPECT_EQ(*read()->position(), 0);
  const auto a = put({.key = {"note", "n"}}, "one").position;
  const auto b = put({.key = {"note", "n"}}, "two").position;
  const auto access = admin();
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.erase_space(access, SpaceId{"two"}); }));

  EXPECT_GT(b, a);
  EXPECT_GT(*read()->position(), b) << "that it went is news";
  harness_->reopen();
  EXPECT_GE(*read()->position(), b);
  EXPECT_GT(put({.key = {"note", "m"}}, "one").position, b);
}

TEST_P(StoreConformance, TheJournalIsReadInBothDirections) {
  for (int i = 0; i < 10; ++i) put_text(std::to_string(i), "x");
  const auto txn = read();

  const auto forward = *txn->journal_after(engine(), 4, 3);
  const auto backward = *txn->journal_before(engine(), 4, 2);
  const auto end = *txn->journal_after(engine(), 8, 100);

  ASSERT_EQ(forward.size(), 3u);
  EXPECT_EQ(forward[0].position, 5);
  EXPECT_EQ(forward[2].position, 7);
  ASSERT_EQ(backward.size(), 2u);
  EXPECT_EQ(backward[0].position, 3);
  EXPECT_EQ(backward[1].position, 2);
  EXPECT_EQ(end.size(), 2u);
  EXPECT_TRUE(txn->journal_after(engine(), 10, 5)->empty());
  EXPECT_EQ(txn->journal_before(engine(), INT64_MAX, 100)->size(), 10u);
}

TEST_P(StoreConformance, EntriesWrittenTogetherShareTheirChange) {
  const auto access = engine();
  put_text("before", "x");
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "a"}}));
                HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "b"}}));
                return {};
              }).has_value());

  const auto entries = *read()->journal_after(engine(), 0, 10);

  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].change, entries[0].position);
  EXPECT_EQ(entries[1].change, entries[1].position);
  EXPECT_EQ(entries[2].change, entries[1].position);
  EXPECT_EQ(entries[1].at, entries[2].at);
  EXPECT_LT(entries[0].at, entries[1].at);
}

TEST_P(StoreConformance, EveryWriteIsLaterThanTheOneBeforeEvenAfterReopening) {
  Timestamp last = {};
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                  EXPECT_GT(txn.now(), last);
                  last = txn.now();
                  HOLDFAST_CHECK_OK(txn.put(engine(), {.key = {"note", std::to_string(i)}}));
                  return {};
                }).has_value());
    harness_->reopen();
  }
}

TEST_P(StoreConformance, AReplayedJournalLooksLikeTheOriginal) {
  put({.key = {"note", "n"}, .body = "one", .message = "why"});
  put({.key = {"note", "n"}, .body = "two", .projection = {.facets = {Facet::of("tag", "x")}}});
  remove({"note", "n"});
  put({.key = {"note", "kept"}, .body = "here"});
  auto history = *read()->history(engine(), {"note", "n"}, 10);
  std::reverse(history.begin(), history.end());
  const auto target = engine("copy");

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                for (const auto& record : history) {
                  const Projection projection = record.object.body == "two"
                                                    ? Projection{.facets = {Facet::of("tag", "x")}}
                                                    : Projection{};
                  HOLDFAST_CHECK_OK(txn.replay(target, record.object, projection, record.entry));
                }
                return {};
              }).has_value());

  auto copied = *read()->history(target, {"note", "n"}, 10);
  std::reverse(copied.begin(), copied.end());
  ASSERT_EQ(copied.size(), history.size());
  for (size_t i = 0; i < copied.size(); ++i) {
    EXPECT_EQ(copied[i].object.body, history[i].object.body);
    EXPECT_EQ(copied[i].object.revision, history[i].object.revision);
    EXPECT_EQ(copied[i].object.updated_at, history[i].object.updated_at);
    EXPECT_EQ(copied[i].entry.at, history[i].entry.at);
    EXPECT_EQ(copied[i].entry.action, history[i].entry.action);
    EXPECT_EQ(copied[i].entry.message, history[i].entry.message);
    EXPECT_EQ(copied[i].entry.principal, history[i].entry.principal);
    EXPECT_EQ(copied[i].deleted, history[i].deleted);
    EXPECT_GT(copied[i].entry.position, history.back().entry.position);
  }
  EXPECT_EQ(code_of(get({"note", "n"}, "copy")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(write([&](WriteTxn& txn) {
              return txn.replay(target, history[0].object, {}, history[0].entry);
            })),
            ErrorCode::kConflict);
  EXPECT_TRUE(store().check()->empty());
}

TEST_P(StoreConformance, AReplayedErasureLeavesOnlyATombstone) {
  const auto target = engine("copy");
  const JournalEntry entry{.at = kStart, .action = "erased", .key = {"note", "n"}, .revision = 2};

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                HOLDFAST_CHECK_OK(txn.put(target, {.key = {"note", "n"}, .body = "secret"}));
                return txn.replay(target, {.key = {"note", "n"}, .revision = 2}, {}, entry);
              }).has_value());

  EXPECT_EQ(code_of(read()->history(target, {"note", "n"}, 10)), ErrorCode::kNotFound);
  EXPECT_EQ(read()->journal_after(target, 0, 10)->back().action, journal_action::kErased);
}

}  // namespace
}  // namespace holdfast::storage
