// memory_ingest through a real process on stdio: documents, repositories, and what is refused.
#include <algorithm>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "contract/substrate/memory_tools.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPython =
    "import os\n\n\nclass Cache:\n    def get(self, key: str) -> str:\n        return os.sep\n";

class IngestContractTest : public ::testing::Test {
 protected:
  fs::path files() const { return fs::canonical(folder_.path()) / "files"; }

  TemporaryFolder folder_;
  MemoryTools memory_{folder_ / "data"};
};

TEST_F(IngestContractTest, AFileCanBeFoundByItsWordsAtOnce) {
  write_file(files() / "g.txt", "alpha beta\n\ngamma wombat\n");

  const Value result = memory_.ingest("file", path_input(files() / "g.txt"));

  EXPECT_EQ(shown(at(result, "result_type")), "source_ingest_result");
  EXPECT_EQ(shown(at(result, "segment_count")), "2");
  EXPECT_EQ(shown(at(result, "projection_count")), "8");
  const auto found = memory_.call("memory_query", "search", R"({"query":"wombat"})");
  EXPECT_EQ(at(found.result, "data.items.0.id"), at(result, "source_id"));
}

TEST_F(IngestContractTest, EvidenceOfASegmentIsAccepted) {
  write_file(files() / "m.md", "# Title\n\n## Part One\n\nwords\n");
  const Value result = memory_.ingest("markdown", path_input(files() / "m.md"));
  const Value segment = at(memory_.page(at(result, "source_id")), "segments.1");
  Value evidence = Value::object({{"source_id", at(result, "source_id")}});
  for (const char* name : {"segment_id", "locator", "hash"}) evidence.set(name, at(segment, name));
  Value input = parsed(R"({"kind":"fact","title":"t","summary":"s","reason":"r",
                           "memory_source":"imported","scope_refs":["scope:p"],"status":"active"})");
  input.set("evidence_refs", Value::array({evidence}));

  const auto remembered = memory_.call("memory_remember", "knowledge", to_json(input));

  EXPECT_EQ(shown(at(segment, "segment_id")), "2-part-one");
  EXPECT_FALSE(remembered.is_error) << remembered.text;
  EXPECT_EQ(shown(at(remembered.result, "status")), "active");
}

TEST_F(IngestContractTest, ARepositoryIsMappedOnceAndThenUnchanged) {
  write_file(files() / "repo/src/cache.py", kPython);
  write_file(files() / "repo/README.md", "# Demo\n\n## Evidence Flow\n\nText.\n");
  write_file(files() / "repo/.codex/state", "x");
  write_file(files() / "repo/node_modules/x.js", "function x() {}\n");

  const Value first = memory_.ingest("repo", path_input(files() / "repo"));
  const size_t events = memory_.events();
  const Value again = memory_.ingest("repo", path_input(files() / "repo"));

  EXPECT_EQ(shown(at(first, "status")), "completed_with_pending_decisions");
  EXPECT_EQ(to_json(at(first, "excluded_by_preflight")), "[\".codex\"]");
  EXPECT_EQ(at(first, "audit_event_ids").if_array()->size(), events);
  EXPECT_EQ(shown(at(again, "status")), "noop");
  EXPECT_EQ(shown(at(again, "reason")), "repo_fingerprint_unchanged");
  EXPECT_TRUE(at(again, "patch_id").is_null());
  EXPECT_EQ(shown(at(again, "requires_decision")), "true");
  EXPECT_EQ(memory_.events(), events);
  EXPECT_EQ(memory_.ingest("repo", path_input(files() / "repo"), R"({"force":true})")
                .find("pending_decisions")
                ->if_array()
                ->size(),
            0U);
}

TEST_F(IngestContractTest, ARestartedServerStillKnowsTheRepository) {
  write_file(files() / "repo/src/cache.py", kPython);
  memory_.ingest("repo", path_input(files() / "repo"));
  memory_.mcp().process().signal(SIGKILL);
  memory_.mcp().process().wait();

  MemoryTools next(folder_ / "data");

  EXPECT_EQ(shown(at(next.ingest("repo", path_input(files() / "repo")), "status")), "noop");
}

TEST_F(IngestContractTest, RefusalsSayWhatAndStoreNothing) {
  write_file(files() / "bad.txt", "ok \xff");
  const std::string none = files() / "none.md";

  EXPECT_NE(memory_.refusal("file", path_input(files() / "bad.txt")).find("UTF-8"),
            std::string::npos);
  EXPECT_EQ(memory_.refusal("markdown", path_input(none)),
            "Error executing tool memory_ingest: File path is not a file: " + none);
  EXPECT_EQ(memory_.refusal("pdf", path_input(none)),
            "Error executing tool memory_ingest: PDF path is not a file: " + none);
  EXPECT_EQ(memory_.refusal("repo", path_input(none)),
            "Error executing tool memory_ingest: Repo path is not a directory: " + none);
  for (const char* url : {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:1/x",
                          "127.0.0.1", "http://127.0.0.1:1/closed"}) {
    memory_.refusal("web", to_json(Value::object({{"url", url}})));
  }
  EXPECT_EQ(memory_.events(), 0U);
}

TEST_F(IngestContractTest, AFileThatNeverEndsIsNotRead) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);

  EXPECT_NE(memory_.refusal("file", path_input(folder_ / "pipe")).find("is not a file"),
            std::string::npos);
  EXPECT_NE(memory_.refusal("file", path_input("/dev/zero")).find("is not a file"),
            std::string::npos);
}

TEST_F(IngestContractTest, AConversationKeepsItsOrigin) {
  const Value result =
      memory_.ingest("conversation", R"({"title":"Two voices","origin":{"host":"editor","n":null},
                          "messages":[{"role":"user","content":"Hi."},
                                      {"role":"assistant","content":"你好。","name":"a"}]})");
  const Value source = memory_.page(at(result, "source_id"));

  EXPECT_EQ(shown(at(source, "payload.text")), "user: Hi.\n\nassistant: 你好。");
  EXPECT_EQ(to_json(at(source, "origin")), R"({"host":"editor","n":null})");
  EXPECT_EQ(shown(at(source, "metadata.adapter.origin_classification")), "unknown");
  EXPECT_EQ(shown(at(source, "segments.1.locator.ref")), "Two voices");
}

TEST_F(IngestContractTest, ProgressIsToldToWhoAsksForIt) {
  for (int i = 0; i < 150; ++i) write_file(files() / "repo" / ("f" + std::to_string(i)), "x");
  Value params = Value::object({{"name", "memory_ingest"}});
  params.set("arguments", parsed(R"({"args":{"mode":"repo","input_data":)" +
                                 path_input(files() / "repo") + "}}"));
  params.set("_meta", parsed(R"({"progressToken":"p"})"));

  memory_.mcp().send(rpc("tools/call", params, 77));
  std::vector<double> seen;
  Value message = memory_.mcp().next();
  while (message.find("id") == nullptr) {
    EXPECT_EQ(shown(at(message, "params.progressToken")), "p");
    seen.push_back(at(message, "params.progress").to_double());
    message = memory_.mcp().next();
  }

  EXPECT_FALSE(seen.empty());
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(shown(at(message, "id")), "77");
}

// Every list of a compact page keeps to max_items, also those of the API inventory.
TEST_F(IngestContractTest, ACompactRepositoryPageIsBounded) {
  for (int i = 0; i < 4; ++i)
    write_file(files() / ("repo/src/m" + std::to_string(i) + ".py"), kPython);
  const Value made = memory_.ingest("repo", path_input(files() / "repo"));

  const auto answer =
      memory_.call("memory_query", "page", to_json(Value::object({{"id", at(made, "source_id")}})),
                   R"({"max_items":2})");

  const Value data = at(answer.result, "data");
  EXPECT_EQ(at(data, "object.payload.api_inventory.classes").if_array()->size(), 2U);
  EXPECT_EQ(at(data, "object.payload.api_inventory.counts.classes"), Value(4));
  ASSERT_NE(at(data, "truncated").find("payload.api_inventory.classes"), nullptr) << answer.text;
  EXPECT_EQ(*at(data, "truncated").find("payload.api_inventory.classes"),
            Value::object({{"returned", 2}, {"total", 4}}));
}

}  // namespace
}  // namespace holdfast::testing
