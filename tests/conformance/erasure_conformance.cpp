// What is erased is gone: from reads, from history, from stored answers, and from the disk.
#include <thread>

#include "base/digest.h"
#include "store_harness.h"

namespace holdfast::storage {
namespace {

std::string secret(int n) { return "zq-" + to_hex(sha256(std::to_string(n))) + "-secret"; }

TEST_P(StoreConformance, AnAnswerAboutAWholeWriteIsErasedWithAnythingItPut) {
  const auto access = engine();
  const auto answer_of = [&](const std::string& key) {
    return (*read()->find_idempotency(access, {"ada", "POST /notes", key})).value();
  };
  put_text("stranger", "before");
  for (const std::string write_name : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                  for (const char* id : {"1", "2", "3"})
                    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", write_name + id}}));
                  return txn.put_idempotency(access, {.key = {"ada", "POST /notes", write_name},
                                                      .body = "tells",
                                                      .about = {ObjectKey{}}});
                }).has_value());
  }
  const auto erase = [&](const std::string& id) {
    ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.erase(access, {"note", id}, ""); }));
  };

  erase("stranger");
  EXPECT_EQ(answer_of("a").body, "tells");
  erase("a2");
  put_text("b3", "changed since");
  erase("b3");
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.remove(access, {"note", "c1"}, ""); }));
  EXPECT_EQ(answer_of("c").body, "tells");
  erase("c1");

  for (const char* gone : {"a", "b", "c"}) {
    EXPECT_EQ(answer_of(gone).body, "") << gone;
    EXPECT_EQ(answer_of(gone).state, "erased") << gone;
  }
  EXPECT_EQ(answer_of("d").body, "tells");
}

TEST_P(StoreConformance, ErasureRemovesBodyRevisionsFacetsAndLinks) {
  put({.key = {"note", "n"}, .body = secret(1), .message = secret(2)});
  put({.key = {"note", "n"},
       .body = secret(3),
       .projection = {.facets = {Facet::of("title", secret(4))},
                      .links = {{"about", {"task", "t"}, secret(5)}}},
       .message = secret(6)});
  put_text("bystander", "still here");

  const auto access = engine();
  ASSERT_TRUE(write([&](WriteTxn& txn) {
                return txn.erase(access, {"note", "n"}, "asked for");
              }).has_value());

  const auto txn = read();
  EXPECT_EQ(code_of(txn->get(engine(), {"note", "n"})), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->history(engine(), {"note", "n"}, 10)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->get_as_of(engine(), {"note", "n"}, 1)), ErrorCode::kNotFound);
  EXPECT_TRUE(txn->neighbours(engine(), {"task", "t"}, "", 10)->empty());
  const auto journal = *txn->journal_after(engine(), 0, 10);
  ASSERT_EQ(journal.size(), 4u);
  EXPECT_EQ(journal[0].message, "");
  EXPECT_EQ(journal[1].message, "");
  EXPECT_EQ(journal[3].action, journal_action::kErased);
  EXPECT_EQ(journal[3].message, "asked for");
  for (int i = 1; i <= 6; ++i) EXPECT_FALSE(harness_->on_disk(secret(i))) << i;
  EXPECT_TRUE(harness_->on_disk("still here"));
}

TEST_P(StoreConformance, ErasureEmptiesStoredAnswersAndBlobs) {
  const auto access = engine();
  put_text("n", secret(1));
  ASSERT_TRUE(
      write([&](WriteTxn& txn) -> Status {
        HOLDFAST_CHECK_OK(txn.put_idempotency(access, {.key = {"ada", "POST /notes", "k1"},
                                                       .fingerprint = "f",
                                                       .status = 201,
                                                       .body = secret(2),
                                                       .extra = secret(3),
                                                       .about = {{"task", "t"}, {"note", "n"}}}));
        HOLDFAST_CHECK_OK(txn.put_idempotency(
            access,
            {.key = {"ada", "POST /notes", "k2"}, .body = "kept", .about = {{"note", "m"}}}));
        const BlobInfo blob{.id = "b", .owner = {"note", "n"}};
        HOLDFAST_CHECK_OK(txn.put_blob_chunk(access, blob, 0, secret(4)));
        return txn.put_blob_chunk(access, blob, 1, std::string(200'000, 'x') + secret(5));
      }).has_value());

  erase({"note", "n"});

  const auto txn = read();
  const auto answer = *txn->find_idempotency(engine(), {"ada", "POST /notes", "k1"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->state, "erased");
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(answer->extra, "");
  EXPECT_EQ(answer->fingerprint, "f");
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ((*txn->find_idempotency(engine(), {"ada", "POST /notes", "k2"}))->body, "kept");
  EXPECT_EQ(code_of(txn->blob(engine(), "b")), ErrorCode::kNotFound);
  for (int i = 1; i <= 5; ++i) EXPECT_FALSE(harness_->on_disk(secret(i))) << i;
}

TEST_P(StoreConformance, WhatWasDeletedBeforeCanBeErased) {
  put_text("n", secret(1));
  remove({"note", "n"});
  EXPECT_TRUE(harness_->on_disk(secret(1)));

  erase({"note", "n"});

  EXPECT_EQ(code_of(read()->history(engine(), {"note", "n"}, 10)), ErrorCode::kNotFound);
  EXPECT_FALSE(harness_->on_disk(secret(1)));
  const auto access = engine();
  EXPECT_EQ(code_of(write([&](WriteTxn& txn) {
              return txn.erase(access, {"note", "n"}, "");
            })),
            ErrorCode::kNotFound);
}

// Rows move between pages as a store grows; no copy of an erased row may stay where it once was.
TEST_P(StoreConformance, ErasedBytesLeaveTheDiskAfterManyReorganisations) {
  const auto access = engine();
  constexpr int kObjects = 600;
  const auto put_one = [&](WriteTxn& txn, int i, const std::string& padding) -> Status {
    const std::string id = to_hex(sha256("id" + std::to_string(i))).substr(0, 12);
    HOLDFAST_CHECK_OK(txn.put(
        access, {.key = {"note", id},
                 .body = secret(i) + padding,
                 .projection = {.facets = {Facet::of("title", secret(i)), Facet::of("tag", id)}},
                 .message = secret(i)}));
    return {};
  };
  for (int i = 0; i < kObjects; ++i) {
    ASSERT_TRUE(write([&](WriteTxn& txn) {
      return put_one(txn, i, std::string(static_cast<size_t>(i * 37 % 1500), 'p'));
    }));
  }
  for (int i = 0; i < kObjects; i += 3) {
    ASSERT_TRUE(write([&](WriteTxn& txn) {
      return put_one(txn, i, std::string(static_cast<size_t>(i * 91 % 2500), 'q'));
    }));
  }

  for (int first = 0; first < kObjects; first += 20) {
    ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
      for (int i = first; i < first + 20; i += 2) {
        const std::string id = to_hex(sha256("id" + std::to_string(i))).substr(0, 12);
        HOLDFAST_CHECK_OK(txn.erase(access, {"note", id}, ""));
      }
      return {};
    }));
  }

  int left = 0;
  for (int i = 0; i < kObjects; i += 2) left += harness_->on_disk(secret(i)) ? 1 : 0;
  EXPECT_EQ(left, 0);
  EXPECT_TRUE(harness_->on_disk(secret(1)));
  EXPECT_TRUE(store().check()->empty());
}

TEST_P(StoreConformance, ErasureSucceedsWhileSomebodyReadsAnOlderStateAndEndsWithTheReader) {
  put_text("n", secret(1));
  auto reader = read();
  ASSERT_TRUE(reader->get(engine(), {"note", "n"}).has_value());

  erase({"note", "n"});
  EXPECT_TRUE(reader->get(engine(), {"note", "n"}).has_value());
  reader.reset();

  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (harness_->on_disk(secret(1)) && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  EXPECT_FALSE(harness_->on_disk(secret(1)));
}

TEST_P(StoreConformance, AnErasedSpaceLeavesNothing) {
  put({.key = {"note", "n"}, .body = secret(1)}, "secret");
  put_text("n", "in default");
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.erase_space(access, SpaceId{"secret"}); }));

  EXPECT_FALSE(store().space_exists(SpaceId{"secret"}));
  EXPECT_EQ(code_of(get({"note", "n"}, "secret")), ErrorCode::kNotFound);
  EXPECT_TRUE(read()->journal_after(engine("secret"), 0, 10)->empty());
  EXPECT_FALSE(harness_->on_disk(secret(1)));
  EXPECT_EQ(get({"note", "n"})->body, "in default");
  EXPECT_EQ(
      code_of(write([&](WriteTxn& txn) { return txn.erase_space(access, SpaceId{"secret"}); })),
      ErrorCode::kNotFound);
}

TEST_P(StoreConformance, TheDefaultSpaceCanBeEmptiedButNotLost) {
  put_text("n", "x");
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.erase_space(access, kDefaultSpace); }));

  EXPECT_TRUE(store().space_exists(kDefaultSpace));
  EXPECT_EQ(code_of(get({"note", "n"})), ErrorCode::kNotFound);
  put_text("n", "new");
  EXPECT_EQ(get({"note", "n"})->body, "new");
}

}  // namespace
// Stores may note who is told about when they like; an erasure finds all of them.
TEST_P(StoreConformance, AnswersAboutSeveralObjectsAreEmptiedHoweverManyThereAre) {
  constexpr int kMany = 1300;
  for (const char* id : {"a", "b", "c"}) put_text(id, "text");
  const auto access = engine();
  const auto key = [](int n) { return IdempotencyKey{"ada", "POST /notes", std::to_string(n)}; };
  const auto record = [&](int n, std::vector<ObjectKey> about) {
    return IdempotencyRecord{.key = key(n), .body = "told", .about = std::move(about)};
  };
  const auto body = [&](int n) { return (**read()->find_idempotency(access, key(n))).body; };
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    for (int n = 0; n < kMany; ++n) {
      const ObjectKey other{"note", n % 2 == 0 ? "a" : "c"};
      HOLDFAST_CHECK_OK(txn.put_idempotency(access, record(n, {other, {"note", "b"}})));
    }
    return {};
  }));

  erase({"note", "a"});

  for (int n = 0; n < kMany; ++n) ASSERT_EQ(body(n), n % 2 == 0 ? "" : "told") << n;
  // One that has gone leaves nothing behind for the next.
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put_idempotency(access, record(kMany, {{"note", "b"}, {"note", "c"}})));
    HOLDFAST_CHECK_OK(txn.remove_idempotency(access, key(kMany)));
    return txn.put_idempotency(access, record(kMany + 1, {}));
  }));
  erase({"note", "c"});
  EXPECT_EQ(body(1), "");
  EXPECT_EQ(body(kMany + 1), "told");
}

}  // namespace holdfast::storage
