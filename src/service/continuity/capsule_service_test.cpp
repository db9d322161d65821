// Capsules on a real store, without sockets: damage, the shelf, the folder layout.
#include "service/continuity/capsule_service.h"

#include <algorithm>
#include <random>

#include "service/continuity/service_fixture.h"
#include "service/continuity/trust.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::continuity {

std::unique_ptr<storage::Store> open_test_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

namespace {

class CapsuleServiceTest : public ServiceTest {
 protected:
  Result<Value> read(const std::string& id, bool fallback) {
    return call(
        reads_, &ReadService::read,
        Value::object(
            {{"subject_kind", "thread"}, {"subject_id", id}, {"allow_fallback", fallback}}));
  }
  // What no caller can do: a stored capsule that cannot be read.
  void damage(const std::string& id) {
    const StoredCapsule broken{.subject_kind = "thread",
                               .subject_id = id,
                               .stem = "thread-" + id,
                               .capsule = Value::object({{"subject_kind", "thread"}})};
    ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(
          txn.put(access_, storage::put_of(capsule_noun(), "thread:" + id, broken, Label{})));
      return {};
    }));
  }
};

TEST_F(CapsuleServiceTest, ADamagedCapsuleFallsBackToItsLastGoodState) {
  ASSERT_TRUE(upsert("a", "2026-02-01T00:00:00Z"));
  ASSERT_TRUE(upsert("a", "2026-02-02T00:00:00Z"));
  damage("a");
  const auto refused = read("a", false);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("Invalid continuity capsule: "));
  const auto found = read("a", true);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(text_of(*found, "source_state"), "fallback");
  EXPECT_EQ(text_of(*found->find("capsule"), "updated_at"), "2026-02-02T00:00:00Z");
  EXPECT_EQ(to_json(*found->find("recovery_warnings")),
            R"(["continuity_active_invalid","continuity_fallback_used"])");

  const Value patch = *parse_json(
      R"({"subject_kind":"thread","subject_id":"a","updated_at":"2026-02-03T00:00:00Z",
          "operations":[{"target":"continuity.open_loops","action":"append","value":"x"}]})");
  const auto patched = capsules_.patch({.call = call_, .args = patch, .raw = patch});
  ASSERT_FALSE(patched);
  EXPECT_TRUE(patched.error().message.starts_with("stored capsule is invalid: "));

  const auto again = upsert("a", "2026-01-01T00:00:00Z");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(flag_of(*again, "created"));
  EXPECT_EQ(text_of(*read("a", false), "source_state"), "active");
}

TEST_F(CapsuleServiceTest, RetrievalDegradesWhereACapsuleIsDamaged) {
  ASSERT_TRUE(upsert("a", "2026-02-28T00:00:00Z"));
  damage("a");
  damage("never-good");
  const auto ask = [&](const std::string& id) {
    const Value args =
        Value::object({{"task", "x"}, {"subject_kind", "thread"}, {"subject_id", id}});
    return retrieval_.retrieve({.call = call_, .args = args, .raw = args});
  };
  const auto found = ask("a");
  ASSERT_TRUE(found) << found.error().message;
  const Value* state = find_path(*found, "bundle.continuity_state");
  EXPECT_TRUE(flag_of(*state, "present"));
  EXPECT_TRUE(flag_of(*state, "fallback_used"));
  const auto lost = ask("never-good");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kInvalidArgument);
}

// The shelf against a plain sort of everything, while capsules come, change and go.
TEST_F(CapsuleServiceTest, TheShelfIsInTheOrderOfTheContract) {
  std::mt19937 random(7);  // NOLINT: the same every time
  std::map<std::string, Value> expected;
  for (int step = 0; step < 400; ++step) {
    const std::string id = fmt::format("s{}", random() % 60);
    if (random() % 5 == 0 && expected.contains(id)) {
      const Value args = Value::object({{"subject_kind", "thread"},
                                        {"subject_id", id},
                                        {"delete_active", true},
                                        {"delete_fallback", true},
                                        {"reason", "gone"}});
      ASSERT_TRUE(capsules_.remove({.call = call_, .args = args, .raw = args}));
      expected.erase(id);
      continue;
    }
    const std::string at = fmt::format("2026-02-{:02}T00:00:00.{:03}Z", 1 + random() % 28, step);
    const char* classes[] = {"ephemeral", "situational", "durable"};  // NOLINT
    const std::string more = fmt::format(
        R"(,"freshness":{{"freshness_class":"{}"}}{})", classes[random() % 3],
        random() % 2 == 0 ? R"(,"thread_descriptor":{"label":"L","keywords":["even"]})" : "");
    if (upsert(id, at, more)) expected[id] = *read(id, false)->find("capsule");
  }
  std::vector<SalienceKey> keys;
  for (const auto& [id, one] : expected)
    keys.push_back(salience_of(one, {.kind = "thread", .id = id}, clock_.now()));
  std::ranges::sort(keys);
  const ShelfQuery all{.states = {ArtefactState::kActive}, .limit = 1000};
  const auto ranked = shelf_.by_salience(access_, all, clock_.now(), kNoDeadline);
  ASSERT_TRUE(ranked);
  ASSERT_EQ(ranked->size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ((*ranked)[i].subject.id, keys[i].id) << i;

  const auto listed = shelf_.list(access_, all, kNoDeadline);
  ASSERT_EQ(listed->size(), expected.size());
  size_t at = 0;
  for (const auto& [id, one] : expected) EXPECT_EQ((*listed)[at++].subject.id, id);

  const ShelfQuery even{.states = {ArtefactState::kActive, ArtefactState::kFallback},
                        .traits = {trait(facet::kKeyword, "even")},
                        .limit = 1000};
  const auto with = std::ranges::count_if(
      expected, [](const auto& one) { return one.second.find("thread_descriptor") != nullptr; });
  EXPECT_EQ(shelf_.list(access_, even, kNoDeadline)->size(), static_cast<size_t>(2 * with));

  // A shelf that reads the store later has the same on it.
  Shelf later(*store_, gatekeeper_);
  later.start();
  const auto same = later.by_salience(access_, all, clock_.now(), kNoDeadline);
  ASSERT_TRUE(same);
  ASSERT_EQ(same->size(), ranked->size());
  for (size_t i = 0; i < same->size(); ++i) EXPECT_EQ((*same)[i].key, (*ranked)[i].key);
}

TEST_F(CapsuleServiceTest, SalienceOfManyIsWhatSortingAllWouldGive) {
  std::vector<SalienceKey> keys;
  ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
    for (int n = 0; n < 1100; ++n) {
      const std::string id = fmt::format("n{:04}", n);
      // Some in the same second, some ahead of the clock.
      const std::string at =
          n % 7 == 0 ? "2026-03-02T00:00:00Z"
                     : fmt::format("2026-02-{:02}T00:00:00.{:03}Z", 1 + n % 28, n % 1000);
      const StoredCapsule stored{.subject_kind = "thread",
                                 .subject_id = id,
                                 .stem = "thread-" + id,
                                 .capsule = capsule(id, at)};
      HOLDFAST_CHECK_OK(put_active(txn, access_, stored, ""));
      keys.push_back(salience_of(stored.capsule, stored.subject(), clock_.now()));
    }
    return {};
  }));
  std::ranges::sort(keys);
  const auto ranked = shelf_.by_salience(
      access_, {.states = {ArtefactState::kActive}, .limit = 300}, clock_.now(), kNoDeadline);
  ASSERT_TRUE(ranked);
  ASSERT_EQ(ranked->size(), 300U);
  for (size_t i = 0; i < 300; ++i) EXPECT_EQ((*ranked)[i].subject.id, keys[i].id) << i;
}

}  // namespace
}  // namespace holdfast::service::continuity
