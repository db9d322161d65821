// Several processes on one data folder: no write is lost, none is doubled, the next one takes over.
#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

std::string object_id(const RunResult& result) {
  return text_at(HttpAnswer{.body = result.out}, "object.id");
}

TEST(OwnershipTest, CommandsWorkBesideAServerAndWithoutOne) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const auto alone =
      run_holdfast({"remember", "stored without a server", "--data", data, "--json"});
  ASSERT_EQ(alone.status, 0) << alone.err;
  ServerProcess server(data);

  const auto beside =
      run_holdfast({"remember", "stored beside a server", "--data", data, "--json"});

  ASSERT_EQ(beside.status, 0) << beside.err;
  EXPECT_EQ(server.get("/holdfast/v1/objects/memory/" + object_id(alone)).status, 200);
  EXPECT_EQ(server.get("/holdfast/v1/objects/memory/" + object_id(beside)).status, 200);
  EXPECT_NE(run_holdfast({"search", "stored", "--data", data}).out.find("without a server"),
            std::string::npos);
}

TEST(OwnershipTest, ManyProcessesAtOnceLoseNothing) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  constexpr int kProcesses = 6;
  constexpr int kWrites = 5;
  std::vector<std::thread> threads;
  std::vector<std::vector<std::string>> ids(kProcesses);
  for (int p = 0; p < kProcesses; ++p) {
    threads.emplace_back([&, p] {
      for (int i = 0; i < kWrites; ++i) {
        const auto result = run_holdfast(
            {"remember", "from process " + std::to_string(p), "--data", data, "--json"});
        EXPECT_EQ(result.status, 0) << result.err;
        if (result.status == 0) ids[static_cast<size_t>(p)].push_back(object_id(result));
      }
    });
  }
  for (auto& thread : threads) thread.join();

  ServerProcess server(data);
  EXPECT_EQ(text_at(server.get("/holdfast/v1/stats"), "objects.memory"),
            std::to_string(kProcesses * kWrites));
  for (const auto& list : ids) {
    for (const auto& id : list)
      EXPECT_EQ(server.get("/holdfast/v1/objects/memory/" + id).status, 200);
  }
}

TEST(OwnershipTest, ALongImportCarriesOnWhenTheOwnerIsKilled) {
  TemporaryFolder folder;
  {
    ServerProcess source(folder / "source");
    HttpClient client(source.port());
    for (int i = 0; i < 3000; ++i)
      client.post("/holdfast/v1/remember", R"({"text":"memory )" + std::to_string(i) + "\"}");
    ASSERT_EQ(run_holdfast({"export", folder / "all.jsonl", "--data", source.data()}).status, 0);
  }
  ServerProcess owner(folder / "data");
  Process import({"import", folder / "all.jsonl", "--data", owner.data(), "--json"});
  while (text_at(owner.get("/holdfast/v1/stats"), "objects.memory") == "null")
    std::this_thread::yield();

  owner.stop(SIGKILL);

  EXPECT_EQ(import.wait(), 0);
  owner.start();
  EXPECT_EQ(text_at(owner.get("/holdfast/v1/stats"), "objects.memory"), "3000");
  EXPECT_EQ(text_at(owner.post("/holdfast/v1/verify", "{}"), "sound"), "true");
}

TEST(OwnershipTest, AServerWaitsForCommandsThatHaveTheFolder) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  std::atomic<bool> over = false;
  std::atomic<int> failed = 0;
  std::vector<std::thread> commands;
  for (int n = 0; n < 4; ++n) {
    commands.emplace_back([&] {
      while (!over) {
        if (run_holdfast({"remember", "something", "--data", data}).status != 0) ++failed;
      }
    });
  }
  while (!std::filesystem::exists(data + "/holdfast.sock")) std::this_thread::yield();

  for (int i = 0; i < 3; ++i) {
    ServerProcess server(data);
    EXPECT_EQ(server.get("/health").status, 200);
    EXPECT_EQ(server.stop(), 0);
  }

  over = true;
  for (std::thread& thread : commands) thread.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace holdfast::testing
