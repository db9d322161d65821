// The command line as people and programs use it.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

class CommandLineTest : public ::testing::Test {
 protected:
  RunResult run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--data", folder_ / "data"});
    return run_holdfast(arguments, input);
  }

  TemporaryFolder folder_;
};

TEST_F(CommandLineTest, RememberSearchShowHistoryForget) {
  EXPECT_EQ(run({"remember", "--id", "deploy", "We deploy on Mondays", "--tag", "ops"}).out,
            "remembered memory/deploy in space default\n");
  EXPECT_EQ(
      run({"remember", "--id", "deploy", "We", "deploy", "on", "Tuesdays", "--reason", "moved"})
          .out,
      "updated memory/deploy in space default\n");

  EXPECT_NE(run({"search", "when", "do", "we", "deploy"}).out.find("memory/deploy"),
            std::string::npos);
  EXPECT_NE(run({"show", "deploy"}).out.find("We deploy on Tuesdays"), std::string::npos);
  EXPECT_NE(run({"history", "memory/deploy"}).out.find("moved"), std::string::npos);
  EXPECT_EQ(run({"forget", "deploy"}).out, "forgot memory/deploy\n");
  const auto gone = run({"show", "deploy"});
  EXPECT_EQ(gone.status, 1);
  EXPECT_NE(gone.err.find("deploy"), std::string::npos);
  EXPECT_EQ(run({"search", "deploy"}).out, "nothing found\n");
}

TEST_F(CommandLineTest, StandardInputAndSpaces) {
  EXPECT_EQ(
      run({"remember", "-", "--space", "team-a", "--kind", "evidence"}, "line one\nline two\n")
          .status,
      0);

  EXPECT_NE(run({"search", "line", "--space", "team-a"}).out.find("evidence/"), std::string::npos);
  EXPECT_EQ(run({"search", "line"}).out, "nothing found\n");
  EXPECT_NE(run({"space", "list"}).out.find("team-a"), std::string::npos);
  EXPECT_EQ(run({"space", "erase", "team-a"}).status, 2);
  EXPECT_EQ(run({"space", "erase", "team-a", "--confirm", "team-a"}).status, 0);
  EXPECT_EQ(run({"space", "list"}).out.find("team-a"), std::string::npos);
}

TEST_F(CommandLineTest, TheSpaceIsASettingToo) {
  run({"remember", "kept in team-a", "--space", "team-a"});
  std::ofstream(folder_ / "data/holdfast.toml") << "space = \"team-a\"\n";

  EXPECT_NE(run({"search", "kept"}).out.find("memory/"), std::string::npos);
  EXPECT_EQ(run({"search", "kept", "--space", "default"}).out, "nothing found\n");
}

TEST_F(CommandLineTest, ProgramsGetJson) {
  const auto stored = run({"remember", "x", "--json"});

  EXPECT_TRUE(at(parsed(stored.out), "object.id").is_string());
  EXPECT_EQ(text_at(HttpAnswer{.body = run({"search", "x", "--json"}).out}, "hits.0.kind"),
            "memory");
  EXPECT_TRUE(at(parsed(run({"doctor", "--json"}).out), "healthy").is_bool());
}

TEST_F(CommandLineTest, TokensAreMadeListedAndRevoked) {
  const auto made = run({"token", "create", "ci", "--scope", "read", "--json"});
  const std::string id = text_at(HttpAnswer{.body = made.out}, "id");

  EXPECT_NE(run({"token", "list"}).out.find(id), std::string::npos);
  EXPECT_EQ(run({"token", "revoke", id}).out, "revoked " + id + "\n");
  EXPECT_EQ(run({"token", "revoke", "token_none"}).status, 1);
}

TEST_F(CommandLineTest, CareCommandsReport) {
  run({"remember", "something to check"});

  EXPECT_NE(run({"verify"}).out.find("1 objects checked: sound"), std::string::npos);
  EXPECT_EQ(run({"reindex"}).out, "1 documents indexed\n");
  EXPECT_EQ(run({"doctor"}).status, 0);
  EXPECT_EQ(run_holdfast({"version"}).out.rfind("holdfast ", 0), 0U);
  EXPECT_NE(run({"bench", "--memories", "200", "--callers", "2"}).out.find("one durable write"),
            std::string::npos);
}

TEST_F(CommandLineTest, PathsThatCannotBeEndWithASentence) {
  run({"remember", "something"});
  const std::string path = "/tmp/" + std::string(300, 'n');

  for (const auto& arguments :
       {std::vector<std::string>{"export", path}, std::vector<std::string>{"backup", path},
        std::vector<std::string>{"restore", path}, std::vector<std::string>{"import", path}}) {
    const auto ended = run(arguments);
    EXPECT_EQ(ended.status, 2) << arguments[0];
    EXPECT_NE(ended.err.find(path), std::string::npos) << ended.err;
  }
  EXPECT_EQ(run_holdfast({"search", "x", "--data", path}).status, 1);
}

TEST_F(CommandLineTest, ABadLineOfAnImportIsNamed) {
  const auto ended = run({"import", "-"}, "{\"format\":\"holdfast-export-1\"}\n{\"x\":1}\n");

  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("line 2"), std::string::npos) << ended.err;
}

// A document may be as large as 16 MiB, and larger still as a line of JSON. This one has one line.
TEST_F(CommandLineTest, AnExportOfALargeDocumentCanBeImported) {
  std::string text;
  while (text.size() < size_t{12} << 20U) text += "a \"quoted\" word and a \\ ";
  std::ofstream(folder_ / "large.txt") << text;
  {
    ServerProcess server(folder_ / "data");
    HttpClient client(server.port());
    std::map<std::string, std::string> headers = {
        {"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
    const auto begun = client.request(
        "POST", "/mcp",
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
        R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})",
        headers);
    headers["Mcp-Session-Id"] = begun.headers.at("mcp-session-id");
    const auto ingested = client.request(
        "POST", "/mcp",
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_ingest",)"
        R"("arguments":{"args":{"mode":"file","input_data":{"path":")" +
            (folder_ / "large.txt") + R"("}}}}})",
        headers);
    ASSERT_NE(ingested.body.find("completed"), std::string::npos) << ingested.body.substr(0, 2000);
  }
  const auto exported = run({"export", folder_ / "large.jsonl"});
  ASSERT_EQ(exported.status, 0) << exported.err;

  const auto imported =
      run_holdfast({"import", folder_ / "large.jsonl", "--data", folder_ / "other"});

  EXPECT_EQ(imported.status, 0) << imported.err;
}

TEST_F(CommandLineTest, AnExportOfWhatIsDeeplyNestedCanBeImported) {
  {
    ServerProcess server(folder_ / "data");
    const auto stored = server.post("/holdfast/v1/remember",
                                    R"({"id":"deep","text":"x","metadata":{"a":)" +
                                        std::string(60, '[') + std::string(60, ']') + "}}");
    ASSERT_EQ(stored.status, 201) << stored.body;
  }
  ASSERT_EQ(run({"export", folder_ / "deep.jsonl"}).status, 0);

  const auto imported =
      run_holdfast({"import", folder_ / "deep.jsonl", "--data", folder_ / "other"});

  EXPECT_EQ(imported.status, 0) << imported.err;
}

TEST_F(CommandLineTest, ATokenForASpaceThatIsNotThereSaysWhatToDo) {
  const std::vector<std::string> create = {"token", "create", "ci", "--fixed-space", "team-a"};
  const auto early = run(create);
  EXPECT_EQ(early.status, 1);
  EXPECT_NE(early.err.find("holdfast space create team-a"), std::string::npos) << early.err;

  run({"space", "create", "team-a"});
  EXPECT_EQ(run(create).status, 0);
}

TEST_F(CommandLineTest, AnAddressThatIsNoneIsNamed) {
  for (const char* option : {"--public-url", "--allow-origin", "--continuity-mcp"}) {
    const auto ended = run({"serve", "--listen", "127.0.0.1:0", option, "no such thing"});
    EXPECT_EQ(ended.status, 2) << option;
    EXPECT_NE(ended.err.find(option), std::string::npos) << ended.err;
  }
}

TEST_F(CommandLineTest, HelpTeachesAndMistakesAreNamed) {
  const auto help = run_holdfast({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("holdfast remember"), std::string::npos);
  EXPECT_NE(run_holdfast({"search", "--help"}).out.find("Examples:"), std::string::npos);
  const auto unknown = run_holdfast({"serch", "tea", "--limit", "3"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("There is no command 'serch'"), std::string::npos) << unknown.err;
  const auto below = run_holdfast({"token", "mint"});
  EXPECT_EQ(below.status, 2);
  EXPECT_NE(below.err.find("There is no command 'token mint'"), std::string::npos) << below.err;
  EXPECT_EQ(run_holdfast({}).status, 2);
  const auto wrong = run({"search", "x", "--limit", "1000"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--limit"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
