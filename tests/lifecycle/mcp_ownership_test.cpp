// Several `holdfast mcp` on one data folder: whoever owns it may be killed in the middle of calls,
// and no call of the others is lost or done twice.
#include <atomic>
#include <fstream>
#include <map>
#include <thread>

#include "support/mcp.h"

namespace holdfast::testing {
namespace {

Value remember(const std::string& word) {
  Value params = parsed(R"({"name":"memory_remember","arguments":{"args":{"mode":"knowledge",
      "input_data":{"kind":"fact","title":"","summary":"","reason":"it was told",
      "memory_source":"user_declared","scope_refs":["scope:test"]}}}})");
  Value& input = *params.find("arguments")->find("args")->find("input_data");
  input.set("title", "What is known about " + word);
  input.set("summary", "The word is " + word);
  return params;
}

// One editor: a process and the words it was told are stored.
struct Editor {
  explicit Editor(const std::string& data) : wire(data) { wire.begin(); }

  // False when the process has gone.
  bool store(const std::string& word) {
    const Value answer = wire.ask("tools/call", remember(word), word);
    if (answer.is_null()) return false;
    EXPECT_EQ(at(answer, "result.isError"), Value(false)) << to_json(answer);
    stored.push_back(word);
    return true;
  }

  McpStdio wire;
  std::vector<std::string> stored = {};
};

// Whose process holds the folder now, by its index.
size_t owner_of(const std::string& data, const std::vector<std::unique_ptr<Editor>>& editors) {
  std::ifstream in(data + "/LOCK");
  int pid = 0;
  in >> pid;
  for (size_t i = 0; i < editors.size(); ++i) {
    if (editors[i]->wire.process().pid() == pid) return i;
  }
  ADD_FAILURE() << "process " << pid << " owns the folder";
  return 0;
}

// How many objects of each kind hold the word.
std::map<std::string, int> objects_with(ServerProcess& server, const std::string& word) {
  const auto answer = server.post("/holdfast/v1/search", R"({"limit":50,"query":")" + word + "\"}");
  std::map<std::string, int> kinds;
  const Value hits = at(answer, "hits");
  for (const Value& hit : *hits.if_array()) ++kinds[*at(hit, "kind").if_string()];
  return kinds;
}

TEST(McpOwnershipTest, NoCallIsLostOrDoubledWhenOwnersAreKilledInTheMiddle) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  std::vector<std::unique_ptr<Editor>> editors;
  for (int i = 0; i < 3; ++i) editors.push_back(std::make_unique<Editor>(data));
  std::atomic<int> acknowledged = 0;
  std::atomic<bool> enough = false;
  std::vector<std::thread> threads;
  for (size_t e = 0; e < editors.size(); ++e) {
    threads.emplace_back([&, e] {
      for (int i = 0; !enough; ++i) {
        if (!editors[e]->store("zq" + std::to_string(e) + "x" + std::to_string(i))) return;
        ++acknowledged;
      }
    });
  }
  // The first owner, then whoever took over.
  for (int kills = 1; kills <= 2; ++kills) {
    const int before = acknowledged;
    while (acknowledged < before + 25) std::this_thread::yield();
    editors[owner_of(data, editors)]->wire.process().signal(SIGKILL);
    const int after = acknowledged;
    while (acknowledged < after + 25) std::this_thread::yield();
  }
  enough = true;
  for (auto& thread : threads) thread.join();

  // The editor that is left owns the folder, and gives it up.
  ServerProcess server(data);
  for (const auto& editor : editors) {
    EXPECT_GE(editor->stored.size(), 5U);
    for (const std::string& word : editor->stored) {
      const auto kinds = objects_with(server, word);
      EXPECT_FALSE(kinds.empty()) << word << " is lost";
      for (const auto& [kind, count] : kinds) EXPECT_EQ(count, 1) << word << " twice as " << kind;
    }
  }
  EXPECT_EQ(text_at(server.post("/holdfast/v1/verify", "{}"), "sound"), "true");
}

TEST(McpOwnershipTest, AServerMayComeAndGoBesideAnEditor) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  auto server = std::make_unique<ServerProcess>(data);
  Editor editor(data);
  ASSERT_TRUE(editor.store("zqfirst"));

  server->stop(SIGTERM);
  ASSERT_TRUE(editor.store("zqsecond"));
  EXPECT_EQ(editor.wire.finish(), 0);
  server->start();

  for (const char* word : {"zqfirst", "zqsecond"})
    EXPECT_FALSE(objects_with(*server, word).empty());
}

TEST(McpOwnershipTest, RelativePathsBeginWhereTheirEditorIs) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  Editor owner(data);
  std::filesystem::create_directory(folder / "project");
  std::ofstream(folder / "project/notes.md") << "# Notes\nThe word is zqnotes.\n";
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "project");
  Editor elsewhere(data);
  std::filesystem::current_path(before);

  const Value answer = elsewhere.wire.ask("tools/call", parsed(R"({"name":"memory_ingest",
      "arguments":{"args":{"mode":"markdown","input_data":{"path":"notes.md"}}}})"),
                                          1);

  EXPECT_EQ(at(answer, "result.isError"), Value(false)) << to_json(answer);
}

TEST(McpOwnershipTest, AServerTakesTheFolderFromEditorsInTheMiddleOfCalls) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  Editor owner(data);
  Editor other(data);
  std::atomic<bool> enough = false;
  std::atomic<int> acknowledged = 0;
  const auto work = [&](Editor& editor, const std::string& prefix) {
    for (int i = 0; !enough; ++i) {
      EXPECT_TRUE(editor.store(prefix + std::to_string(i)));
      ++acknowledged;
    }
  };
  std::thread first([&] { work(owner, "zqa"); });
  std::thread second([&] { work(other, "zqb"); });
  while (acknowledged < 20) std::this_thread::yield();

  ServerProcess server(data);

  const int before = acknowledged;
  while (acknowledged < before + 20) std::this_thread::yield();
  enough = true;
  first.join();
  second.join();
  for (const Editor* editor : {&owner, &other}) {
    for (const std::string& word : editor->stored) {
      const auto kinds = objects_with(server, word);
      EXPECT_FALSE(kinds.empty()) << word << " is lost";
      for (const auto& [kind, count] : kinds) EXPECT_EQ(count, 1) << word << " twice as " << kind;
    }
  }
  EXPECT_NE(server.post("/_owner/yield", "").status, 202);
}

}  // namespace
}  // namespace holdfast::testing
