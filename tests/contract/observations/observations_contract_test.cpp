// Observations through a real socket: who sees what on which surface, lists while others write,
// counters, citations.
#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

class ObservationsContractTest : public ::testing::Test {
 protected:
  ObservationServer api_;
};

TEST_F(ObservationsContractTest, NoSurfaceShowsWhatIsSensitiveOrClosed) {
  const std::string sensitive =
      api_.made("ann", Value::object({{"summary_md", "The zebrafinch incident in detail."},
                                      {"sensitivity", "sensitive"}}));
  const std::string closed =
      api_.made("ann", Value::object({{"summary_md", "The zebrafinch budget of the board."},
                                      {"workspace_id", "workspace_shut"}}));

  EXPECT_EQ(api_.get("eve", "/observations/" + sensitive).status, 403);
  EXPECT_EQ(api_.get("eve", "/observations/" + closed).status, 404);
  for (const char* query : {"", "?q=zebrafinch", "?sort=title", "?q=%22zebrafinch+budget%22"}) {
    const auto listed = api_.get("eve", std::string("/observations") + query);
    EXPECT_EQ(size_at(listed, "data"), 0U) << listed.body;
    EXPECT_EQ(text_at(listed, "meta.total_count"), "0");
  }
  const auto searched =
      api_.send("eve", "POST", "/holdfast/v1/search", R"({"query":"zebrafinch","explain":true})");
  ASSERT_EQ(searched.status, 200) << searched.body;
  EXPECT_EQ(size_at(searched, "hits"), 0U) << searched.body;
  for (const std::string& id : {sensitive, closed}) {
    EXPECT_EQ(api_.get("eve", "/holdfast/v1/objects/observation/" + id).status, 404);
    EXPECT_EQ(api_.get("eve", "/holdfast/v1/objects/observation/" + id + "/history").status, 404);
  }
  // Ann has no clearance, but belongs to the closed workspace; the boss sees both.
  EXPECT_EQ(text_at(api_.get("ann", "/observations?q=zebrafinch"), "data.0.id"), closed);
  EXPECT_EQ(size_at(api_.get("boss", "/observations?q=zebrafinch"), "data"), 2U);
}

TEST_F(ObservationsContractTest, AnObservationIsFoundByTheNativeSearch) {
  const std::string id = api_.made("ann", Value::object({{"title", "Zebrafinch migration done"}}));

  const auto found = api_.send("eve", "POST", "/holdfast/v1/search", R"({"query":"zebrafinch"})");

  EXPECT_EQ(text_at(found, "hits.0.id"), id) << found.body;
}

TEST_F(ObservationsContractTest, WhatIsErasedIsInNoFileAndInNoAnswer) {
  const std::string single = to_json(api_.body(Value::object({{"title", "Qzsingleqz passed"}})));
  const std::string id =
      text_at(api_.send("ann", "POST", "/observations", single, "key:s:1"), "data.id");
  const std::string changed = R"({"title":"Qzchangedqz passed"})";
  ASSERT_EQ(api_.send("ann", "PATCH", "/observations/" + id, changed, "key:s:2").status, 200);
  const std::string batch =
      R"({"commit_id":"c1","observations":[)" +
      to_json(api_.body(Value::object({{"title", "Qzfirstqz passed"}}))) + "," +
      to_json(api_.body(Value::object({{"title", "Other one passed"}}))) + "]}";
  const auto made = api_.send("ann", "POST", "/observations/batch", batch, "key:b:1");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string first = text_at(made, "data.created.0.id");
  for (const char* word : {"Qzsingleqz", "Qzchangedqz", "Qzfirstqz"})
    ASSERT_TRUE(folder_contains(api_.server().data(), word)) << word;

  for (const std::string& gone : {id, first})
    ASSERT_EQ(api_.send("boss", "DELETE", "/holdfast/v1/objects/observation/" + gone).status, 200);

  for (const char* word : {"Qzsingleqz", "Qzchangedqz", "Qzfirstqz"})
    EXPECT_FALSE(folder_contains(api_.server().data(), word)) << word;
  EXPECT_EQ(api_.send("ann", "POST", "/observations", single, "key:s:1").status, 404);
  // Whoever repeats a batch tells its titles again.
  EXPECT_EQ(api_.send("ann", "POST", "/observations/batch", batch, "key:b:1").body, made.body);
  const auto again = api_.send("ann", "POST", "/observations/batch", batch, "key:b:2");
  EXPECT_EQ(at(again, "data"), at(made, "data")) << again.body;
  EXPECT_EQ(text_at(api_.get("ann", "/observations"), "meta.total_count"), "1");
}

TEST_F(ObservationsContractTest, WhatLooksLikeASecretIsFoundByNoSearch) {
  const std::string id = api_.made(
      "ann", Value::object({{"title", "Rotation of zebrafinch"},
                            {"summary_md", std::string("password: hunter2") + "hunter2"}}));

  EXPECT_EQ(size_at(api_.get("ann", "/observations?q=zebrafinch"), "data"), 0U);
  const auto found = api_.send("ann", "POST", "/holdfast/v1/search", R"({"query":"zebrafinch"})");
  EXPECT_EQ(size_at(found, "hits"), 0U) << found.body;
  EXPECT_EQ(api_.get("ann", "/observations/" + id).status, 200);
}

TEST_F(ObservationsContractTest, PagesStayWholeWhileOthersWriteAndDelete) {
  std::vector<std::string> kept;
  std::vector<std::string> doomed;
  for (int i = 0; i < 60; ++i) {
    (i % 3 == 0 ? doomed : kept).push_back(api_.made("ann", Value::object({{"type", "decision"}})));
  }
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (size_t i = 0; !stop; ++i) {
      api_.create("bot", Value::object({{"type", "decision"}}));
      if (i < doomed.size()) api_.send("ann", "DELETE", "/observations/" + doomed[i]);
    }
  });

  std::vector<std::string> seen;
  for (const Value& item :
       api_.listed("eve", "/observations?type=decision&created_by_id=principal_ann&limit=7"))
    seen.push_back(*item.find("id")->if_string());
  stop = true;
  writer.join();

  const std::set<std::string> once(seen.begin(), seen.end());
  EXPECT_EQ(once.size(), seen.size()) << "nothing twice";
  for (const std::string& id : kept) EXPECT_TRUE(once.contains(id)) << id;
}

TEST_F(ObservationsContractTest, APageThatIsDeletedMeanwhileDoesNotEndTheList) {
  for (int i = 0; i < 3; ++i) api_.made("ann");
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (int i = 0; i < 3; ++i) {
    writers.emplace_back([&, i] {
      HttpClient client(api_.server().port());
      std::map<std::string, std::string> headers = {{"Authorization", "Bearer token-bot-0000000"},
                                                    {"Content-Type", "application/json"}};
      for (int round = 0; !stop; ++round) {
        headers["Idempotency-Key"] = std::to_string(i) + ":" + std::to_string(round);
        const auto made = client.request("POST", "/observations", to_json(api_.body()), headers);
        headers["Idempotency-Key"] += ":gone";
        client.request("DELETE", "/observations/" + text_at(made, "data.id"), "", headers);
      }
    });
  }

  HttpClient client(api_.server().port());
  int ended = 0;
  for (int i = 0; i < 6000; ++i) {
    const auto page = client.request("GET", "/observations?limit=1", "",
                                     {{"Authorization", "Bearer token-eve-0000000"}});
    if (text_at(page, "pagination.has_more") != "true") ++ended;
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(ended, 0);
}

TEST_F(ObservationsContractTest, CountersOrderListsAlsoAfterARestart) {
  const std::string seen = api_.made("ann");
  const std::string cited = api_.made("ann");
  for (int i = 0; i < 3; ++i) api_.get("eve", "/observations/" + seen);
  const auto comment = api_.send(
      "ann", "POST", "/api/v2/threads/thread_a/comments",
      R"({"body_md":"See.","citations":[{"type":"observation","ref":")" + cited + R"("}]})");
  ASSERT_EQ(comment.status, 201) << comment.body;

  for (const bool restarted : {false, true}) {
    if (restarted) api_.server().restart(SIGTERM);
    const auto by_views = api_.get("eve", "/observations?sort=-stats.view_count");
    EXPECT_EQ(text_at(by_views, "data.0.id"), seen) << restarted;
    EXPECT_EQ(text_at(by_views, "data.0.stats.view_count"), "3");
    const auto by_citations = api_.get("eve", "/observations?sort=-stats.citation_count");
    EXPECT_EQ(text_at(by_citations, "data.0.id"), cited) << restarted;
    EXPECT_EQ(text_at(by_citations, "data.0.stats.citation_count"), "1");
  }
  // A deleted thread takes its comments with it.
  EXPECT_EQ(api_.send("ann", "DELETE", "/api/v2/threads/thread_a").status, 204);
  EXPECT_EQ(text_at(api_.get("eve", "/observations/" + cited), "data.stats.citation_count"), "0");
}

// Two citations often fall into one millisecond, which is all that an answer tells of a time.
TEST_F(ObservationsContractTest, CitationsAreInTheOrderTheyWereMade) {
  for (int i = 0; i < 40; ++i) {
    const std::string cited = api_.made("ann");
    const auto thread = api_.send("ann", "POST", "/api/v2/threads",
                                  R"({"subcortex_id":"subcortex_lab","title":"Why it passed",)"
                                  R"("body_md":"It should not.","linked_observation_ids":[")" +
                                      cited + R"("]})");
    const std::string in = "/api/v2/threads/" + text_at(thread, "data.id") + "/comments";
    const auto comment = api_.send(
        "ann", "POST", in,
        R"({"body_md":"See.","citations":[{"type":"observation","ref":")" + cited + R"("}]})");

    const auto read = api_.get("eve", "/observations/" + cited);

    ASSERT_EQ(size_at(read, "data.cited_by"), 2U) << thread.body << comment.body;
    ASSERT_EQ(text_at(read, "data.cited_by.0.id"), text_at(thread, "data.id")) << read.body;
    ASSERT_EQ(text_at(read, "data.cited_by.1.id"), text_at(comment, "data.id")) << read.body;
  }
}

TEST_F(ObservationsContractTest, TheOldestOfManyCitationsAreShown) {
  const std::string cited = api_.made("ann");
  const std::string citation = R"({"type":"observation","ref":")" + cited + R"("})";
  const auto artifact = [&](const std::string& evidence) {
    return text_at(
        api_.send("boss", "POST", "/api/v2/artifacts",
                  R"({"workspace_id":"workspace_open","subcortex_id":"subcortex_lab",)"
                  R"("type":"report","title":"What was measured","body_md":")" +
                      std::string(60, 'x') + R"(","evidence_links":[)" + evidence + "]}"),
        "data.id");
  };
  std::vector<std::string> citing;
  const std::string older = artifact("");  // cites only after all others
  const std::string in = "/api/v2/threads/thread_a/comments";
  const auto comment = [&] {
    citing.push_back(text_at(
        api_.send("ann", "POST", in, R"({"body_md":"See.","citations":[)" + citation + "]}"),
        "data.id"));
  };
  for (int i = 0; i < 60; ++i) comment();
  for (int i = 0; i < 1000; ++i) citing.push_back(artifact(citation));
  for (int i = 0; i < 60; ++i) comment();
  const auto added = api_.send("boss", "POST", "/api/v2/artifacts/" + older + "/evidence",
                               R"({"evidence_links":[)" + citation + "]}");
  ASSERT_EQ(added.status, 200) << added.body;

  const auto read = api_.get("eve", "/observations/" + cited);

  ASSERT_EQ(text_at(read, "data.stats.citation_count"), "1121");
  ASSERT_EQ(size_at(read, "data.cited_by"), 100U);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(text_at(read, "data.cited_by." + std::to_string(i) + ".id"), citing[i]);
}

TEST_F(ObservationsContractTest, QueriesArePiecesOfText) {
  api_.made("ann", Value::object({{"title", "Straße naïve ☃ 東京都"},
                                  {"summary_md", "Ünïcode and don't, 50% of all_cases."}}));
  for (const char* hit : {"na%C3%AFve", "%C3%9CN%C3%8FCODE", "%E6%9D%B1%E4%BA%AC", "%E2%98%83",
                          "don%27t", "50%25", "all_c", "%22and+don%22", "TRA"}) {
    EXPECT_EQ(size_at(api_.get("eve", std::string("/observations?q=") + hit), "data"), 1U) << hit;
  }
  for (const char* miss : {"naive", "dont", "50+%25+of+none", "all+zcases", "%22don+and%22"}) {
    const auto answer = api_.get("eve", std::string("/observations?q=") + miss);
    EXPECT_EQ(size_at(answer, "data"), 0U) << miss;
    EXPECT_EQ(text_at(answer, "meta.total_count"), "0") << miss;
  }
}

}  // namespace
}  // namespace holdfast::testing
