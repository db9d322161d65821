#include "mcp/server.h"

#include <gtest/gtest.h>

#include "mcp/server_fake.h"

namespace holdfast::mcp {
namespace {

class ServerTest : public ::testing::Test {
 protected:
  ServerTest() { EXPECT_TRUE(registry_.add(fake_group()).has_value()); }

  Answer post(const std::string& body, const wire::Headers& headers = {}) {
    return server_.post({.call = call_, .body = body, .headers = headers, .outlet = outlet_});
  }

  static wire::Headers modern_headers(std::string_view method, std::string_view name = {}) {
    wire::Headers headers = {{"MCP-Protocol-Version", "2026-07-28"},
                             {"Mcp-Method", std::string(method)}};
    if (!name.empty()) headers.add("Mcp-Name", std::string(name));
    return headers;
  }

  Answer modern(std::string_view method, std::string_view params = "{}", std::string_view name = {},
                std::string_view more_meta = "{}") {
    return post(request_text(method, modern_params(params, more_meta)),
                modern_headers(method, name));
  }

  wire::Headers session(const std::string& version, const char* capabilities = "{}") {
    Value params = Value::object({{"protocolVersion", version}});
    params.set("capabilities", *parse_json(capabilities));
    const Answer answer = post(request_text("initialize", params));
    EXPECT_EQ(member(answer.body, "result.protocolVersion"), Value(version));
    wire::Headers headers = {{"Mcp-Session-Id", answer.session_id}};
    EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", headers).status,
              202);
    return headers;
  }

  Registry registry_;
  Changes changes_;
  ManualClock clock_{Timestamp(std::chrono::hours(1000))};
  Server server_{{.registry = registry_,
                  .changes = changes_,
                  .identity = {"fake", "1", "Fake"},
                  .clock = clock_}};
  CallContext call_ = fake_call();
  RecordingOutlet outlet_;
};

TEST_F(ServerTest, ModernResultsSayWhatTheyAreAndHowLongTheyLast) {
  const Answer list = modern("tools/list");
  EXPECT_EQ(list.status, 200);
  EXPECT_EQ(member(list.body, "result.resultType"), Value("complete"));
  EXPECT_EQ(member(list.body, "result.ttlMs"), Value(300'000));
  EXPECT_EQ(member(list.body, "result.cacheScope"), Value("public"));
  EXPECT_EQ(member(list.body, "result._meta").find(meta::kServerInfo)->find("title")->is_string(),
            true);

  const Answer stored = modern("resources/read", R"({"uri":"fake://data"})", "fake://data");
  EXPECT_EQ(member(stored.body, "result.ttlMs"), Value(0));
  EXPECT_EQ(member(stored.body, "result.cacheScope"), Value("private"));
  EXPECT_TRUE(
      member(modern("tools/call", R"({"name":"echo"})", "echo").body, "result.ttlMs").is_null());
}

// Each row is right in everything that later rows judge wrong.
TEST_F(ServerTest, ModernChecksComeInOrder) {
  struct Row {
    const char* why;
    std::string body;
    wire::Headers headers;
    int status;
    int code;
  };
  Value no_capabilities = Value::object(
      {{"_meta", Value::object({{std::string(meta::kProtocolVersion), "2020-01-01"}})}});
  Value old_version = modern_params();
  old_version.find("_meta")->set(meta::kProtocolVersion, "2025-11-25");
  const Row rows[] = {
      {"metadata before headers",
       request_text("no/such", no_capabilities),
       {},
       400,
       code::kInvalidParams},
      {"version header before version",
       request_text("no/such", old_version),
       {},
       400,
       code::kHeaderMismatch},
      {"version before method header",
       request_text("no/such", old_version),
       {{"MCP-Protocol-Version", "2025-11-25"}},
       400,
       code::kUnsupportedVersion},
      {"method header before method",
       request_text("no/such", modern_params()),
       {{"MCP-Protocol-Version", "2026-07-28"}},
       400,
       code::kHeaderMismatch},
      {"method before name", request_text("no/such", modern_params()), modern_headers("no/such"),
       404, code::kUnknownMethod},
      {"name before log level",
       request_text("tools/call", modern_params(R"({"name":"echo"})",
                                                R"({"io.modelcontextprotocol/logLevel":"loud"})")),
       modern_headers("tools/call"), 400, code::kHeaderMismatch},
      {"log level before the tool",
       request_text("tools/call", modern_params(R"({"name":"none"})",
                                                R"({"io.modelcontextprotocol/logLevel":"loud"})")),
       modern_headers("tools/call", "none"), 200, code::kInvalidParams},
      {"a name that is missing",
       request_text("tools/call", modern_params()),
       {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", ""}},
       200,
       code::kInvalidParams},
  };
  for (const Row& row : rows) {
    const Answer answer = post(row.body, row.headers);
    EXPECT_EQ(answer.status, row.status) << row.why;
    EXPECT_EQ(member(answer.body, "error.code"), Value(row.code)) << row.why;
    EXPECT_EQ(member(answer.body, "id"), Value(1)) << row.why;
  }
}

TEST_F(ServerTest, TheEraOfAMessageDependsOnNothingBeforeIt) {
  const wire::Headers session_headers = session("2025-11-25");
  wire::Headers both = modern_headers("ping");
  both.add("Mcp-Session-Id", session_headers.list().front().value);

  EXPECT_EQ(post(request_text("ping", {}), session_headers).status, 200);
  EXPECT_EQ(post(request_text("ping", modern_params()), both).status, 404);
  EXPECT_EQ(post(request_text("initialize", modern_params()), modern_headers("initialize")).status,
            404);
  EXPECT_EQ(post(request_text("tools/list", {}), {{"MCP-Protocol-Version", "2027-01-01"}}).status,
            400);
  EXPECT_EQ(post(request_text("server/discover", {}), session_headers).status, 400);
}

TEST_F(ServerTest, EachRevisionGetsWhatItKnows) {
  struct Row {
    const char* version;
    bool title, annotations, output_schema, completions;
  };
  for (const Row& row :
       {Row{"2024-11-05", false, false, false, false}, Row{"2025-03-26", false, true, false, true},
        Row{"2025-06-18", true, true, true, true}, Row{"2025-11-25", true, true, true, true}}) {
    const Value begun =
        post(request_text("initialize", Value::object({{"protocolVersion", row.version}}))).body;
    EXPECT_EQ(!member(begun, "result.serverInfo.title").is_null(), row.title) << row.version;
    EXPECT_EQ(!member(begun, "result.capabilities.completions").is_null(), row.completions);
    EXPECT_EQ(member(begun, "result.instructions"), Value("how to use it"));
    const wire::Headers headers = session(row.version);
    const Value list = post(request_text("tools/list", {}), headers).body;
    const Value tool = member(list, "result.tools").if_array()->at(1);
    EXPECT_EQ(tool.find("title") != nullptr, row.title) << row.version;
    EXPECT_EQ(tool.find("annotations") != nullptr, row.annotations) << row.version;
    EXPECT_EQ(tool.find("outputSchema") != nullptr, row.output_schema) << row.version;
    EXPECT_TRUE(member(list, "result.resultType").is_null());
    const Value called =
        post(request_text("tools/call", *parse_json(R"({"name":"echo","arguments":{"a":1}})")),
             headers)
            .body;
    EXPECT_EQ(!member(called, "result.structuredContent").is_null(), row.output_schema);
    EXPECT_EQ(to_json(member(called, "result.content")), R"([{"type":"text","text":"{\"a\":1}"}])");
  }
}

TEST_F(ServerTest, ProgressMessagesAreLeftOutWhereTheyAreUnknown) {
  for (const auto& [version, known] :
       {std::pair{"2024-11-05", false}, std::pair{"2025-03-26", true}}) {
    outlet_.sent.clear();
    post(request_text("tools/call",
                      *parse_json(R"({"name":"reporting","_meta":{"progressToken":"t"}})")),
         session(version));
    ASSERT_EQ(outlet_.sent.size(), 2U) << version;
    EXPECT_EQ(!member(outlet_.sent[0], "params.message").is_null(), known);
    EXPECT_EQ(member(outlet_.sent[0], "params.progressToken"), Value("t"));
    EXPECT_EQ(member(outlet_.sent[1], "params.data"), Value("said"));
  }
}

TEST_F(ServerTest, LogLevelsAreKeptPerSessionAndPerRequest) {
  const wire::Headers headers = session("2025-11-25");
  const std::string call = request_text("tools/call", *parse_json(R"({"name":"reporting"})"));
  post(request_text("logging/setLevel", *parse_json(R"({"level":"error"})")), headers);
  post(call, headers);
  EXPECT_TRUE(outlet_.sent.empty());
  post(call, session("2025-11-25"));
  EXPECT_EQ(outlet_.sent.size(), 1U);
  modern("tools/call", R"({"name":"reporting"})", "reporting");
  EXPECT_EQ(outlet_.sent.size(), 1U);
  modern("tools/call", R"({"name":"reporting"})", "reporting",
         R"({"io.modelcontextprotocol/logLevel":"debug"})");
  EXPECT_EQ(outlet_.sent.size(), 2U);
  EXPECT_EQ(
      member(
          post(request_text("logging/setLevel", *parse_json(R"({"level":"loud"})")), headers).body,
          "error.code"),
      Value(code::kInvalidParams));
}

TEST_F(ServerTest, FailuresOfToolsAreResultsAndDefectsAreSilentAboutTheirCause) {
  const Value refused = modern("tools/call", R"({"name":"refusing"})", "refusing").body;
  EXPECT_EQ(member(refused, "result.isError"), Value(true));
  EXPECT_NE(to_json(refused).find("That cannot be."), std::string::npos);

  const Answer broken = modern("tools/call", R"({"name":"broken"})", "broken");
  EXPECT_EQ(broken.status, 200);
  EXPECT_EQ(member(broken.body, "error.code"), Value(code::kInternal));
  EXPECT_EQ(to_json(broken.body).find("secret"), std::string::npos);
}

TEST_F(ServerTest, AMissingScopeIsForbiddenInBothEras) {
  const Answer now = modern("tools/call", R"({"name":"write"})", "write");
  EXPECT_EQ(now.status, 403);
  EXPECT_EQ(now.needed_scope, "write");
  const Answer then =
      post(request_text("tools/call", *parse_json(R"({"name":"write"})")), session("2025-06-18"));
  EXPECT_EQ(then.status, 403);
  call_.scopes = {"write:notes"};
  EXPECT_EQ(modern("tools/call", R"({"name":"write"})", "write").status, 200);
}

TEST_F(ServerTest, ResourcesThatAreMissingAreWordedByTheEra) {
  const Answer now = modern("resources/read", R"({"uri":"fake://x"})", "fake://x");
  EXPECT_EQ(member(now.body, "error.code"), Value(code::kInvalidParams));
  EXPECT_EQ(to_json(member(now.body, "error.data")), R"({"uri":"fake://x"})");
  const Answer then = post(request_text("resources/read", *parse_json(R"({"uri":"fake://x"})")),
                           session("2025-06-18"));
  EXPECT_EQ(member(then.body, "error.code"), Value(code::kResourceNotFound));
  EXPECT_EQ(then.status, 200);
}

TEST_F(ServerTest, WrongParametersAreNamed) {
  struct Row {
    const char* method;
    const char* params;
    const char* name;
  };
  for (const Row& row :
       {Row{"tools/call", R"({"name":"none"})", "none"},
        Row{"tools/call", R"({"name":"echo","arguments":[1]})", "echo"},
        Row{"tools/call", R"({"name":"echo","arguments":null})", "echo"},
        Row{"tools/call", R"({"name":"echo","inputResponses":[]})", "echo"},
        Row{"tools/call", R"({"name":"echo","inputResponses":{"a":1}})", "echo"},
        Row{"tools/call", R"({"name":"echo","requestState":5})", "echo"},
        Row{"tools/call", R"({"name":"echo","requestState":"x.y"})", "echo"},
        Row{"prompts/get", R"({"name":"none"})", "none"},
        Row{"prompts/get", R"({"name":"ask"})", "ask"},
        Row{"prompts/get", R"({"name":"ask","arguments":{"what":5}})", "ask"},
        Row{"tools/list", R"({"cursor":"x"})", ""}, Row{"prompts/list", R"({"cursor":3})", ""},
        Row{"completion/complete",
            R"({"ref":{"type":"ref/prompt","name":"none"},)"
            R"("argument":{"name":"a","value":""}})",
            ""},
        Row{"completion/complete", R"({"ref":{"type":"ref/prompt","name":"ask"}})", ""}}) {
    const Answer answer = modern(row.method, row.params, row.name);
    EXPECT_EQ(answer.status, 200) << row.params;
    EXPECT_EQ(member(answer.body, "error.code"), Value(code::kInvalidParams)) << row.params;
  }
}

TEST_F(ServerTest, CompletionsAreBounded) {
  const Value done = modern("completion/complete", R"({"ref":{"type":"ref/prompt","name":"ask"},)"
                                                   R"("argument":{"name":"what","value":"v"}})")
                         .body;
  EXPECT_EQ(member(done, "result.completion.values").if_array()->size(), 100U);
  EXPECT_EQ(member(done, "result.completion.total"), Value(150));
  EXPECT_EQ(member(done, "result.completion.hasMore"), Value(true));
}

TEST_F(ServerTest, SessionsBelongToTheirPrincipalAndEnd) {
  const wire::Headers headers = session("2025-11-25");
  call_ = fake_call("bert");
  EXPECT_EQ(post(request_text("ping", {}), headers).status, 404);
  EXPECT_EQ(server_.get(call_, headers).status, 404);
  EXPECT_EQ(server_.remove(call_, headers).status, 404);
  call_ = fake_call("anna");
  EXPECT_EQ(
      post(request_text("initialize", *parse_json(R"({"protocolVersion":"2025-11-25"})")), headers)
          .status,
      400);
  EXPECT_EQ(server_.remove(call_, headers).status, 204);
  EXPECT_EQ(post(request_text("ping", {}), headers).status, 404);
}

TEST_F(ServerTest, BatchesAreTakenWhereTheyExistedElementByElement) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,)"
      R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26"}},)"
      R"({"jsonrpc":"2.0","id":"b","method":"no/such"}])";
  const Answer answer = post(batch, session("2025-03-26"));
  EXPECT_EQ(answer.status, 200);
  const auto& parts = *answer.body.if_array();
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(member(parts[0], "id"), Value(1));
  EXPECT_EQ(member(parts[1], "error.code"), Value(code::kInvalidRequest));
  EXPECT_EQ(parts[1].find("id"), nullptr);
  EXPECT_EQ(member(parts[2], "error.code"), Value(code::kInvalidRequest));
  EXPECT_EQ(member(parts[3], "error.code"), Value(code::kUnknownMethod));

  EXPECT_EQ(post("[]", session("2025-03-26")).status, 400);
  EXPECT_EQ(post(R"([{"jsonrpc":"2.0","method":"notifications/x"}])", session("2025-03-26")).status,
            202);
  EXPECT_EQ(post(batch, session("2025-06-18")).status, 400);
  EXPECT_EQ(post(batch).status, 400);
}

TEST_F(ServerTest, CallsOfABatchHaveKeysOfTheirOwn) {
  call_.scopes = {"write"};
  call_.idempotency_key = "k";
  const std::string call = request_text("tools/call", *parse_json(R"({"name":"write"})"));
  const Value parts = post("[" + call + "," + call + "]", session("2025-03-26")).body;
  const std::string text = to_json(parts);
  EXPECT_NE(text.find("k#0"), std::string::npos) << text;
  EXPECT_NE(text.find("k#1"), std::string::npos) << text;
}

TEST_F(ServerTest, ARequestThatLostItsConnectionIsCancelledInTheModernEraOnly) {
  outlet_.lost = true;
  modern("tools/call", R"({"name":"reporting"})", "reporting", R"({"progressToken":1})");
  EXPECT_TRUE(outlet_.sent.empty());
  post(request_text("tools/call",
                    *parse_json(R"({"name":"reporting","_meta":{"progressToken":1}})")),
       session("2025-11-25"));
  EXPECT_FALSE(outlet_.sent.empty());
}

}  // namespace
}  // namespace holdfast::mcp
