// Documents that a context brings along: what is looked through for them, and which come first.
#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

class DocumentsTest : public ::testing::Test {
 protected:
  void must(const std::string& target, const std::string& json) {
    const auto done = relay_.post(target, json);
    ASSERT_LT(done.status, 300) << done.body;
  }
  HttpAnswer retrieve(const std::string& task, int limit = 10) {
    return relay_.post("/v1/context/retrieve",
                       R"({"task":")" + task + R"(","limit":)" + std::to_string(limit) + "}");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  Relay relay_{server_.port()};
};

TEST_F(DocumentsTest, EqualScoresAreCutByTheirPaths) {
  std::vector<int> order(130);
  std::iota(order.begin(), order.end(), 100);
  std::ranges::shuffle(order, std::mt19937(7));
  for (const int i : order)
    must("/v1/tasks",
         R"({"task_id":"m)" + std::to_string(i) + R"(","owner_peer":"p","title":"same manyword"})");

  const auto found = retrieve("manyword", 3);

  ASSERT_EQ(size_at(found, "bundle.recent_relevant"), 3U) << found.body;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(text_at(found, "bundle.recent_relevant." + std::to_string(i) + ".path"),
              "tasks/open/m10" + std::to_string(i) + ".json");
}

TEST_F(DocumentsTest, AllTextsOfTasksAndRemindersAreLookedThrough) {
  must("/v1/tasks", R"({"task_id":"k","owner_peer":"ownqq","title":"t","description":"descqq",
                        "collaborators":["colqq"],"thread_id":"thrqq","blocked_by":["blkqq"],
                        "metadata":{"m":{"nameqq":["mdqq"]}}})");
  must("/v1/schedule/items", R"({"kind":"reminder","title":"r","note":"noteqq","task_id":"tskqq",
                                 "subject_kind":"thread","subject_id":"subjqq",
                                 "due_at":"2099-01-01T00:00:00Z","metadata":{"k":"metaqq"}})");
  for (const char* word : {"ownqq", "descqq", "colqq", "thrqq", "blkqq", "nameqq", "mdqq", "noteqq",
                           "tskqq", "subjqq", "metaqq"})
    EXPECT_EQ(size_at(retrieve(word), "bundle.recent_relevant"), 1U) << word;
}

TEST_F(DocumentsTest, AnAnchorIsAskedForByKindAndValueAsTheyAre) {
  ASSERT_EQ(relay_
                .upsert({.extra = R"(,"thread_descriptor":{"label":"l","identity_anchors":)"
                                  R"([{"kind":"repo","value":"x/y"}]})"})
                .status,
            200);
  const auto count = [&](const char* kind, const char* value) {
    return text_at(relay_.post("/v1/continuity/list", std::string(R"({"anchor_kind":")") + kind +
                                                          R"(","anchor_value":")" + value + "\"}"),
                   "count");
  };
  EXPECT_EQ(count(" Repo ", "x/y"), "1");
  EXPECT_EQ(count("repo/x", "y"), "0");
}

TEST_F(DocumentsTest, HistoryKnowsWhenWhatIsGoneWasChanged) {
  ASSERT_EQ(relay_.upsert({.id = "hh"}).status, 200);
  must("/v1/continuity/archive", subject_text("thread", "hh", R"(,"reason":"done")"));
  must("/v1/continuity/delete",
       subject_text("thread", "hh", R"(,"delete_fallback":true,"reason":"done")"));

  const auto history = relay_.get("/holdfast/v1/objects/capsule/thread%3Ahh/history");

  EXPECT_EQ(history.body.find("1970-"), std::string::npos) << history.body;
}

TEST(PeerTest, IsNamedByTheHandleWhereTheTokenNamesNone) {
  TemporaryFolder folder;
  std::ofstream(folder / "tokens.json")
      << R"({"principals":[{"id":"principal_n","handle":"narrow"}],
      "tokens":[{"principal_id":"principal_n","token":"narrow-token-0123456",
                 "scopes":["read:files","write:projects"]}]})";
  ServerProcess server(folder / "data",
                       {"--auth", "tokens", "--bootstrap", folder / "tokens.json"});
  Relay relay(server.port(), "narrow-token-0123456");

  const auto made =
      relay.post("/v1/coordination/shared/create", R"({"title":"t","constraints":["x"]})");

  EXPECT_EQ(text_at(made, "shared.owner_peer"), "narrow") << made.body;
  const auto outside =
      relay.post("/v1/tasks", R"({"task_id":"../../../x","title":"x","owner_peer":"p"})");
  EXPECT_EQ(outside.status, 403) << outside.body;
}

}  // namespace
}  // namespace holdfast::testing
