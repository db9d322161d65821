// The operator pages, through a real process: off by default, open on this machine, read-only, and
// safe whatever is stored.
#include <deque>

#include <gtest/gtest.h>

#include "contract/continuity/calls.h"
#include "http/test_client.h"

namespace holdfast::testing {
namespace {

// Markup in place of a field's content.
std::string hot(const std::string& name) { return "<script>" + name + "</script>"; }
std::string quoted(const std::string& name) { return "\"" + hot(name) + "\""; }
std::string escaped(const std::string& name) { return "&lt;script&gt;" + name + "&lt;/script&gt;"; }

constexpr const char* kHotId = "%3Cscript%3Esubject%3C%2Fscript%3E";

const std::vector<std::string> kPages = {"/ui/",
                                         "/ui/continuity",
                                         "/ui/continuity/thread/parser",
                                         "/ui/continuity/user/nobody",
                                         "/ui/tasks",
                                         "/ui/schedule",
                                         "/ui/context",
                                         "/ui/context?task=parser",
                                         "/ui/graph",
                                         "/ui/graph/thread/parser",
                                         "/ui/graph/user/ann",
                                         "/ui/docs",
                                         "/ui/docs/capsules"};

class UiTest : public ::testing::Test {
 protected:
  HttpAnswer page(const std::string& target) {
    const HttpAnswer answer = relay_.get(target);
    EXPECT_EQ(answer.status, 200) << target << answer.body;
    return answer;
  }
  // Every marker is there as a text and nowhere as markup.
  static void expect_harmless(const HttpAnswer& answer, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      EXPECT_EQ(answer.body.find(hot(name)), std::string::npos) << name << answer.body;
      EXPECT_NE(answer.body.find(escaped(name)), std::string::npos) << name << answer.body;
    }
  }
  std::string position() { return text_at(relay_.get("/health"), "latest_commit"); }

  TemporaryFolder folder_;
  ServerProcess server_{
      folder_ / "data",
      {"--rate-limits", "off", "--workers", "2"},
      {{"COGNIRELAY_UI_ENABLED", "true"}, {"COGNIRELAY_UI_SSE_POLL_INTERVAL_SECONDS", "1"}}};
  Relay relay_{server_.port()};
};

TEST(UiSettingsTest, PagesAreOffUnlessAskedFor) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--rate-limits", "off"});
  for (const char* path : {"/ui", "/ui/", "/ui/continuity", "/ui/events", "/ui/style.css"})
    EXPECT_EQ(server.get(path).status, 404) << path;
}

TEST(UiSettingsTest, NoTokenIsNeededWhereOthersNeedOne) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--auth", "tokens", "--continuity-ui", "on"},
                       {{"COGNIRELAY_TOKENS", "secret"}});
  ASSERT_EQ(Relay(server.port(), "secret").upsert({.id = "parser"}).status, 200);
  EXPECT_EQ(server.get("/v1/tasks/query").status, 401);
  const auto page = server.get("/ui/continuity");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("/ui/continuity/thread/parser"), std::string::npos) << page.body;
}

TEST_F(UiTest, EveryPageIsGuardedHtml) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  for (const std::string& path : kPages) {
    const auto answer = page(path);
    EXPECT_EQ(answer.headers.at("content-type"), "text/html; charset=utf-8") << path;
    const std::string& policy = answer.headers.at("content-security-policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << path;
    EXPECT_EQ(policy.find("unsafe"), std::string::npos) << path;
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff") << path;
    // One script at most, and none inside the page.
    EXPECT_EQ(answer.body.find("<script>"), std::string::npos) << path;
    EXPECT_EQ(answer.body.find(" style="), std::string::npos) << path;
    EXPECT_TRUE(answer.body.starts_with("<!doctype html>")) << path;
    EXPECT_TRUE(answer.body.ends_with("</html>")) << path;
  }
  EXPECT_EQ(relay_.get("/ui").headers.at("location"), "/ui/");
  EXPECT_EQ(relay_.get("/ui/style.css").headers.at("content-type"), "text/css; charset=utf-8");
  EXPECT_EQ(relay_.get("/ui/nothing").status, 404);
}

TEST_F(UiTest, PagesChangeNothing) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  const std::string before = position();
  for (const std::string& path : kPages) page(path);
  EXPECT_EQ(position(), before);
  HttpClient client(server_.port());
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE"})
    EXPECT_EQ(client.request(method, "/ui/continuity").status, 405) << method;
}

TEST_F(UiTest, CapsulesAreTextsWhateverTheySay) {
  const auto list = [](const std::string& name) { return "[" + quoted(name) + "]"; };
  std::string state;
  std::vector<std::string> names;
  for (const char* name : {"working_hypotheses", "long_horizon_commitments", "session_trajectory",
                           "trailing_notes", "curiosity_queue"}) {
    state += ",\"" + std::string(name) + "\":" + list(name);
    names.emplace_back(name);
  }
  const auto add = [&](std::initializer_list<const char*> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  state += R"(,"negative_decisions":[{"decision":)" + quoted("nd") + R"(,"rationale":)" +
           quoted("ndr") + "}]";
  state += R"(,"rationale_entries":[{"tag":)" + quoted("rt") +
           R"(,"kind":"decision","status":"active","summary":)" + quoted("rs") +
           R"(,"reasoning":)" + quoted("rr") + R"(,"alternatives_considered":)" + list("ra") +
           R"(,"depends_on":)" + list("rd") + "}]";
  state += R"(,"related_documents":[{"path":"memory/a.md","kind":"note","label":)" + quoted("doc") +
           "}]";
  state += R"(,"relationship_model":{"preferred_style":)" + list("ps") +
           R"(,"sensitivity_notes":)" + list("sn") + "}";
  state +=
      R"(,"retrieval_hints":{"must_include":)" + list("mi") + R"(,"avoid":)" + list("av") + "}";
  const std::string extra = R"(,"thread_descriptor":{"label":)" + quoted("label") +
                            R"(,"keywords":)" + list("word") + R"(,"scope_anchors":)" +
                            list("scope") + R"(,"identity_anchors":[{"kind":"repo","value":)" +
                            quoted("anchor") + R"(}]},"metadata":{)" + quoted("key") + ":" +
                            quoted("value") + R"(},"attention_policy":{"early_load":)" +
                            list("early") + R"(,"presence_bias_overrides":)" + list("bias") + "}";
  add({"nd",  "ndr",   "rt",    "rs",   "rr",    "ra",     "rd",    "doc",
       "ps",  "sn",    "mi",    "av",   "label", "word",   "scope", "anchor",
       "key", "value", "early", "bias", "loop",  "subject"});
  const auto made = relay_.upsert(
      {.id = hot("subject"), .loop = hot("loop"), .extra = extra, .continuity = state});
  ASSERT_EQ(made.status, 200) << made.body;
  const auto disputed = relay_.post(
      "/v1/continuity/revalidate",
      subject_text("thread", hot("subject"),
                   R"(,"outcome":"conflict","reason":)" + quoted("why") +
                       R"(,"signals":[{"kind":"self_review","source_ref":)" + quoted("ref") +
                       R"(,"observed_at":"2026-01-01T00:00:00Z","summary":"s"}])"));
  ASSERT_EQ(disputed.status, 200) << disputed.body;
  add({"why", "ref"});
  expect_harmless(page(std::string("/ui/continuity/thread/") + kHotId), names);
  expect_harmless(page("/ui/continuity"), {"subject"});
  expect_harmless(page(std::string("/ui/context?task=x&subject_kind=thread&subject_id=") + kHotId),
                  {"subject", "label", "loop"});
  expect_harmless(page("/ui/graph"), {"subject"});
  expect_harmless(page(std::string("/ui/graph/thread/") + kHotId), {"subject"});
}

TEST_F(UiTest, PreferencesTasksAndRemindersAreTextsToo) {
  ASSERT_EQ(relay_
                .upsert({.kind = "user",
                         .id = "ann",
                         .extra = R"(,"stable_preferences":[{"tag":)" + quoted("tag") +
                                  R"(,"content":)" + quoted("content") + "}]"})
                .status,
            200);
  expect_harmless(page("/ui/continuity/user/ann"), {"tag", "content"});
  const auto task =
      relay_.post("/v1/tasks", R"({"task_id":)" + quoted("subject") + R"(,"title":)" +
                                   quoted("title") + R"(,"owner_peer":)" + quoted("owner") +
                                   R"(,"thread_id":)" + quoted("thread") + R"(,"description":)" +
                                   quoted("text") + R"(,"blocked_by":[)" + quoted("blocker") +
                                   R"(],"metadata":{"k":)" + quoted("meta") + "}}");
  ASSERT_EQ(task.status, 200) << task.body;
  expect_harmless(page("/ui/tasks"), {"subject", "title", "owner", "thread", "blocker"});
  expect_harmless(page(std::string("/ui/tasks/") + kHotId),
                  {"subject", "title", "owner", "thread", "text", "blocker", "meta"});
  expect_harmless(page(std::string("/ui/graph/task/") + kHotId), {"subject", "thread", "blocker"});
  const auto reminder =
      relay_.post("/v1/schedule/items",
                  R"({"kind":"reminder","due_at":"2099-01-01T00:00:00Z","title":)" +
                      quoted("title") + R"(,"note":)" + quoted("note") + R"(,"task_id":)" +
                      quoted("task") + R"(,"thread_id":)" + quoted("thread") + "}");
  ASSERT_EQ(reminder.status, 201) << reminder.body;
  expect_harmless(page("/ui/schedule"), {"title", "note", "task", "thread"});
}

TEST_F(UiTest, WhatIsAskedForComesBackAsText) {
  const std::string q = "%22%3E%3Cscript%3Eq%3C%2Fscript%3E";
  for (const std::string& path :
       {"/ui/continuity?q=" + q, "/ui/tasks?q=" + q, "/ui/schedule?q=" + q, "/ui/context?task=" + q,
        "/ui/graph?subject_kind=thread&subject_id=" + q})
    expect_harmless(page(path), {"q"});
  for (const std::string& path :
       {"/ui/continuity?subject_kind=" + q, "/ui/tasks?status=" + q, "/ui/docs/" + q,
        "/ui/tasks/" + q, "/ui/continuity/" + q + "/x"}) {
    const auto refused = relay_.get(path);
    EXPECT_GE(refused.status, 400) << path;
    EXPECT_LT(refused.status, 500) << path;
    EXPECT_EQ(refused.body.find("<script>"), std::string::npos) << path << refused.body;
  }
}

TEST_F(UiTest, FiltersNarrowTheTables) {
  ASSERT_EQ(relay_.upsert({.id = "parser-one"}).status, 200);
  ASSERT_EQ(relay_.upsert({.kind = "user", .id = "ann"}).status, 200);
  ASSERT_EQ(relay_.upsert({.id = "old"}).status, 200);
  ASSERT_EQ(
      relay_.post("/v1/continuity/archive", subject_text("thread", "old", R"(,"reason":"over")"))
          .status,
      200);
  const auto has = [&](const std::string& query, const std::string& subject) {
    return page("/ui/continuity" + query).body.find("/ui/continuity/" + subject + "\"") !=
           std::string::npos;
  };
  EXPECT_TRUE(has("", "thread/parser-one") && has("", "user/ann") && has("", "thread/old"));
  EXPECT_TRUE(has("?q=PARSER&subject_kind=&artifact_state=&health_status=", "thread/parser-one"));
  EXPECT_FALSE(has("?q=PARSER", "user/ann"));
  EXPECT_FALSE(has("?subject_kind=user", "thread/parser-one"));
  EXPECT_TRUE(has("?artifact_state=archived", "thread/old"));
  EXPECT_FALSE(has("?artifact_state=archived", "thread/parser-one"));
  EXPECT_FALSE(has("?health_status=conflicted", "thread/parser-one"));
  const std::string listed = page("/ui/continuity").body;
  for (const char* column :
       {"Kind", "Subject", "Lifecycle", "Artifact", "Recorded", "Health", "Signals"})
    EXPECT_NE(listed.find(std::string("<th scope=\"col\">") + column + "</th>"), std::string::npos);
  // Chips: how many there are of each state.
  for (const char* chip : {"active 2", "fallback 3", "archived 1", "cold 0"})
    EXPECT_NE(listed.find(chip), std::string::npos) << chip << listed;
  // A subject's other artefacts; a subject that is not there.
  EXPECT_NE(page("/ui/continuity/thread/old").body.find("archived"), std::string::npos);
  EXPECT_NE(page("/ui/continuity/thread/none").body.find("missing"), std::string::npos);
}

TEST_F(UiTest, RemindersAndTasksAreFiltered) {
  const auto remind = [&](const std::string& title, const std::string& due) {
    return text_at(relay_.post("/v1/schedule/items", R"({"kind":"reminder","title":")" + title +
                                                         R"(","due_at":")" + due + "\"}"),
                   "item.schedule_id");
  };
  remind("first-thing", "2099-01-01T00:00:00Z");
  const std::string gone = remind("gone-thing", "2099-01-02T00:00:00Z");
  ASSERT_EQ(
      relay_.post("/v1/schedule/items/" + gone + "/retire", R"({"expected_version":1})").status,
      200);
  const auto shows = [&](const std::string& target, const char* text) {
    return page(target).body.find(text) != std::string::npos;
  };
  EXPECT_TRUE(shows("/ui/schedule", "first-thing"));
  EXPECT_FALSE(shows("/ui/schedule", "gone-thing"));
  EXPECT_TRUE(shows("/ui/schedule?include_retired=true", "gone-thing"));
  EXPECT_FALSE(shows("/ui/schedule?include_retired=true&derived_state=terminal", "first-thing"));
  EXPECT_FALSE(shows("/ui/schedule?derived_state=due", "first-thing"));
  EXPECT_TRUE(shows("/ui/schedule?derived_state=scheduled&q=FIRST", "first-thing"));
  EXPECT_FALSE(shows("/ui/schedule?q=second", "first-thing"));
  ASSERT_EQ(relay_.post("/v1/tasks", R"({"task_id":"k1","title":"Alpha","owner_peer":"a"})").status,
            200);
  EXPECT_TRUE(shows("/ui/tasks?q=alp&status=open", "/ui/tasks/k1"));
  EXPECT_FALSE(shows("/ui/tasks?status=done", "/ui/tasks/k1"));
  EXPECT_FALSE(shows("/ui/tasks?q=beta", "/ui/tasks/k1"));
  EXPECT_EQ(relay_.get("/ui/tasks/none").status, 404);
}

TEST_F(UiTest, ThereAreSevenDocumentsAndNoOthers) {
  const std::string index = page("/ui/docs").body;
  size_t links = 0;
  for (size_t at = index.find("href=\"/ui/docs/"); at != std::string::npos;
       at = index.find("href=\"/ui/docs/", at + 1)) {
    const size_t begin = at + 6;
    const std::string target = index.substr(begin, index.find('"', begin) - begin);
    EXPECT_GT(page(target).body.size(), 800U) << target;
    ++links;
  }
  EXPECT_EQ(links, 7U);
  for (const char* other : {"passwd", "..%2F..%2FREADME.md", "index"})
    EXPECT_EQ(relay_.get(std::string("/ui/docs/") + other).status, 404) << other;
}

TEST_F(UiTest, SnapshotsComeAtOnceAndFollowWhatChanges) {
  http::TestClient stream(static_cast<uint16_t>(server_.port()));
  stream.send("GET /ui/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string head = stream.read_until("\r\n\r\n");
  EXPECT_NE(head.find("text/event-stream"), std::string::npos) << head;
  const std::string first = stream.read_until("\n\n");
  EXPECT_NE(first.find("event: ui-snapshot\nretry: 5000\ndata: {"), std::string::npos) << first;
  EXPECT_NE(first.find(R"("active":{"total":0)"), std::string::npos) << first;
  ASSERT_EQ(relay_.upsert({}).status, 200);
  // The change is in the next snapshot, or in the one after it.
  const std::string next = stream.read_until("\n\n") + stream.read_until("\n\n");
  EXPECT_NE(next.find(R"("active":{"total":1)"), std::string::npos) << next;
}

TEST_F(UiTest, StreamsHoldNoWorkers) {
  std::deque<http::TestClient> streams;
  for (int n = 0; n < 12; ++n) {
    auto& stream = streams.emplace_back(static_cast<uint16_t>(server_.port()));
    stream.send("GET /ui/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_NE(stream.read_until("\n\n").find("200 OK"), std::string::npos);
  }
  page("/ui/");
  EXPECT_EQ(server_.stop(), 0);
}

}  // namespace
}  // namespace holdfast::testing
