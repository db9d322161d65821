// Capsules at two sizes of the store, durable upserts by one and by many callers, git as the
// alternative, and a context bundle beside GET /health.
//
//   continuity_benchmark [--capsules 100000] [--upserts 4000] [--git 200]
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/child_process.h"
#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
#include "bench/row.h"
#include "support/process.h"

namespace holdfast::bench {
namespace {

using testing::ServerProcess;
using testing::TemporaryFolder;

constexpr int kCallers = 32;
constexpr int64_t kSmall = 1000;
constexpr double kSizeBar = 3;
constexpr double kCallersBar = 3;
constexpr double kContextBar = 5;

std::string capsule(int64_t n, const std::string& id, const Corpus& corpus) {
  const std::string text = corpus.text(static_cast<size_t>(n)).substr(0, 150);
  return fmt::format(
      R"({{"subject_kind":"thread","subject_id":"{0}","updated_at":"2026-01-01T00:00:{1:02}Z",)"
      R"("verified_at":"2026-01-01T00:00:00Z","source":{{"producer":"bench","update_reason":"manual"}},)"
      R"("confidence":{{"continuity":1,"relationship_model":1}},)"
      R"("freshness":{{"freshness_class":"persistent"}},)"
      R"("thread_descriptor":{{"label":"{0}","keywords":["k{2}"]}},)"
      R"("continuity":{{"top_priorities":["{3}"],"active_concerns":[],"active_constraints":["none"],)"
      R"("open_loops":["{3}"],"stance_summary":"Go on until everything here is green again.",)"
      R"("drift_signals":[]}}}})",
      id, n % 60, n / 50, text);
}

std::string upsert(int64_t n, const std::string& prefix, const Corpus& corpus) {
  const std::string id = fmt::format("{}-{:07}", prefix, n);
  return http_post("/v1/continuity/upsert",
                   fmt::format(R"({{"subject_kind":"thread","subject_id":"{}","capsule":{}}})", id,
                               capsule(n, id, corpus)));
}

LoadResult write(int port, int connections, int64_t count, const std::string& prefix,
                 const Corpus& corpus) {
  return run_load(
      {.port = port, .connections = connections, .requests = count, .request = [&](int64_t n) {
         return upsert(n, prefix, corpus);
       }});
}

double median(int port, const std::function<std::string(int64_t)>& request) {
  run_load({.port = port, .connections = 1, .requests = 100, .request = request});
  return run_load({.port = port, .connections = 1, .requests = 1000, .request = request}).median();
}

// The questions that are asked at both sizes; each has an answer of the same size.
struct Question {
  const char* what;
  std::function<std::string(int64_t)> request;
};

std::vector<Question> questions(int64_t capsules) {
  const auto list = [](const std::string& body) {
    return [body](int64_t) { return http_post("/v1/continuity/list", body); };
  };
  return {
      {"list of 50", list(R"({"limit":50})")},
      {"list of 50 by salience", list(R"({"limit":50,"sort":"salience"})")},
      {"list by keyword", list(R"({"limit":50,"keyword":"k3"})")},
      {"list by lifecycle", list(R"({"limit":50,"lifecycle":"active"})")},
      {"startup read",
       [capsules](int64_t n) {
         return http_post("/v1/continuity/read",
                          fmt::format(R"({{"subject_kind":"thread","subject_id":"thread-{:07}",)"
                                      R"("view":"startup"}})",
                                      n * 37 % capsules));
       }},
      {"retrieve of a thread",
       [capsules](int64_t n) {
         return http_post("/v1/context/retrieve",
                          fmt::format(R"({{"task":"go on","subject_kind":"thread",)"
                                      R"("subject_id":"thread-{:07}"}})",
                                      n * 37 % capsules));
       }},
  };
}

std::vector<double> ask_all(int port, int64_t capsules) {
  std::vector<double> out;
  for (const Question& question : questions(capsules))
    out.push_back(median(port, question.request));
  return out;
}

void compare_sizes(int64_t capsules, const Corpus& corpus) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--log-level", "warn", "--rate-limits", "off"});
  write(server.port(), kCallers, kSmall, "thread", corpus);
  const std::vector<double> small = ask_all(server.port(), kSmall);
  run_load({.port = server.port(),
            .connections = kCallers,
            .requests = capsules - kSmall,
            .request = [&](int64_t n) { return upsert(n + kSmall, "thread", corpus); }});
  const std::vector<double> large = ask_all(server.port(), capsules);
  const auto asked = questions(capsules);
  for (size_t i = 0; i < asked.size(); ++i)
    print_row({fmt::format("continuity: {} at {} capsules", asked[i].what, capsules),
               fmt::format("{:.3f} ms", large[i]),
               fmt::format("at {} capsules: {:.3f} ms", kSmall, small[i]), large[i] / small[i],
               fmt::format("<= {:.0f}", kSizeBar), large[i] <= kSizeBar * small[i]});
  print_beside_health(
      {.what = fmt::format("continuity: /v1/context/retrieve at {} capsules", capsules),
       .port = server.port(),
       .request = asked.back().request,
       .bar = kContextBar});
}

void git(const std::string& folder, std::vector<std::string> arguments) {
  std::vector<std::string> command = {
      "git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@example.local"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto done = run_child({.command = command});
  if (!done || done->exit_code != 0) {
    std::fputs("git failed\n", stderr);
    std::exit(1);
  }
}

// The capsule and its snapshot, a commit each, as the original writes them.
double git_rate(int64_t upserts, const Corpus& corpus) {
  const TemporaryFolder folder;
  git(folder.path(), {"init", "--quiet"});
  std::filesystem::create_directories(folder.path() / "fallback");
  const auto start = std::chrono::steady_clock::now();
  for (int64_t n = 0; n < upserts; ++n) {
    const std::string id = fmt::format("thread-{:07}", n);
    for (const std::string& name : {id + ".json", "fallback/" + id + ".json"}) {
      std::ofstream(folder.path() / name) << capsule(n, id, corpus);
      git(folder.path(), {"add", name});
      git(folder.path(), {"commit", "--quiet", "-m", "upsert " + id, "--", name});
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return static_cast<double>(upserts) / took.count();
}

void compare_callers(int64_t upserts, int64_t git_upserts, const Corpus& corpus) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--log-level", "warn", "--rate-limits", "off"});
  write(server.port(), 1, 100, "warm", corpus);
  const double one = write(server.port(), 1, upserts / 4, "one", corpus).rate();
  const double many = write(server.port(), kCallers, upserts, "many", corpus).rate();
  print_row({fmt::format("continuity: durable upserts by {} callers", kCallers),
             fmt::format("{:.0f} /s", many), fmt::format("one caller: {:.0f} /s", one), many / one,
             fmt::format(">= {:.0f}", kCallersBar), many >= kCallersBar * one});
  const double by_git = git_rate(git_upserts, corpus);
  print_row({"continuity: durable upserts by one caller", fmt::format("{:.0f} /s", one),
             fmt::format("two git commits an upsert: {:.1f} /s", by_git), one / by_git});
}

}  // namespace

int run(int64_t capsules, int64_t upserts, int64_t git_upserts) {
  const Corpus corpus(5);
  compare_callers(upserts, git_upserts, corpus);
  compare_sizes(capsules, corpus);
  return 0;
}

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t capsules = 100'000;
  int64_t upserts = 4000;
  int64_t git_upserts = 200;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--capsules") == 0) capsules = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--upserts") == 0) upserts = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--git") == 0) git_upserts = std::atoll(argv[i + 1]);
  }
  return holdfast::bench::run(capsules, upserts, git_upserts);
}
