// Write → restart → kill → copy → restore: the same assertions each time.
#include <fstream>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

void write_sample(ServerProcess& server) {
  ASSERT_EQ(
      server.post("/holdfast/v1/remember", R"({"id":"a","text":"We deploy on Mondays"})").status,
      201);
  ASSERT_EQ(server
                .post("/holdfast/v1/remember",
                      R"({"id":"a","text":"We deploy on Tuesdays","reason":"moved"})")
                .status,
            200);
  ASSERT_EQ(
      server
          .post(
              "/holdfast/v1/remember",
              R"({"id":"b","text":"Rollback is manual","tags":["ops"],"links":[{"relation":"about","kind":"memory","id":"a"}]})")
          .status,
      201);
  ASSERT_EQ(
      server.post("/holdfast/v1/remember", R"({"id":"gone","text":"forget me xenoglossy"})").status,
      201);
  ASSERT_EQ(server.del("/holdfast/v1/objects/memory/gone").status, 200);
}

void expect_sample(ServerProcess& server) {
  EXPECT_EQ(text_at(server.get("/holdfast/v1/objects/memory/a"), "object.body.text"),
            "We deploy on Tuesdays");
  const auto history = server.get("/holdfast/v1/objects/memory/a/history");
  EXPECT_EQ(size_at(history, "revisions"), 2U);
  EXPECT_EQ(text_at(history, "revisions.0.message"), "moved");
  EXPECT_EQ(text_at(history, "revisions.1.body.text"), "We deploy on Mondays");
  EXPECT_EQ(size_at(server.get("/holdfast/v1/objects/memory/a/links"), "links"), 1U);
  EXPECT_EQ(text_at(server.post("/holdfast/v1/search", R"({"query":"is the rollback manual?"})"),
                    "hits.0.id"),
            "b");
  EXPECT_EQ(size_at(server.post("/holdfast/v1/search", R"({"query":"xenoglossy"})"), "hits"), 0U);
  EXPECT_EQ(server.get("/holdfast/v1/objects/memory/gone").status, 404);
  EXPECT_EQ(size_at(server.get("/holdfast/v1/journal"), "entries"), 5U);
  const auto verified = server.post("/holdfast/v1/verify", "{}");
  EXPECT_EQ(text_at(verified, "sound"), "true") << verified.body;
}

TEST(LifecycleTest, RestartsAndKillsLoseNothing) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  write_sample(server);

  expect_sample(server);
  EXPECT_EQ(server.stop(SIGTERM), 0);
  server.start();
  expect_sample(server);
  server.restart(SIGKILL);
  expect_sample(server);
  server.stop();
  fs::remove_all(server.data() + "/index");
  server.start();
  expect_sample(server);
}

TEST(LifecycleTest, ABackupMadeWhileServingRestores) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  write_sample(server);
  const auto copied = run_holdfast({"backup", folder / "copy.db", "--data", server.data()});
  ASSERT_EQ(copied.status, 0) << copied.err;
  server.post("/holdfast/v1/remember", R"({"id":"later","text":"after the backup"})");

  const auto restored =
      run_holdfast({"restore", folder / "copy.db", "--data", folder / "restored"});

  ASSERT_EQ(restored.status, 0) << restored.err;
  ServerProcess again(folder / "restored");
  expect_sample(again);
  EXPECT_EQ(again.get("/holdfast/v1/objects/memory/later").status, 404);
  EXPECT_NE(run_holdfast({"restore", folder / "copy.db", "--data", folder / "restored2x",
                          "--config", "/nonexistent"})
                .status,
            0);
  again.stop();
  const auto refused = run_holdfast({"restore", folder / "copy.db", "--data", folder / "restored"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("already holds a memory"), std::string::npos);
}

TEST(LifecycleTest, ADamagedBackupIsRefusedAndLeavesNothing) {
  TemporaryFolder folder;
  std::ofstream(folder / "junk.db") << std::string(100'000, 'j');

  const auto refused = run_holdfast({"restore", folder / "junk.db", "--data", folder / "data"});

  EXPECT_NE(refused.status, 0);
  EXPECT_FALSE(fs::exists(folder.path() / "data" / "holdfast.db"));
}

// Positions are the journal's own: an import gives new ones.
std::string without_places(const std::string& line) {
  Value value = parsed(line);
  if (Value* entry = value.find("entry")) {
    // Positions are new; whether an entry begins a change is not.
    entry->set("change", Value(*entry->find("change") == *entry->find("position")));
    entry->set("position", Value());
  }
  return to_json(value);
}

TEST(LifecycleTest, ExportAndImportRoundTripASpaceWithItsHistory) {
  TemporaryFolder folder;
  {
    ServerProcess server(folder / "data");
    write_sample(server);
    ASSERT_EQ(run_holdfast({"export", folder / "one.jsonl", "--data", server.data()}).status, 0);
  }
  const auto imported = run_holdfast({"import", folder / "one.jsonl", "--data", folder / "other"});
  ASSERT_EQ(imported.status, 0) << imported.err;

  ServerProcess other(folder / "other");
  expect_sample(other);
  ASSERT_EQ(run_holdfast({"export", folder / "two.jsonl", "--data", folder / "other"}).status, 0);
  std::ifstream one(folder / "one.jsonl");
  std::ifstream two(folder / "two.jsonl");
  for (std::string left, right; std::getline(one, left);) {
    ASSERT_TRUE(std::getline(two, right));
    EXPECT_EQ(without_places(left), without_places(right));
  }
  const auto again =
      run_holdfast({"import", folder / "one.jsonl", "--data", folder / "other", "--json"});
  EXPECT_EQ(text_at(HttpAnswer{.body = again.out}, "imported"), "0") << again.out;
}

// More bytes than one piece has.
TEST(LifecycleTest, AnExportHasTheBytesOfAttachments) {
  TemporaryFolder folder;
  const std::string bytes = std::string(300'000, 'a') + "the end";
  const auto send = [](ServerProcess& server, const std::string& method, const std::string& target,
                       const std::string& body, const std::string& type) {
    return HttpClient(server.port())
        .request(method, target, body, {{"Content-Type", type}, {"Idempotency-Key", target}});
  };
  const auto path_of = [](const std::string& url) { return url.substr(url.find('/', 8)); };
  std::string id;
  {
    ServerProcess server(folder / "data");
    const auto made =
        send(server, "POST", "/api/v2/workspaces",
             R"({"slug":"team","name":"Team","visibility":"internal"})", "application/json");
    const auto begun = send(server, "POST", "/api/v2/attachments",
                            R"({"filename":"a.txt","content_type":"text/plain","size_bytes":)" +
                                std::to_string(bytes.size()) + R"(,"workspace_id":")" +
                                text_at(made, "data.id") + "\"}",
                            "application/json");
    ASSERT_EQ(begun.status, 200) << begun.body;
    id = text_at(begun, "data.id");
    const auto put =
        send(server, "PUT", path_of(text_at(begun, "data.upload_url")), bytes, "text/plain");
    ASSERT_EQ(put.status, 204) << put.body;
    ASSERT_EQ(
        send(server, "POST", "/api/v2/attachments/" + id + "/complete", "{}", "application/json")
            .status,
        200);
    ASSERT_EQ(run_holdfast({"export", folder / "one.jsonl", "--data", server.data()}).status, 0);
  }
  for (int time = 0; time < 2; ++time) {
    const auto imported =
        run_holdfast({"import", folder / "one.jsonl", "--data", folder / "other"});
    ASSERT_EQ(imported.status, 0) << imported.err;
  }

  ServerProcess other(folder / "other");
  const auto shown = other.get("/api/v2/attachments/" + id);
  ASSERT_EQ(shown.status, 200) << shown.body;
  EXPECT_EQ(other.get(path_of(text_at(shown, "data.url"))).body, bytes);
}

TEST(LifecycleTest, AnImportDoesNotMixTwoObjectsOfOneName) {
  TemporaryFolder folder;
  run_holdfast({"remember", "theirs", "--id", "a", "--data", folder / "one"});
  ASSERT_EQ(run_holdfast({"export", folder / "one.jsonl", "--data", folder / "one"}).status, 0);
  run_holdfast({"remember", "ours", "--id", "a", "--data", folder / "two"});

  const auto mixed = run_holdfast({"import", folder / "one.jsonl", "--data", folder / "two"});

  EXPECT_NE(mixed.status, 0);
  EXPECT_NE(mixed.err.find("another memory 'a'"), std::string::npos) << mixed.err;
  EXPECT_NE(run_holdfast({"show", "memory/a", "--data", folder / "two"}).out.find("ours"),
            std::string::npos);
}

TEST(LifecycleTest, ABadImportLineIsNamedAndChangesNothing) {
  TemporaryFolder folder;
  std::ofstream(folder / "bad.jsonl") << R"({"format":"holdfast-export-1","space":"default"})"
                                      << "\n{\"entry\":{}}\n";

  const auto refused = run_holdfast({"import", folder / "bad.jsonl", "--data", folder / "data"});

  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("missing"), std::string::npos) << refused.err;
  EXPECT_NE(run_holdfast({"import", "-", "--data", folder / "data"}, "not an export\n").status, 0);
}

TEST(LifecycleTest, ACorruptedIndexIsRebuilt) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  write_sample(server);
  server.stop();
  for (const auto& entry : fs::recursive_directory_iterator(server.data() + "/index")) {
    if (entry.is_regular_file())
      std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << "garbage";
  }

  server.start();

  expect_sample(server);
}

TEST(LifecycleTest, ObstaclesAreMetWithASentenceThatSaysWhatToDo) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  const std::string port = std::to_string(server.port());

  const auto busy_port =
      run_holdfast({"serve", "--data", folder / "b", "--listen", "127.0.0.1:" + port});
  EXPECT_NE(busy_port.status, 0);
  EXPECT_NE(busy_port.err.find(port), std::string::npos) << busy_port.err;

  const auto busy_folder =
      run_holdfast({"serve", "--data", server.data(), "--listen", "127.0.0.1:0"});
  EXPECT_NE(busy_folder.status, 0);
  EXPECT_NE(busy_folder.err.find("in use by process " + std::to_string(server.process().pid())),
            std::string::npos)
      << busy_folder.err;

  const auto exposed = run_holdfast({"serve", "--data", folder / "c", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(exposed.status, 2);
  EXPECT_NE(exposed.err.find("--auth tokens"), std::string::npos) << exposed.err;

  const auto wrong =
      run_holdfast({"serve", "--data", folder / "d"}, "", {{"HOLDFAST_WORKERS", "lots"}});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("HOLDFAST_WORKERS"), std::string::npos) << wrong.err;

  std::ofstream(folder / "file") << "x";
  const auto no_folder = run_holdfast({"serve", "--data", folder / "file"});
  EXPECT_NE(no_folder.err.find("is not a folder"), std::string::npos) << no_folder.err;
}

}  // namespace
}  // namespace holdfast::testing
