// Corners of the contract that only a request with two faults, or a route off the main road, meets.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

std::string told(const HttpAnswer& answer) {
  std::string out = std::to_string(answer.status);
  const Value list = at(answer, "error.details");
  for (size_t i = 0; list.is_array() && i < list.if_array()->size(); ++i) {
    const std::string entry = "error.details." + std::to_string(i);
    out += " " + text_at(answer, entry + ".field") + "=" + text_at(answer, entry + ".code");
  }
  return out;
}

class ObservationsEdgesTest : public ::testing::Test {
 protected:
  HttpAnswer upload(const HttpAnswer& begun, const std::string& type, const std::string& bytes,
                    const std::string& more = "") {
    const std::string url = text_at(begun, "data.upload_url") + more;
    return HttpClient(api_.server().port())
        .request("PUT", url.substr(url.find("/uploads")), bytes, {{"Content-Type", type}});
  }
  HttpAnswer begin(const std::string& type, size_t size, const std::string& more = "") {
    return api_.send("ann", "POST", "/api/v2/attachments",
                     R"({"filename":"a.txt","content_type":")" + type + R"(","size_bytes":)" +
                         std::to_string(size) + R"(,"workspace_id":"workspace_open")" + more + "}");
  }
  HttpAnswer complete(const std::string& id) {
    return api_.send("ann", "POST", "/api/v2/attachments/" + id + "/complete", "{}");
  }
  HttpAnswer completed(const std::string& type, const std::string& bytes) {
    const auto begun = begin(type, bytes.size());
    EXPECT_EQ(upload(begun, type, bytes).status, 204);
    return complete(text_at(begun, "data.id"));
  }

  ObservationServer api_;
};

TEST_F(ObservationsEdgesTest, EveryAnswerNamesTheVersion) {
  for (const char* method : {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}) {
    for (const char* path : {"/observations", "/api/v2/observations/none", "/api/v2/nowhere"}) {
      const auto answer = api_.send("ann", method, path);
      EXPECT_EQ(answer.headers.at("x-api-version"), "2.0.0") << method << path;
      EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff") << method << path;
      EXPECT_TRUE(answer.headers.contains("x-request-id")) << method << path;
    }
  }
}

TEST_F(ObservationsEdgesTest, WhatAPathNamesIsLookedForBeforeTheQueryOfADeletionIsJudged) {
  for (const char* path : {"/api/v2/attachments/none?x=1", "/api/v2/threads/none?x=1",
                           "/api/v2/auth/api-keys/none?x=1"}) {
    EXPECT_EQ(api_.send("boss", "DELETE", path).status, 404) << path;
  }
  EXPECT_EQ(told(api_.send("boss", "DELETE", "/api/v2/threads/thread_a?x=1")),
            "400 query.x=UNKNOWN_FIELD");
  EXPECT_EQ(api_.get("boss", "/api/v2/threads/thread_a").status, 200) << "nothing was deleted";
}

TEST_F(ObservationsEdgesTest, FilesKnowNoOtherParametersThanThoseOfTheirLinks) {
  const auto begun = begin("text/plain", 1);
  EXPECT_EQ(told(upload(begun, "text/plain", "x", "&x=1")), "400 query.x=UNKNOWN_FIELD");
  ASSERT_EQ(upload(begun, "text/plain", "x").status, 204);
  const std::string id = text_at(begun, "data.id");
  ASSERT_EQ(complete(id).status, 200);

  const std::string file = "/attachments/" + id + "/a.txt";
  EXPECT_EQ(api_.get("ann", file).body, "x");
  EXPECT_EQ(told(api_.get("ann", file + "?x=1")), "400 query.x=UNKNOWN_FIELD");
  EXPECT_EQ(api_.get("eve", file + "?x=1").status, 404) << "who may not see it learns no more";
  const std::string url =
      text_at(api_.get("ann", "/api/v2/attachments/" + id), "data.download_url");
  const std::string link = url.substr(url.find("/attachments"));
  EXPECT_EQ(HttpClient(api_.server().port()).request("GET", link).body, "x");
  EXPECT_EQ(told(HttpClient(api_.server().port()).request("GET", link + "&x=1")),
            "400 query.x=UNKNOWN_FIELD");
}

TEST_F(ObservationsEdgesTest, AFileIsWhatItsFirstBytesSay) {
  const std::string png = "\x89PNG\r\n\x1a\n";
  for (const auto& [type, bytes] : {std::pair<std::string, std::string>{"image/png", png},
                                    {"image/gif", "GIF87a"},
                                    {"image/gif", "GIF89a"},
                                    {"application/zip", "PK\x05\x06"},
                                    {"text/csv", "PK,name"},
                                    {"text/plain", "RIFF"}}) {
    EXPECT_EQ(completed(type, bytes).status, 200) << type << " " << bytes;
  }
  for (const auto& [type, bytes] : {std::pair<std::string, std::string>{"image/jpeg", png},
                                    {"text/plain", png},
                                    {"application/json", "PK\x03\x04"},
                                    {"text/csv", "RIFF1234WEBP"},
                                    {"image/gif", "GIF8xx"},
                                    {"application/zip", "PKxx"}}) {
    EXPECT_EQ(told(completed(type, bytes)), "400 body.content_type=CONTENT_TYPE_MISMATCH")
        << type << " " << bytes;
  }
}

TEST_F(ObservationsEdgesTest, ANameThatCannotBeAFilesIsOfTheWrongForm) {
  const auto named = [&](const std::string& name) {
    return api_.send("ann", "POST", "/api/v2/attachments",
                     R"({"filename":")" + name + R"(","content_type":"text/plain",)" +
                         R"("size_bytes":1,"workspace_id":"workspace_open"})");
  };

  for (const std::string& name : {std::string(), std::string(256, 'a'), std::string("..")})
    EXPECT_EQ(told(named(name)), "400 body.filename=INVALID_FORMAT") << name;
  EXPECT_EQ(named(std::string(255, 'a')).status, 200);
}

// Tier T3 may keep what only looks like a secret, and is told so.
TEST_F(ObservationsEdgesTest, WhatIsFoundInAFilesNameIsTold) {
  const auto begun =
      api_.send("ann", "POST", "/api/v2/attachments",
                std::string(R"({"filename":"123-45-)") + R"(6789","content_type":"text/plain",)" +
                    R"("size_bytes":1,"workspace_id":"workspace_open"})");

  EXPECT_EQ(begun.status, 200) << begun.body;
  EXPECT_EQ(to_json(at(begun, "meta.content_warnings")),
            R"([{"field":"body.filename","code":"US_SSN","severity":"high"}])");
}

TEST_F(ObservationsEdgesTest, WhatOnlyTheServerSetsIsReadOnlyEverywhere) {
  EXPECT_EQ(told(begin("text/plain", 1, R"(,"id":"x")")), "400 body.id=READ_ONLY");
  const std::pair<const char*, const char*> cases[] = {
      {"/threads", R"("subcortex_id":"subcortex_lab","title":"A thread","body_md":"Long enough.")"},
      {"/threads/thread_a/comments", R"("body_md":"Short.")"},
      {"/tasks", R"("workspace_id":"workspace_open","title":"A task")"},
      {"/principals",
       R"("handle":"robot","display_name":"R","kind":"agent","owner_id":"principal_ann")"},
      {"/auth/api-keys", R"("name":"n","type":"pat","scopes":["read"])"}};
  for (const auto& [path, members] : cases) {
    const auto answer = api_.send("boss", "POST", std::string("/api/v2") + path,
                                  std::string("{") + members + R"(,"id":"x","created_at":"y"})");
    EXPECT_EQ(told(answer), "400 body.id=READ_ONLY body.created_at=READ_ONLY") << path;
  }
}

TEST_F(ObservationsEdgesTest, NullInANewThingIsAsIfItWereNotThere) {
  const Value nulls = Value::object({{"id", Value()},
                                     {"stats", Value()},
                                     {"foo", Value()},
                                     {"tags", Value()},
                                     {"source", Value::object({{"foo", Value()}})}});
  EXPECT_EQ(told(api_.create("ann", nulls)), "201");
  EXPECT_EQ(told(api_.create("ann", Value::object({{"title", Value()}, {"foo", Value()}}))),
            "400 body.title=REQUIRED");
  const std::string made = api_.made("ann");
  EXPECT_EQ(told(api_.send("ann", "PATCH", "/observations/" + made, R"({"id":null,"foo":null})")),
            "400 body.id=READ_ONLY body.foo=UNKNOWN_FIELD");
}

TEST_F(ObservationsEdgesTest, EverythingInAWorkspaceThatDoesNotExistIsNamed) {
  const Value body = Value::object({{"workspace_id", "none"},
                                    {"linked_subcortex_id", "subcortex_lab"},
                                    {"linked_thread_id", "none"},
                                    {"linked_task_id", "none"},
                                    {"attachment_ids", Value::array({"x"})}});
  EXPECT_EQ(told(api_.create("ann", body)),
            "400 body.workspace_id=INVALID_REFERENCE body.linked_subcortex_id=INVALID_REFERENCE "
            "body.linked_thread_id=INVALID_REFERENCE body.linked_task_id=INVALID_REFERENCE "
            "body.attachment_ids[0]=INVALID_REFERENCE");
}

TEST_F(ObservationsEdgesTest, AWorkspaceIsJudgedBeforeWhatIsInIt) {
  const auto task = [&](const char* who, const std::string& workspace, const char* subcortex) {
    return told(api_.send(who, "POST", "/api/v2/tasks",
                          R"({"title":"A task","workspace_id":")" + workspace +
                              R"(","subcortex_id":")" + subcortex + R"("})"));
  };

  EXPECT_EQ(task("boss", "none", "subcortex_lab"), "400 body.workspace_id=INVALID_REFERENCE");
  EXPECT_EQ(task("boss", "none", "none"), "400 body.workspace_id=INVALID_REFERENCE");
  EXPECT_EQ(task("boss", "workspace_shut", "subcortex_lab"),
            "400 body.subcortex_id=INVALID_REFERENCE");
}

TEST_F(ObservationsEdgesTest, EveryCitationThatLeadsNowhereIsNamed) {
  const auto answer = api_.send(
      "ann", "POST", "/api/v2/threads",
      R"({"subcortex_id":"subcortex_lab","title":"A thread","body_md":"Long enough.",)"
      R"("linked_observation_ids":["a","b"],"citations":[{"type":"observation","ref":"c"}]})");

  EXPECT_EQ(told(answer),
            "400 body.linked_observation_ids[0]=INVALID_REFERENCE "
            "body.linked_observation_ids[1]=INVALID_REFERENCE "
            "body.citations[0].ref=INVALID_REFERENCE");
}

TEST_F(ObservationsEdgesTest, NumbersOfAPayloadAreComparedByValue) {
  const auto made = [&](const char* number, const std::string& key) {
    std::string body = to_json(ObservationServer::body());
    body.insert(body.size() - 1, std::string(R"(,"metadata":{"n":)") + number + "}");
    return api_.send("ann", "POST", "/observations", body, key);
  };

  const auto first = made("10000000000000000", "numbers");
  EXPECT_EQ(made("1e16", "numbers").body, first.body);
  EXPECT_EQ(made("10000000000000001", "numbers").status, 409);
}

TEST(ObservationClockTest, MovesByAWholeNumberOfSeconds) {
  ObservationServer api({"--test-clock"});
  const auto advance = [&](const std::string& body) {
    return told(api.send("boss", "POST", "/api/v2/_test/clock", body));
  };

  EXPECT_EQ(advance("{}"), "400 body.advance_seconds=REQUIRED");
  EXPECT_EQ(advance(R"({"advance_seconds":-1})"), "400 body.advance_seconds=NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(advance(R"({"advance_seconds":9223372036854775807})"),
            "400 body.advance_seconds=NUMBER_OUT_OF_RANGE");
  EXPECT_EQ(advance(R"({"advance_seconds":1,"x":1})"), "400 body.x=UNKNOWN_FIELD");
  EXPECT_EQ(advance(R"({"advance_seconds":3.0})"), "200");

  const auto at_the_root = [&](const std::string& body) {
    return api.server().post("/_test/clock", body).status;
  };
  for (const char* good : {"0", "1", "1.0"})
    EXPECT_EQ(at_the_root(std::string(R"({"advance_seconds":)") + good + "}"), 200) << good;
  for (const char* bad : {"-1", "1.5", "1e300", "9223372036854775807", "\"1\"", "null"})
    EXPECT_EQ(at_the_root(std::string(R"({"advance_seconds":)") + bad + "}"), 400) << bad;
  EXPECT_EQ(at_the_root("{}"), 400);
}

constexpr const char* kDay = R"({"advance_seconds":86400})";

// A repetition of each gets the first answer, whatever became of what it made.
TEST(ObservationClockTest, AnswersOutliveWhatTheyTellAbout) {
  ObservationServer api({"--test-clock"});
  const auto advance = [&](int seconds) {
    const auto answer = api.send("boss", "POST", "/api/v2/_test/clock",
                                 R"({"advance_seconds":)" + std::to_string(seconds) + "}");
    ASSERT_EQ(answer.status, 200) << answer.body;
  };
  const auto gone = [&](const std::string& object) {
    const std::string history = "/holdfast/v1/objects/" + object + "/history";
    for (int i = 0; i < 400 && api.get("boss", history).status != 404; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    return api.get("boss", history).status == 404;
  };
  const auto begin = [&](const char* name) {
    return api.send("ann", "POST", "/api/v2/attachments",
                    std::string(R"({"filename":")") + name +
                        R"(","content_type":"text/plain","size_bytes":1,)"
                        R"("workspace_id":"workspace_open"})",
                    "test:file");
  };
  const auto file = begin("a.txt");
  advance(7300);
  ASSERT_TRUE(gone("attachment/" + text_at(file, "data.id")));
  EXPECT_EQ(begin("a.txt").body, file.body) << "nobody finished it";
  const auto other = begin("b.txt");
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(text_at(other, "error.details.original_request_id"), text_at(file, "meta.request_id"));

  const auto batch = [&](const char* title, const std::string& key) {
    Value items = Value::array();
    items.push(ObservationServer::body(Value::object({{"title", std::string("\u00a0 ") + title}})));
    items.push(ObservationServer::body(Value::object({{"title", "no"}})));
    items.push(ObservationServer::body());
    return api.send("ann", "POST", "/observations/batch",
                    to_json(Value::object({{"commit_id", "c"}, {"observations", items}})), key);
  };
  const auto made = batch("A \"first\" one \n", "test:batch");
  ASSERT_EQ(text_at(made, "data.created.0.title"), "A \"first\" one") << made.body;
  EXPECT_EQ(batch("A \"first\" one \n", "test:batch").body, made.body);
  const std::string id = text_at(made, "data.created.0.id");
  ASSERT_EQ(api.send("ann", "DELETE", "/observations/" + id).status, 204);
  advance(31 * 86'400);
  ASSERT_TRUE(gone("observation/" + id)) << "it is purged";
  const auto again = batch("A \"first\" one \n", "");
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(at(again, "data"), at(made, "data")) << again.body;
  const auto conflict = batch("Another one", "");
  EXPECT_EQ(conflict.status, 409);
  EXPECT_EQ(text_at(conflict, "error.details.original_request_id"),
            text_at(made, "meta.request_id"));
  EXPECT_EQ(text_at(api.get("ann", "/observations"), "meta.total_count"), "1");
}

TEST(ObservationClockTest, GoesOnAfterARestart) {
  ObservationServer api({"--test-clock"});
  ASSERT_EQ(api.send("boss", "POST", "/api/v2/_test/clock", kDay).status, 200);
  const std::string body = to_json(ObservationServer::body());
  const auto create = [&] {
    return api.send("ann", "POST", "/observations", body, "test:restart");
  };
  const auto first = create();

  api.server().restart();

  const std::string now = text_at(api.get("ann", "/observations"), "meta.timestamp");
  EXPECT_GT(now, text_at(first, "data.created_at"));
  EXPECT_EQ(size_at(api.get("ann", "/observations?created_at.lte=" + now), "data"), 1U);
  EXPECT_EQ(text_at(create(), "data.id"), text_at(first, "data.id")) << "the key is still known";
  EXPECT_GT(api.made("ann"), text_at(first, "data.id"));
  ASSERT_EQ(api.send("boss", "POST", "/api/v2/_test/clock", kDay).status, 200);
  EXPECT_NE(text_at(create(), "data.id"), text_at(first, "data.id")) << "its day is over";
}

TEST(ObservationClockTest, IdsGrowAlsoAfterItWasSetBack) {
  ObservationServer api({"--test-clock"});
  ASSERT_EQ(api.send("boss", "POST", "/api/v2/_test/clock", kDay).status, 200);
  std::string last = api.made("ann");
  api.server().stop();

  for (int start = 0; start < 2; ++start) {
    ServerProcess server(api.server().data(), {"--auth", "tokens", "--rate-limits", "off"});
    for (int i = 0; i < 2; ++i) {
      const auto answer = HttpClient(server.port())
                              .request("POST", "/observations", to_json(ObservationServer::body()),
                                       {{"Authorization", "Bearer token-ann-0000000"},
                                        {"Content-Type", "application/json"},
                                        {"Idempotency-Key", ObservationServer::fresh()}});
      const std::string next = text_at(answer, "data.id");
      EXPECT_LT(last, next) << answer.body;
      last = next;
    }
  }
}

TEST_F(ObservationsEdgesTest, ADeletedFileIsUsedByNoneOfMany) {
  const std::string file = text_at(completed("text/plain", "some text"), "data.id");
  const Value item =
      ObservationServer::body(Value::object({{"attachment_ids", Value::array({file})}}));
  Value::Array items(100, item);
  std::string last;
  for (int i = 0; i < 11; ++i) {
    const auto made = api_.send("ann", "POST", "/observations/batch",
                                to_json(Value::object({{"commit_id", "c" + std::to_string(i)},
                                                       {"observations", Value(items)}})));
    ASSERT_EQ(made.status, 201) << made.body;
    last = text_at(made, "data.created.99.id");
  }
  ASSERT_EQ(size_at(api_.get("ann", "/observations/" + last), "data.attachments"), 1U);
  EXPECT_EQ(size_at(api_.get("ann", "/api/v2/attachments/" + file), "data.used_in"), 1100U);

  const auto gone = api_.send("boss", "DELETE", "/api/v2/attachments/" + file);

  EXPECT_EQ(gone.status, 204) << gone.body;
  EXPECT_EQ(size_at(api_.get("ann", "/observations/" + last), "data.attachments"), 0U);
}

TEST_F(ObservationsEdgesTest, WhatABatchStoresIsWhatWasSentWithItsOwnIdAndTimes) {
  const std::string odd = R"(A ,"created_at":"2020-01-01 and {"id":"obs_)";
  Value items = Value::array();
  items.push(ObservationServer::body());
  items.push(ObservationServer::body(Value::object({{"title", odd}, {"summary_md", odd}})));
  items.push(ObservationServer::body(
      Value::object({{"metadata", Value::object({{"created_at", odd}, {odd, "x"}})}})));
  items.push(ObservationServer::body(Value::object({{"sensitivity", "sensitive"}})));

  const auto made =
      api_.send("boss", "POST", "/observations/batch",
                to_json(Value::object({{"commit_id", "c1"}, {"observations", items}})));

  EXPECT_EQ(made.status, 201) << made.body;
  for (size_t i = 0; i < items.if_array()->size(); ++i) {
    const Value& sent = (*items.if_array())[i];
    const std::string id = text_at(made, "data.created." + std::to_string(i) + ".id");
    const auto shown = api_.get("boss", "/observations/" + id);
    EXPECT_EQ(text_at(shown, "data.id"), id);
    EXPECT_EQ(text_at(shown, "data.title"), *sent.find("title")->if_string());
    EXPECT_EQ(text_at(shown, "data.summary_md"), *sent.find("summary_md")->if_string());
    EXPECT_EQ(text_at(shown, "data.created_by_id"), "principal_boss");
    EXPECT_EQ(text_at(shown, "data.sensitivity"), i == 3 ? "sensitive" : "normal");
    EXPECT_GT(text_at(shown, "data.created_at"), "2025-");
    EXPECT_EQ(text_at(shown, "data.updated_at"), text_at(shown, "data.created_at"));
  }
}

TEST_F(ObservationsEdgesTest, ItemsOfABatchAreJudgedByTheirOwnReferences) {
  const auto linked = [](const char* thread) {
    return ObservationServer::body(Value::object({{"linked_thread_id", thread}}));
  };
  const Value items = Value::array({linked("thread_a"), linked("thread_a"), linked("none"),
                                    linked("none"), ObservationServer::body(), linked("thread_a")});

  const auto made =
      api_.send("boss", "POST", "/observations/batch",
                to_json(Value::object({{"commit_id", "c1"}, {"observations", items}})));

  EXPECT_EQ(at(made, "data.total_created"), Value(4));
  EXPECT_EQ(at(made, "data.failed.0.index"), Value(2));
  EXPECT_EQ(at(made, "data.failed.1.index"), Value(3));
  const auto thread_of = [&](const char* place) {
    const std::string id = text_at(made, std::string("data.created.") + place + ".id");
    return at(api_.get("boss", "/observations/" + id), "data.linked_thread_id");
  };
  EXPECT_EQ(thread_of("1"), Value("thread_a"));
  EXPECT_EQ(thread_of("2"), Value());
  EXPECT_EQ(thread_of("3"), Value("thread_a"));
}

}  // namespace
}  // namespace holdfast::testing
