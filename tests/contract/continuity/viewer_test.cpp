// What a caller may not see changes nothing that it is told.
#include <fstream>
#include <memory>

#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

class ViewerTest : public ::testing::Test {
 protected:
  ViewerTest() {
    std::ofstream(folder_ / "tokens.json") << R"({"principals":[
        {"id":"p1","handle":"owner"},{"id":"p2","handle":"guest"}],
      "tokens":[
        {"principal_id":"p1","token":"owner-token-0123456789","peer_id":"owner",
         "scopes":["admin:peers","read:files","search","write:projects"]},
        {"principal_id":"p2","token":"guest-token-0123456789","peer_id":"guest",
         "scopes":["read:files","search","write:projects"],
         "read_namespaces":["memory/continuity/thread-mine.json","tasks/done"],
         "write_namespaces":["memory/continuity","tasks"]},
        {"principal_id":"p2","token":"nowhere-token-01234567","peer_id":"guest",
         "scopes":["read:files","search","write:projects"],
         "read_namespaces":[],"write_namespaces":[]}]})";
    server_ = std::make_unique<ServerProcess>(
        folder_ / "data", std::vector<std::string>{"--auth", "tokens", "--rate-limits", "off",
                                                   "--bootstrap", folder_ / "tokens.json"});
    owner_ = std::make_unique<Relay>(server_->port(), "owner-token-0123456789");
    guest_ = std::make_unique<Relay>(server_->port(), "guest-token-0123456789");
    for (const char* id : {"mine", "other", "third"})
      EXPECT_EQ(owner_->upsert({.id = id, .extra = kDescriptor}).status, 200);
  }

  static constexpr const char* kDescriptor =
      R"(,"thread_descriptor":{"label":"Parser","keywords":["shared"]})";
  TemporaryFolder folder_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Relay> owner_;
  std::unique_ptr<Relay> guest_;
};

TEST_F(ViewerTest, HiddenMatchesDoNotCount) {
  const std::string wanted = R"({"keyword":"shared"})";
  const auto all = owner_->post("/v1/continuity/list", wanted);
  EXPECT_EQ(text_at(all, "count"), "3") << all.body;
  EXPECT_EQ(text_at(all, "unique_match"), "false");
  const auto own = guest_->post("/v1/continuity/list", wanted);
  EXPECT_EQ(text_at(own, "count"), "1") << own.body;
  EXPECT_EQ(text_at(own, "unique_match"), "true");
  const auto first = guest_->post("/v1/continuity/list", R"({"limit":1,"sort":"salience"})");
  EXPECT_EQ(text_at(first, "capsules.0.subject_id"), "mine");
  EXPECT_EQ(text_at(first, "salience_metadata.capsule_count"), "1");
}

TEST_F(ViewerTest, UniqueIsJudgedBeforeTheLimit) {
  const auto one = owner_->post("/v1/continuity/list", R"({"keyword":"shared","limit":1})");
  EXPECT_EQ(text_at(one, "count"), "1");
  EXPECT_EQ(text_at(one, "unique_match"), "false");
}

TEST_F(ViewerTest, HiddenTasksTakeNoPlace) {
  for (int i = 0; i < 5; ++i) {
    const std::string id = "k" + std::to_string(i);
    const std::string status = i == 0 ? "done" : "open";
    EXPECT_EQ(
        owner_
            ->post("/v1/tasks", R"({"task_id":")" + id + R"(","title":"t","owner_peer":"p",)" +
                                    R"("status":")" + status + R"("})")
            .status,
        200);
  }
  const auto seen = guest_->get("/v1/tasks/query?limit=1");
  EXPECT_EQ(text_at(seen, "count"), "1") << seen.body;
  EXPECT_EQ(text_at(seen, "tasks.0.task_id"), "k0");
}

TEST_F(ViewerTest, PlansKnowOnlyWhatTheCallerMayRead) {
  const auto plan = guest_->post("/v1/continuity/refresh/plan", R"({"limit":1})");
  EXPECT_EQ(text_at(plan, "count"), "1") << plan.body;
  EXPECT_EQ(text_at(plan, "candidates.0.subject_id"), "mine");
}

TEST_F(ViewerTest, WhatIsHiddenLooksAsIfItWereMissing) {
  const auto retrieve = [&](const char* id) {
    return guest_->post("/v1/context/retrieve",
                        R"({"task":"x","continuity_selectors":[{"subject_kind":"thread",)"
                        R"("subject_id":")" +
                            std::string(id) + R"("}]})");
  };
  const std::string hidden = retrieve("other").body;
  const std::string missing = retrieve("nosuch").body;
  EXPECT_NE(hidden.find("(owner only)"), std::string::npos) << hidden;
  EXPECT_NE(missing.find("(owner only)"), std::string::npos) << missing;
}

TEST_F(ViewerTest, PathsThatLeadElsewhereAreInNoNamespace) {
  const std::string rest = R"(","title":"t","owner_peer":"guest"})";
  EXPECT_EQ(guest_->post("/v1/tasks", R"({"task_id":"own)" + rest).status, 200);
  const auto refused = guest_->post("/v1/tasks", R"({"task_id":"../../peers/x)" + rest);
  EXPECT_EQ(refused.status, 403) << refused.body;
  EXPECT_EQ(text_at(refused, "detail"),
            "Invalid path for namespace check: tasks/open/../../peers/x.json");
}

TEST_F(ViewerTest, AListOfNoNamespacesAllowsNone) {
  Relay nowhere(server_->port(), "nowhere-token-01234567");

  EXPECT_EQ(text_at(nowhere.post("/v1/continuity/list", "{}"), "count"), "0");
  EXPECT_EQ(nowhere.upsert({.id = "fresh"}).status, 403);
}

}  // namespace
}  // namespace holdfast::testing
