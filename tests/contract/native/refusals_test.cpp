// Bad input of any kind: a clear error in the surface's shape, nothing changed, never a 5xx.
#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

class NativeRefusalsTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data"};
};

struct BadBody {
  const char* body;
  const char* in_message;
};

TEST_F(NativeRefusalsTest, EveryBadBodyIsNamed) {
  const std::vector<BadBody> cases = {
      {R"({})", "text is required"},
      {R"({"text":""})", "text must have at least 1 characters"},
      {R"({"text":"   "})", "text must be not-blank"},
      {R"({"text":7})", "text must be of type string"},
      {R"({"text":"a","tags":"x"})", "tags must be of type array"},
      {R"({"text":"a","tags":["ok",""]})", "tags[1] must have at least 1 characters"},
      {R"({"text":"a","kind":"rumour"})", "kind must be one of memory, evidence"},
      {R"({"text":"a","colour":"red"})", "colour is not known here"},
      {R"({"text":"a","valid_from":"2026-02-30"})", "valid_from must be"},
      {R"({"text":"a","valid_from":"2026-02-02","valid_until":"2026-02-01"})",
       "valid_until must be later than valid_from"},
      {R"({"text":"a","visibility":"container"})", "visibility needs scope.container"},
      {R"({"text":"a","links":[{"relation":"x","kind":"memory"}]})", "links[0].id is required"},
      {R"({"text":"a","metadata":[1]})", "metadata must be of type object"},
      {R"({"text":"a","text":"b"})", "appears twice"},
      {R"({"text":"a")", "not acceptable JSON"},
      {R"([])", "type object"},
      {"\"\xff\"", "not acceptable JSON"},
  };
  for (const BadBody& bad : cases) {
    const auto answer = server_.post("/holdfast/v1/remember", bad.body);
    EXPECT_EQ(answer.status, 400) << bad.body << ' ' << answer.body;
    EXPECT_NE(text_at(answer, "error.message").find(bad.in_message), std::string::npos)
        << bad.body << ' ' << answer.body;
    EXPECT_EQ(text_at(answer, "error.request_id"), answer.headers.at("x-request-id"));
  }
  EXPECT_EQ(size_at(server_.get("/holdfast/v1/journal"), "entries"), 0U);
}

TEST_F(NativeRefusalsTest, AllIssuesComeTogether) {
  const auto answer = server_.post("/holdfast/v1/search", R"({"limit":0,"query":5,"since":"x"})");

  EXPECT_EQ(size_at(answer, "error.issues"), 3U) << answer.body;
}

TEST_F(NativeRefusalsTest, PathsAndMethods) {
  HttpClient client(server_.port());
  EXPECT_EQ(client.get("/holdfast/v1/nothing").status, 404);
  EXPECT_EQ(client.get("/nothing").status, 404);
  const auto wrong = client.get("/holdfast/v1/remember");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_NE(wrong.headers.at("allow").find("POST"), std::string::npos);
  EXPECT_EQ(client.get("/holdfast/v1/objects/memory/none").status, 404);
  EXPECT_EQ(client.get("/holdfast/v1/objects/memory/%ff").status, 404);
  EXPECT_EQ(client.get("/holdfast/v1/journal?after=x").status, 400);
  EXPECT_EQ(client.get("/holdfast/v1/journal?limit=501").status, 400);
  EXPECT_EQ(client.get("/holdfast/v1/journal?craeted=1").status, 400);
  EXPECT_EQ(client.request("HEAD", "/holdfast/v1/events").status, 200);
  EXPECT_EQ(HttpClient(server_.port()).request("HEAD", "/holdfast/v1/events?after=1").status, 400);
  EXPECT_EQ(client.get("/_test/clock").status, 404);
}

TEST_F(NativeRefusalsTest, MediaTypeSizeAndHost) {
  HttpClient client(server_.port());
  EXPECT_EQ(client.request("POST", "/holdfast/v1/remember", "{}", {{"Content-Type", "text/plain"}})
                .status,
            415);
  EXPECT_EQ(client.post("/holdfast/v1/remember", R"({"text":")" + std::string(3 << 20, 'a') + "\"}")
                .status,
            413);
  EXPECT_EQ(client.request("GET", "/health", "", {{"Host", "evil.example"}}).status, 403);
  EXPECT_EQ(client.request("GET", "/health", "", {{"Origin", "https://evil.example"}}).status, 403);
  EXPECT_EQ(
      client
          .request("POST", "/holdfast/v1/remember", R"({"text":"x"})", {{"Idempotency-Key", "a b"}})
          .status,
      400);
}

TEST_F(NativeRefusalsTest, HealthMetricsAndOpenApi) {
  const auto health = server_.get("/health");
  EXPECT_EQ(health.status, 200);
  EXPECT_EQ(text_at(health, "status"), "ok");
  EXPECT_EQ(text_at(health, "service"), "cognirelay");
  EXPECT_EQ(text_at(health, "latest_commit"), "0");
  EXPECT_EQ(server_.get("/readyz").status, 200);
  EXPECT_EQ(HttpClient(server_.port()).request("HEAD", "/health").status, 200);
  EXPECT_NE(server_.get("/metrics").body.find("holdfast_http_requests_total"), std::string::npos);
  const auto document = server_.get("/openapi.json");
  EXPECT_TRUE(at(document, "paths./holdfast/v1/remember").is_object())
      << document.body.substr(0, 300);
}

TEST_F(NativeRefusalsTest, TheDescriptionHasTheOperationsOfEverySurface) {
  const Value document = parsed(server_.get("/openapi.json").body);
  const auto operation = [&](const std::string& path, const char* method) -> const Value* {
    const Value* found = document.find("paths")->find(path);
    return found != nullptr ? found->find(method) : nullptr;
  };
  for (const char* path :
       {"/v1/continuity/upsert", "/v1/continuity/read", "/v1/context/retrieve",
        "/v1/schedule/items", "/v1/coordination/handoff/create", "/v1/tasks", "/v1/mcp", "/items",
        "/query", "/item-and-query", "/memory/{memory_object_id}/forget", "/mcp", "/v1/chat",
        "/v1/memories", "/observations", "/api/v2/observations", "/api/v2/observations/batch",
        "/api/v2/attachments", "/api/v2/auth/token"}) {
    const Value* post = operation(path, "post");
    ASSERT_NE(post, nullptr) << path;
    EXPECT_NE(post->find("requestBody"), nullptr) << path;
  }
  for (const char* path : {"/v1/discovery", "/v1/discovery/tools", "/v1/capabilities",
                           "/observations/{id}", "/debug/queue/health", "/mcp", "/v1/help"})
    EXPECT_NE(operation(path, "get"), nullptr) << path;
  for (const char* path : {"/observations/{id}", "/v1/memories/{memory_id}"})
    EXPECT_NE(operation(path, "delete")->find("responses")->find("204"), nullptr) << path;
  EXPECT_NE(
      to_json(*operation("/observations", "post")->find("parameters")).find("Idempotency-Key"),
      std::string::npos);
  EXPECT_NE(to_json(*operation("/holdfast/v1/remember", "post")).find("Idempotency-Key"),
            std::string::npos);
  EXPECT_NE(operation("/v1/chat", "post")->find("responses")->find("202"), nullptr);
  EXPECT_NE(to_json(*operation("/observations", "get")->find("parameters")).find("\"cursor\""),
            std::string::npos);
  EXPECT_EQ(to_json(document).find("#/$defs"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
