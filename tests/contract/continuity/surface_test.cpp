// Rules of the API that are easily lost: discovery, help, JSON-RPC, warnings, history.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

class ContinuitySurfaceTest : public ::testing::Test {
 protected:
  HttpAnswer rpc(const std::string& method, const std::string& params = "{}") {
    return relay_.post("/v1/mcp", R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                                      R"(","params":)" + params + "}");
  }
  void initialize() {
    EXPECT_EQ(
        text_at(rpc("initialize", R"({"protocolVersion":"2025-11-25"})"), "result.protocolVersion"),
        "2025-11-25");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off", "--test-clock"}};
  Relay relay_{server_.port()};
};

TEST_F(ContinuitySurfaceTest, EveryHelpPageAnswersBothWays) {
  initialize();
  for (const char* path : {"", "/tools/continuity.upsert", "/topics/trust", "/hooks", "/errors/409",
                           "/onboarding", "/onboarding/bootstrap", "/onboarding/sections/trust",
                           "/limits", "/limits/continuity.open_loops"}) {
    const auto page = relay_.get(std::string("/v1/help") + path);
    EXPECT_EQ(page.status, 200) << path << page.body;
    EXPECT_EQ(text_at(page, "ok"), "true") << path;
    if (*path == '\0') continue;
    EXPECT_EQ(relay_.get("/v1/help" + std::string(path) + "/").status, 404) << path;
  }
  EXPECT_EQ(relay_.get("/v1/help/tools/no.such").status, 404);
  EXPECT_EQ(text_at(relay_.get("/v1/help/limits/open_loops"), "max_items"), "8");
  EXPECT_EQ(text_at(relay_.get("/v1/help/limits/continuity.open_loops[]"), "max_length"), "160");
  EXPECT_EQ(text_at(rpc("system.validation_limit", R"({"field_path":"stance_summary"})"),
                    "result.max_length"),
            "240");
  EXPECT_EQ(text_at(rpc("system.tool_usage", R"({"name":"nope"})"), "error.code"), "-32602");
}

TEST_F(ContinuitySurfaceTest, SystemToolsEqualTheirRoutes) {
  initialize();
  for (const auto& [tool, path] :
       std::map<std::string, std::string>{{"capabilities", "/capabilities"},
                                          {"capabilities_v1", "/v1/capabilities"},
                                          {"manifest", "/v1/manifest"},
                                          {"contracts", "/v1/contracts"},
                                          {"discovery", "/v1/discovery"},
                                          {"discovery_tools", "/v1/discovery/tools"},
                                          {"discovery_workflows", "/v1/discovery/workflows"}}) {
    const auto answer = rpc("tools/call", R"({"name":"system.)" + tool + R"("})");
    EXPECT_EQ(to_json(at(answer, "result.structuredContent")), relay_.get(path).body) << tool;
  }
  const auto health = rpc("tools/call", R"({"name":"system.health"})");
  for (const char* name : {"repo_root", "git_initialized", "signed_ingress_required"}) {
    EXPECT_FALSE(at(health, std::string("result.structuredContent.") + name).is_null()) << name;
    EXPECT_EQ(at(health, std::string("result.structuredContent.") + name),
              at(relay_.get("/health"), name));
  }
}

TEST_F(ContinuitySurfaceTest, SchemasAreWholeAndNamesAreTheSeeds) {
  const auto tools = relay_.get("/v1/discovery/tools");
  EXPECT_EQ(text_at(tools, "count"), std::to_string(size_at(tools, "tools")));
  std::set<std::string> names;
  const Value all = at(tools, "tools");
  for (const Value& tool : *all.if_array()) {
    const std::string name = *at(tool, "name").if_string();
    EXPECT_TRUE(names.insert(name).second) << name;
    const Value schema = at(tool, "input_schema");
    for (const char* member : {"properties", "required", "title", "type", "$defs"})
      EXPECT_NE(schema.find(member), nullptr) << name << " " << member;
    for (const auto& property : *schema.find("properties")->if_object())
      EXPECT_EQ(property.value.find("$ref"), nullptr) << name << "." << property.name;
    if (name == "coordination.handoff_consume") {
      EXPECT_NE(at(schema, "properties.note"), Value());
      EXPECT_EQ(at(schema, "properties.reason"), Value());
      EXPECT_EQ(at(schema, "additionalProperties"), Value(false));
    }
    if (name == "continuity.upsert") {
      const Value documents = at(schema, "$defs.ContinuityState.properties.related_documents");
      EXPECT_EQ(at(documents, "maxItems"), Value(8)) << to_json(schema);
      EXPECT_EQ(at(documents, "items.additionalProperties"), Value(false));
    }
  }
  EXPECT_TRUE(names.contains("system.health"));
}

TEST_F(ContinuitySurfaceTest, TheCatalogueSaysWhatTheRoutesAskFor) {
  const auto tools = relay_.get("/v1/discovery/tools");
  const std::map<std::string, std::string> scopes = {
      {"coordination.handoff_create", R"(["write:projects","read:files"])"},
      {"coordination.handoff_read", "[]"},
      {"coordination.handoff_consume", "[]"},
      {"coordination.shared_read", "[]"},
      {"coordination.shared_update", R"(["write:projects"])"},
      {"coordination.shared_query", R"(["read:files"])"},
      {"coordination.reconciliation_read", "[]"},
      {"coordination.reconciliation_resolve", R"(["write:projects"])"}};
  size_t seen = 0;
  const Value all = at(tools, "tools");
  for (const Value& tool : *all.if_array()) {
    const std::string name = *at(tool, "name").if_string();
    if (name == "schedule.create") {
      EXPECT_EQ(at(tool, "input_schema.additionalProperties"), Value(false));
    }
    const auto wanted = scopes.find(name);
    if (wanted == scopes.end()) continue;
    EXPECT_EQ(to_json(at(tool, "scopes")), wanted->second) << name;
    ++seen;
  }
  EXPECT_EQ(seen, scopes.size());
}

TEST_F(ContinuitySurfaceTest, ListeningToTheEndpointIsNotOffered) {
  const auto answer = relay_.get("/v1/mcp");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(answer.headers.at("allow"), "POST");
  const ServerProcess off(folder_ / "other", {"--continuity-mcp", "off"});
  EXPECT_EQ(HttpClient(off.port()).post("/v1/mcp", "{}").status, 404);
}

TEST_F(ContinuitySurfaceTest, UnknownArgumentsOfClosedToolsAreRefused) {
  initialize();
  const auto answer = rpc("tools/call", R"({"name":"tasks.update","arguments":)"
                                        R"({"task_id":"k","status":"done","colour":"red"}})");
  EXPECT_EQ(text_at(answer, "error.code"), "-32602") << answer.body;
  EXPECT_EQ(text_at(answer, "error.data.details.0.path"), "colour");
}

TEST_F(ContinuitySurfaceTest, OffsetTimesAreTheSameBytesAgain) {
  const CapsuleText text{.at = "2026-01-01T00:00:00+00:00"};
  EXPECT_EQ(relay_.upsert(text).status, 200);
  const auto again = relay_.upsert(text);
  EXPECT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(text_at(again, "updated"), "false");
}

TEST_F(ContinuitySurfaceTest, ADeleteAfterAnArchiveIsOneEntry) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  ASSERT_EQ(relay_
                .post("/v1/continuity/archive",
                      subject_text("thread", "parser", R"(,"reason":"done with it")"))
                .status,
            200);
  ASSERT_EQ(relay_
                .post("/v1/continuity/delete",
                      subject_text("thread", "parser",
                                   R"(,"reason":"tidy","delete_archive":true,)"
                                   R"("delete_fallback":true,"delete_active":true)"))
                .status,
            200);
  const auto history = relay_.get("/holdfast/v1/objects/capsule/thread%3Aparser/history");
  ASSERT_EQ(size_at(history, "revisions"), 3U) << history.body;
  EXPECT_NE(history.body.find("continuity: delete thread parser - tidy"), std::string::npos);
}

TEST_F(ContinuitySurfaceTest, ChangesOfArchivesAreInTheHistoryOfTheirCapsule) {
  const auto messages = [&] {
    const auto history = relay_.get("/holdfast/v1/objects/capsule/thread%3Aparser/history");
    std::vector<std::string> out;
    for (size_t i = 0; i < size_at(history, "revisions"); ++i)
      out.push_back(text_at(history, "revisions." + std::to_string(i) + ".message"));
    return out;
  };
  ASSERT_EQ(relay_.upsert({}).status, 200);
  const std::string path =
      text_at(relay_.post("/v1/continuity/archive",
                          subject_text("thread", "parser", R"(,"reason":"over")")),
              "archived_path");
  for (const char* job : {"continuity_cold_store", "continuity_cold_rehydrate"}) {
    const auto run = relay_.post("/v1/ops/run", R"({"job_id":")" + std::string(job) +
                                                    R"(","arguments":{"source_archive_path":")" +
                                                    path + R"("}})");
    ASSERT_EQ(run.status, 200) << run.body;
  }
  ASSERT_EQ(relay_.upsert({.at = "2026-01-02T00:00:00Z"}).status, 200);
  const std::string before =
      relay_.post("/v1/continuity/list", R"({"include_fallback":true})").body;
  ASSERT_EQ(relay_
                .post("/v1/continuity/delete",
                      subject_text("thread", "parser", R"(,"reason":"tidy","delete_archive":true)"))
                .status,
            200);
  EXPECT_EQ(messages(),
            (std::vector<std::string>{
                "continuity: delete thread parser - tidy", "continuity: upsert thread parser",
                "continuity: cold-rehydrate thread parser", "continuity: cold-store thread parser",
                "continuity: archive thread parser", "continuity: upsert thread parser"}));
  EXPECT_EQ(relay_.post("/v1/continuity/list", R"({"include_fallback":true})").body, before);
}

TEST_F(ContinuitySurfaceTest, WarningsFollowTheSelectors) {
  ASSERT_EQ(
      relay_.upsert({.id = "soft", .extra = R"(,"freshness":{"stale_after_seconds":31536000})"})
          .status,
      200);
  ASSERT_EQ(
      relay_.upsert({.id = "gone", .extra = R"(,"freshness":{"stale_after_seconds":300})"}).status,
      200);
  EXPECT_EQ(relay_.post("/_test/clock", R"({"advance_seconds":7776000})").status, 200);
  const auto answer =
      relay_.post("/v1/context/retrieve",
                  R"({"task":"x","continuity_max_capsules":4,"continuity_selectors":[
        {"subject_kind":"thread","subject_id":"soft"},
        {"subject_kind":"thread","subject_id":"gone"}]})");
  EXPECT_EQ(text_at(answer, "bundle.continuity_state.warnings.0"),
            "continuity_stale_soft:thread:soft")
      << answer.body;
  EXPECT_EQ(text_at(answer, "bundle.continuity_state.warnings.1"),
            "continuity_expired:thread:gone");
}

TEST_F(ContinuitySurfaceTest, OmittedSelectorsFollowTheStages) {
  const std::string fresh = R"(,"freshness":{"freshness_class":"persistent"})";
  for (const char* id : {"ill", "well", "worse"})
    ASSERT_EQ(relay_.upsert({.id = id, .extra = fresh}).status, 200);
  for (const auto& [id, outcome] :
       std::map<std::string, std::string>{{"ill", "degrade"}, {"worse", "conflict"}})
    ASSERT_EQ(relay_
                  .post("/v1/continuity/revalidate",
                        subject_text("thread", id,
                                     R"(,"reason":"late","outcome":")" + outcome +
                                         R"(","signals":[{"kind":"self_review","source_ref":"r",)"
                                         R"("observed_at":"2026-01-01T00:00:00Z","summary":"s"}])"))
                  .status,
              200);
  const auto omitted = [&](const std::string& policy, int most) {
    return text_at(relay_.post("/v1/context/retrieve",
                               R"({"task":"x","continuity_verification_policy":")" + policy +
                                   R"(","continuity_max_capsules":)" + std::to_string(most) +
                                   R"(,"continuity_selectors":[
        {"subject_kind":"thread","subject_id":"worse"},{"subject_kind":"thread","subject_id":"ill"},
        {"subject_kind":"thread","subject_id":"gone"},{"subject_kind":"thread","subject_id":"well"}]})"),
                   "bundle.continuity_state.omitted_selectors");
  };
  EXPECT_EQ(omitted("require_healthy", 4), R"(["thread:gone","thread:worse","thread:ill"])");
  EXPECT_EQ(omitted("prefer_healthy", 1), R"(["thread:gone","thread:ill","thread:worse"])");
  EXPECT_EQ(omitted("allow_degraded", 3), R"(["thread:well","thread:gone"])");
}

TEST_F(ContinuitySurfaceTest, DryRunsKeepNothing) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  const auto archived = relay_.post("/v1/continuity/archive",
                                    subject_text("thread", "parser", R"(,"reason":"over")"));
  const auto run = [&](const char* dry) {
    return relay_.post("/v1/ops/run", R"({"job_id":"continuity_cold_store","dry_run":)" +
                                          std::string(dry) +
                                          R"(,"arguments":{"source_archive_path":")" +
                                          text_at(archived, "archived_path") + R"("}})");
  };
  const auto tried = run("true");
  EXPECT_EQ(tried.status, 200) << tried.body;
  EXPECT_EQ(text_at(tried, "job_result.latest_commit"), text_at(archived, "latest_commit"));
  EXPECT_EQ(run("false").status, 200);
  EXPECT_EQ(run("false").status, 404);
}

// A call counts in its bucket, whichever way it came.
TEST(ContinuityLimitsTest, ToolsAndRoutesShareTheirBuckets) {
  const TemporaryFolder folder;
  const ServerProcess server(folder / "data", {"--auth", "tokens"},
                             {{"COGNIRELAY_TOKENS", "one-token-0123456789,other-token-0123456789"},
                              {"COGNIRELAY_TOKEN_RATE_LIMIT_PER_MIN", "3"}});
  Relay relay(server.port(), "one-token-0123456789");
  const auto call = [&](Relay& with) {
    return with.post("/v1/mcp", R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                                R"({"name":"continuity.list","arguments":{}}})");
  };
  for (const char* token : {"one-token-0123456789", "other-token-0123456789"}) {
    Relay each(server.port(), token);
    each.post("/v1/mcp", R"({"jsonrpc":"2.0","id":1,"method":"initialize",)"
                         R"("params":{"protocolVersion":"2025-06-18"}})");
  }
  EXPECT_EQ(relay.post("/v1/continuity/list", "{}").status, 200);
  EXPECT_EQ(text_at(call(relay), "error.code"), "null");
  EXPECT_EQ(relay.post("/v1/continuity/list", "{}").status, 200);
  const auto refused = call(relay);
  EXPECT_EQ(text_at(refused, "error.data.status"), "429") << refused.body;
  EXPECT_EQ(text_at(refused, "error.data.detail"),
            "Token rate limit exceeded for bucket continuity_list");
  Relay other(server.port(), "other-token-0123456789");
  EXPECT_EQ(text_at(call(other), "error.code"), "null");
  const auto late = relay.post("/v1/continuity/list", "{}");
  EXPECT_EQ(late.status, 429);
  EXPECT_TRUE(late.headers.contains("retry-after"));
}

TEST_F(ContinuitySurfaceTest, RecentUseOutlivesARestart) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  ASSERT_EQ(relay_.post("/v1/continuity/read", subject_text("thread", "parser")).status, 200);
  const auto codes = [&] {
    return text_at(HttpClient(server_.port()).post("/v1/continuity/refresh/plan", "{}"),
                   "candidates.0.reason_codes");
  };
  const std::string before = codes();
  EXPECT_NE(before.find("recently_used"), std::string::npos) << before;
  server_.restart();
  EXPECT_EQ(codes(), before);
}

}  // namespace
}  // namespace holdfast::testing
