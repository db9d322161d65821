// A memory as a folder of files in a git repository, and back: what can be read is the same.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What git prints, line by line.
std::vector<std::string> git_log(const std::string& folder) {
  const std::string file = folder + "/.git/log-for-test";
  const std::string command = "git -C '" + folder + "' log --reverse --format=%s > '" + file + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT: a test's own folder
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void fill(Relay& relay, std::string& handoff) {
  EXPECT_EQ(
      relay.upsert({.id = "plain", .envelope = R"(,"commit_message":"keep the plan")"}).status,
      200);
  EXPECT_EQ(relay.upsert({.kind = "user", .id = "Zoë Ω"}).status, 200);
  EXPECT_EQ(relay.upsert({.id = "gone"}).status, 200);
  EXPECT_EQ(relay.upsert({.id = "cold"}).status, 200);
  for (const char* id : {"gone", "cold"}) {
    const auto answer =
        relay.post("/v1/continuity/archive", subject_text("thread", id, R"(,"reason":"over")"));
    EXPECT_EQ(answer.status, 200);
    if (std::string_view(id) == "cold") {
      const auto stored =
          relay.post("/v1/ops/run", R"({"job_id":"continuity_cold_store","arguments":{)"
                                    R"("source_archive_path":")" +
                                        text_at(answer, "archived_path") + R"("}})");
      EXPECT_EQ(stored.status, 200) << stored.body;
    }
  }
  EXPECT_EQ(
      relay.post("/v1/tasks", R"({"task_id":"a/../b","title":"odd name","owner_peer":"p"})").status,
      200);
  EXPECT_EQ(relay
                .post("/v1/tasks", R"({"task_id":")" + std::string(300, 'x') +
                                       R"(","title":"long name","owner_peer":"p"})")
                .status,
            200);
  EXPECT_EQ(relay.post("/v1/peers/register", R"({"peer_id":"bob","base_url":"http://bob"})").status,
            200);
  const auto made =
      relay.post("/v1/coordination/handoff/create",
                 R"({"recipient_peer":"bob","subject_kind":"thread","subject_id":"plain"})");
  EXPECT_EQ(made.status, 200) << made.body;
  handoff = text_at(made, "handoff.handoff_id");
  EXPECT_EQ(relay
                .post("/v1/schedule/items",
                      R"({"kind":"reminder","title":"look\u0000up","metadata":{"n":1.0},)"
                      R"("due_at":"2099-01-01T00:00:00Z"})")
                .status,
            201);
}

// Everything that can be asked, without times that pass and positions of the journal.
std::vector<std::string> readings(Relay& relay, const std::string& handoff) {
  const std::string lists =
      R"({"include_fallback":true,"include_archived":true,"include_cold":true})";
  std::vector<std::string> out;
  for (const char* id : {"plain", "gone", "cold"})
    out.push_back(to_json(at(
        relay.post("/v1/continuity/read", subject_text("thread", id, R"(,"allow_fallback":true)")),
        "capsule")));
  out.push_back(relay.post("/v1/continuity/list", lists).body);
  out.push_back(
      to_json(at(relay.post("/v1/continuity/read", subject_text("user", "Zoë Ω")), "capsule")));
  out.push_back(relay.get("/v1/tasks/query").body);
  out.push_back(relay.get("/v1/schedule/items").body);
  out.push_back(relay.get("/v1/peers").body);
  out.push_back(relay.get("/v1/coordination/handoff/" + handoff).body);
  return out;
}

TEST(FolderTest, GoesOutAndComesBackTheSame) {
  const TemporaryFolder folder;
  std::string handoff;
  std::vector<std::string> before;
  {
    ServerProcess server(folder / "data", {"--rate-limits", "off"});
    Relay relay(server.port());
    fill(relay, handoff);
    before = readings(relay, handoff);
    // Also while a server owns the folder.
    const auto out =
        run_holdfast({"export", "cognirelay", folder / "relay", "--data", folder / "data"});
    ASSERT_EQ(out.status, 0) << out.err;
    const auto again =
        run_holdfast({"export", "cognirelay", folder / "relay", "--data", folder / "data"});
    EXPECT_EQ(again.status, 2) << "an existing folder is not overwritten";
  }
  const auto log = git_log(folder / "relay");
  ASSERT_GE(log.size(), 10U);
  EXPECT_EQ(log[0], "keep the plan");
  EXPECT_EQ(log[1], "continuity: upsert user Zoë Ω");
  EXPECT_NE(std::ranges::find(log, "continuity: archive thread gone"), log.end());
  const fs::path relay_folder = folder / "relay";
  EXPECT_TRUE(fs::exists(relay_folder / "memory/continuity/thread-plain.json"));
  EXPECT_TRUE(fs::exists(relay_folder / "memory/continuity/fallback/thread-gone.json"));
  EXPECT_FALSE(fs::exists(relay_folder / "memory/continuity/thread-gone.json"));
  EXPECT_TRUE(fs::exists(relay_folder / "tasks/open/a%2F..%2Fb.json"));
  size_t stubs = 0;
  for (const auto& entry : fs::directory_iterator(relay_folder / "memory/continuity/cold/index")) {
    EXPECT_TRUE(content(entry.path()).starts_with("---\ntype: continuity_cold_stub\n"));
    ++stubs;
  }
  EXPECT_EQ(stubs, 1U);

  const auto in =
      run_holdfast({"import", "cognirelay", folder / "relay", "--data", folder / "copy", "--json"});
  ASSERT_EQ(in.status, 0) << in.err;
  EXPECT_EQ(to_json(at(parsed(in.out), "refused")), "[]");
  const auto repeated =
      run_holdfast({"import", "cognirelay", folder / "relay", "--data", folder / "copy", "--json"});
  EXPECT_EQ(to_json(at(parsed(repeated.out), "imported")), "0");
  ServerProcess copy(folder / "copy", {"--rate-limits", "off"});
  Relay relay(copy.port());
  const auto after = readings(relay, handoff);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i], after[i]);
  // The copy goes on where the original stopped.
  EXPECT_EQ(relay.upsert({.id = "plain", .loop = "x"}).status, 409);
  EXPECT_EQ(relay.upsert({.id = "plain", .at = "2026-01-02T00:00:00Z"}).status, 200);
}

TEST(FolderTest, TakesFilesOfAFolderAndLeavesTheRest) {
  const TemporaryFolder folder;
  const fs::path relay_folder = folder / "relay";
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((relay_folder / name).parent_path());
    std::ofstream(relay_folder / name) << text;
  };
  write("memory/core/identity.md", "I am the keeper of the harbour lights.");
  write("memory/summaries/week.md",
        "---\ntype: digest\nimportance: 0.5\n---\nThe lantern was lit?");
  write("messages/one.md", "lantern lantern lantern");
  write("journal/day.md", "lantern oil is low");
  write("config/peer_tokens.json", R"({"token":"secret-lantern"})");
  write("memory/continuity/thread-old.json", R"({"schema_version":"1.0","subject_kind":"thread",
    "subject_id":"old","updated_at":"","verified_at":"2026-01-01T00:00:00+00:00",
    "source":{"producer":"x","update_reason":"manual"},
    "confidence":{"continuity":1,"relationship_model":1},
    "continuity":{"top_priorities":[],"active_concerns":[],"active_constraints":[],"open_loops":[],
      "stance_summary":"","drift_signals":[],
      "related_documents":[{"path":"journal/day.md","kind":"note","label":"oil"}]}})");
  write("memory/continuity/thread-broken.json", "{");
  fs::create_symlink("/etc/hostname", relay_folder / "journal/link.md");
  const auto in =
      run_holdfast({"import", "cognirelay", relay_folder, "--data", folder / "data", "--json"});
  ASSERT_EQ(in.status, 0) << in.err;
  EXPECT_EQ(parsed(in.out).find("refused")->if_array()->size(), 1U) << in.out;

  ServerProcess server(folder / "data", {"--rate-limits", "off"});
  Relay relay(server.port());
  const auto read = relay.post("/v1/continuity/read", subject_text("thread", "old"));
  EXPECT_EQ(text_at(read, "capsule.schema_version"), "1.1") << read.body;
  EXPECT_EQ(text_at(read, "capsule.updated_at"), "2026-01-01T00:00:00Z");
  const auto found = relay.post("/v1/context/retrieve", R"({"task":"lantern"})");
  EXPECT_EQ(text_at(found, "bundle.core_memory.0.path"), "memory/core/identity.md") << found.body;
  EXPECT_EQ(size_at(found, "bundle.recent_relevant"), 3U) << found.body;
  EXPECT_EQ(text_at(found, "bundle.recent_relevant.0.path"), "memory/summaries/week.md");
  EXPECT_EQ(text_at(found, "bundle.recent_relevant.0.type"), "digest");
  EXPECT_EQ(text_at(found, "bundle.recent_relevant.1.path"), "messages/one.md");
  EXPECT_EQ(text_at(found, "bundle.recent_relevant.2.type"), "journal");
  EXPECT_EQ(text_at(found, "bundle.open_questions.0"), "The lantern was lit?");
  const auto named = relay.post("/v1/context/retrieve",
                                R"({"task":"x","subject_kind":"thread","subject_id":"old"})");
  EXPECT_EQ(text_at(named, "bundle.recent_relevant.0.path"), "journal/day.md") << named.body;
  EXPECT_EQ(text_at(named, "bundle.recent_relevant.0.score"), "0.0");
}

}  // namespace
}  // namespace holdfast::testing
