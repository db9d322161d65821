// What a caller whose token is for some containers may learn: of the others, nothing.
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/log.h"
#include "search/index.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/pipeline.h"
#include "service/recall/query_service.h"
#include "service/recall/queue_service.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::recall {
namespace {

constexpr Timestamp kStart = from_micros(1'700'000'000'000'000);

class RecallServiceTest : public testing::Test {
 protected:
  RecallServiceTest() {
    log::configure(log::Format::kText, log::Level::kOff);
    std::string name = (std::filesystem::temp_directory_path() / "holdfast_recall_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    store_ = std::move(
        *storage::open_sqlite_store({.path = (folder_ / "h.db").string(), .clock = clock_}));
    store_->add_listener(index_);
    gatekeeper_.emplace(*store_, true);
  }
  ~RecallServiceTest() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  // The owner, or a caller for one container.
  static CallContext caller(std::optional<std::string> container = {}) {
    CallContext call;
    call.scopes = {"read", "write"};
    call.viewer = {.every_owner = !container,
                   .reach = Visibility::kOwner,
                   .clearance = Sensitivity::kSensitive};
    if (container) call.viewer.containers = {{*container}};
    return call;
  }
  static NewItem said(std::string id, std::string container) {
    return {.source_type = "chat",
            .source_id = std::move(id),
            .content_type = "text/plain",
            .content = "We decided to paint the depot green.",
            .container_ref = std::move(container),
            .visibility = Scope::kContainer,
            .role = "assistant"};
  }
  std::string stored(const NewItem& item) {
    return (*ingest().ingest(caller(), {item}))[0].item.about.source_item_id;
  }
  std::string memory_of(const std::string& item) {
    jobs::JobRunner runner(*store_, *gatekeeper_, clock_);
    Pipeline pipeline(*store_, *gatekeeper_, index_, backlog_, {});
    pipeline.add_to(runner);
    EXPECT_TRUE(runner.start());
    EXPECT_TRUE(runner.drain(std::chrono::steady_clock::now() + std::chrono::seconds(10)));
    const auto state = ingest().state(caller(), item);
    return state->memories.empty() ? "" : state->memories.front().id;
  }
  IngestService ingest(QueueSettings queue = {}) {
    return {*store_, *gatekeeper_, backlog_, queue};
  }

  std::filesystem::path folder_;
  ManualClock clock_{kStart};
  search::Index index_{{.background = false}};
  std::unique_ptr<storage::Store> store_;
  std::optional<access::Gatekeeper> gatekeeper_;
  Backlog backlog_;
};

TEST_F(RecallServiceTest, AnItemBeyondTheTokenIsAbsent) {
  const std::string id = stored(said("1", "yard"));
  EXPECT_TRUE(ingest().state(caller("yard"), id).has_value());
  const auto hidden = ingest().state(caller("sea"), id);
  ASSERT_FALSE(hidden.has_value());
  EXPECT_EQ(hidden.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(hidden.error().message, not_found(item_noun().kind, id).message)
      << "and looks like any other absent one";
}

TEST_F(RecallServiceTest, ARepetitionBeyondTheTokenLooksNew) {
  const std::string id = stored(said("1", "yard"));
  memory_of(id);
  const auto again = ingest().ingest(caller("sea"), {said("1", "sea")});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ((*again)[0].item.status, "pending");
  EXPECT_TRUE((*again)[0].memories.empty());
  EXPECT_EQ((*ingest().state(caller(), id)).item.about.container_ref, "yard");
}

TEST_F(RecallServiceTest, WritingBeyondTheTokenIsRefused) {
  const auto refused = ingest().ingest(caller("sea"), {said("1", "sea"), said("2", "yard")});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kPermissionDenied);
}

TEST_F(RecallServiceTest, MemoryBeyondTheTokenIsAbsent) {
  const std::string memory = memory_of(stored(said("1", "yard")));
  ASSERT_FALSE(memory.empty());
  MemoryService memories(*store_, *gatekeeper_);
  EXPECT_TRUE(memories.expand(caller("yard"), {memory, "yard"}).has_value());
  EXPECT_EQ(memories.expand(caller("sea"), {memory, "yard"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(memories.flag(caller("sea"), {memory, "wrong", "me", true}).error().code,
            ErrorCode::kNotFound);
  const auto flagged = memories.flag(caller("yard"), {memory, "wrong", "me", true});
  ASSERT_TRUE(flagged.has_value());
  EXPECT_EQ(flagged->flag_count, 1) << "the refused flag left nothing";
}

TEST_F(RecallServiceTest, QueueHealthCountsWhatTheTokenReaches) {
  stored(said("1", "yard"));
  stored(said("2", "yard"));
  stored(said("3", "sea"));
  QueueService queue(*store_, *gatekeeper_, index_, clock_, {});
  EXPECT_EQ(queue.health(caller())->counts, (std::map<std::string, int64_t>{{"pending", 3}}));
  EXPECT_EQ(queue.health(caller("sea"))->counts, (std::map<std::string, int64_t>{{"pending", 1}}));
}

// What only repeats the question is left out, however often it was asked: others take its place.
TEST_F(RecallServiceTest, RepeatedQuestionsDoNotCrowdOutAnswers) {
  const std::string question = "which colour has the depot roof";
  for (int i = 0; i < 14; ++i) {
    NewItem item = said("q" + std::to_string(i), "yard");
    item.content = question;
    item.role = "user";
    stored(item);
  }
  for (int i = 0; i < 3; ++i) {
    NewItem item = said("a" + std::to_string(i), "yard");
    item.content = "Somebody painted the depot at noon, roof and doors, layer " + std::to_string(i);
    stored(item);
  }
  const QueryService service(*store_, *gatekeeper_, index_, clock_);
  const auto run = service.run(
      caller(), {.text = question, .container_ref = "yard", .visibility = Scope::kContainer});
  ASSERT_TRUE(run.has_value());
  ASSERT_EQ(run->results.size(), 3U);
  for (const Candidate* result : run->results) EXPECT_EQ(result->item.about.source_id.front(), 'a');
}

TEST_F(RecallServiceTest, AFullQueueAsksForPatience) {
  const QueueSettings tight{.most_waiting = 1};
  IngestService service = ingest(tight);
  ASSERT_TRUE(service.ingest(caller(), {said("1", "yard")}).has_value());
  const auto refused = service.ingest(caller(), {said("2", "yard")});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(refused.error().retry_after_seconds, 1);
  memory_of(derived_id({"item", "chat", "1"}));
  EXPECT_TRUE(service.ingest(caller(), {said("2", "yard")}).has_value()) << "it was worked off";
}

TEST_F(RecallServiceTest, AnExtractorThatThrowsFailsItsItemAndNoOther) {
  const std::string bad = stored(said("bad", "yard"));
  NewItem fine = said("fine", "yard");
  fine.content = "We decided to mend the roof.";
  const std::string good = stored(fine);
  jobs::JobRunner runner(*store_, *gatekeeper_, clock_);
  Pipeline pipeline(*store_, *gatekeeper_, index_, backlog_, {});
  pipeline.use_rules([](const Item& item) -> std::vector<Draft> {
    if (item.about.source_id == "bad") throw std::runtime_error("a rule went wrong");
    return extract(item);
  });
  pipeline.add_to(runner);
  ASSERT_TRUE(runner.start());
  for (int attempt = 1; attempt <= 3; ++attempt) {
    ASSERT_TRUE(runner.drain(std::chrono::steady_clock::now() + std::chrono::seconds(10)));
    const Item item = ingest().state(caller(), bad)->item;
    EXPECT_EQ(item.attempts, attempt);
    EXPECT_EQ(item.status, attempt < 3 ? "pending" : "failed");
    EXPECT_EQ(item.failure_category, "extractor_failure");
    EXPECT_NE(item.error->find("a rule went wrong"), std::string::npos);
    clock_.advance(std::chrono::seconds(60));
  }
  const auto other = ingest().state(caller(), good);
  EXPECT_EQ(other->item.status, "completed");
  EXPECT_EQ(other->item.attempts, 1);
  EXPECT_EQ(other->memories.size(), 1U);
  EXPECT_EQ(backlog_.waiting(), 0);
}

}  // namespace
}  // namespace holdfast::service::recall
