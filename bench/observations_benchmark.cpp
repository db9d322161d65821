// Observations: batches beside single creations, also on a slower disk, lists with two filters as
// the store grows, and texts looked up, beside GET /health on the same kind of connection.
//
//   observations_benchmark [--observations 1000000] [--callers FILE]
// --callers: observation_callers.mjs, callers that make their requests and read the answers; left
// out, that part is.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
#include "bench/node_script.h"
#include "bench/row.h"
#include "support/json.h"
#include "support/process.h"

namespace holdfast::bench {
namespace {

using testing::ServerProcess;
using testing::TemporaryFolder;

constexpr int kCallers = 8;
constexpr int64_t kBatch = 100;
constexpr int64_t kSmall = 10'000;
constexpr int64_t kMiddle = 100'000;  // where the design's bar for texts is
constexpr double kTextBar = 5;
// One by one and in batches are measured in turn, so that both meet the same store and the same
// machine: so many rounds of so many requests each.
constexpr int64_t kRounds = 5;
constexpr int64_t kSingles = 1000;
constexpr int64_t kBatches = 100;
constexpr int64_t kForNode = 60'000;  // more than the script uses
constexpr const char* kTypes[] = {"test_result", "backtest_result", "research_note", "code_change",
                                  "tool_output", "decision",        "checkpoint",    "other"};
// Pairs of filters: both broad, one narrow, negated, times that everything is in, pieces of text.
constexpr const char* kPairs[] = {"type=decision&tag=t3",
                                  "tag=t1&tag=t7",
                                  "type!=other&tag=t5",
                                  "type=checkpoint&source_type=api",
                                  "tag=rare5&type=decision",
                                  "created_at.gt=now-1d&tag=t2",
                                  "created_at.gt=now-1d&created_at.lt=now",
                                  "source_type!=ci&created_at.gt=now-1d",
                                  "type=decision&q=%22of+the%22",
                                  "created_at.gt=now-1d&q=e",
                                  "tag!=t3&q=bench"};

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

class Bench {
 public:
  explicit Bench(int64_t observations, testing::Environment environment = {})
      : observations_(observations),
        server_(folder_ / "data", {"--log-level", "warn", "--rate-limits", "off"},
                std::move(environment)) {
    const auto made = server_post("/api/v2/workspaces",
                                  R"({"slug":"bench","name":"Bench","visibility":"internal"})");
    workspace_ = testing::text_at(made, "data.id");
  }

  // `where`: a remark on the machine.
  void report_rates(const std::string& where = {}) {
    double singles = 0;
    double alone = 0;
    double batches = 0;
    const auto single_request = [&](int64_t n) { return single(n); };
    const auto batch_request = [&](int64_t n) { return batch(n); };
    send(kSingles / 10, kCallers, single_request);  // warms up; neither is measured
    send(kBatches / 10, kCallers, batch_request);
    for (int64_t round = 0; round < kRounds; ++round) {
      singles += send(kSingles, kCallers, single_request);
      batches += send(kBatches, kCallers, batch_request);
      alone += send(kSingles, 1, single_request);
    }
    // The bar is for the same callers; one of them is for comparison.
    const double batch_rate = static_cast<double>(kRounds * kBatches * kBatch) / batches;
    const auto row = [&](const char* by, double seconds, const char* bar) {
      print_rates("8 callers that send prepared bytes" + where, batch_rate, by,
                  static_cast<double>(kRounds * kSingles) / seconds, bar);
    };
    row("the same", singles, ">= 10");
    row("one of them", alone, "");
  }

  void report_rates_in_node(const std::string& script) {
    const std::string file = folder_ / "observations";
    std::ofstream lines(file);
    for (int64_t i = 0; i < kForNode; ++i) lines << observation(made_++) << '\n';
    lines.close();
    const auto [singles, batches] =
        run_node({script, std::to_string(server_.port()), std::to_string(kCallers), file});
    print_rates("8 callers in Node", batches, "the same", singles, ">= 10");
  }

  int run() {
    fill(kSmall);
    const std::vector<double> small = lists();
    fill(std::min(kMiddle, observations_));
    report_first_look();
    report_texts(kTextBar);
    if (made_ == observations_) return 0;
    fill(observations_);
    report_lists(small, lists());
    report_texts(0);
    return 0;
  }

 private:
  static void print_rates(const std::string& callers, double batches, const std::string& others,
                          double singles, const std::string& bar) {
    print_row({fmt::format("observations in batches of 100, {}", callers),
               fmt::format("{:.0f} a second", batches),
               fmt::format("one by one, {}: {:.0f} a second", others, singles), batches / singles,
               bar, batches >= 10 * singles});
  }

  testing::HttpAnswer server_post(const std::string& target, const std::string& json) {
    return testing::HttpClient(server_.port())
        .request("POST", target, json,
                 {{"Content-Type", "application/json"}, {"Idempotency-Key", "bench:" + target}});
  }

  std::string observation(int64_t n) const {
    return fmt::format(
        R"({{"workspace_id":"{}","type":"{}","title":"Run {} of the bench","summary_md":"{}",)"
        R"("tags":["t{}","t{}","rare{}"]}})",
        workspace_, kTypes[n % 8], n, corpus_.text(static_cast<size_t>(n)), n % 10, n / 10 % 10,
        n % 1000);
  }

  std::string single(int64_t n) const {
    return http_post("/observations", observation(n),
                     fmt::format("Idempotency-Key: one:{}\r\n", n));
  }

  // 100 observations from number n on.
  std::string batch(int64_t n) const {
    std::string items;
    for (int64_t i = 0; i < kBatch; ++i) items += (i > 0 ? "," : "") + observation(n + i);
    return http_post("/observations/batch",
                     fmt::format(R"({{"commit_id":"c{}","observations":[{}]}})", n, items),
                     fmt::format("Idempotency-Key: batch:{}\r\n", n));
  }

  // The seconds that so many requests take. They are made before the clock starts: the client has
  // no processor of its own.
  template <typename Make>
  double send(int64_t count, int callers, const Make& make) {
    std::vector<std::string> requests;
    for (int64_t i = 0; i < count; ++i, made_ += kBatch) requests.push_back(make(made_));
    const LoadResult result =
        run_load({.port = server_.port(),
                  .connections = callers,
                  .requests = count,
                  .request = [&](int64_t n) { return requests[static_cast<size_t>(n)]; }});
    if (result.refusals > 0) give_up("observations were refused");
    return result.seconds;
  }

  // Batches until there are so many observations.
  void fill(int64_t until) {
    const int64_t from = made_;
    const int64_t count = (until - from) / kBatch;
    if (count <= 0) return;
    run_load({.port = server_.port(),
              .connections = kCallers,
              .requests = count,
              .request = [&](int64_t n) { return batch(from + n * kBatch); }});
    made_ = from + count * kBatch;
  }

  double median(const std::string& target) const {
    const auto request = [&](int64_t) { return http_get(target); };
    run_load({.port = server_.port(), .connections = 1, .requests = 50, .request = request});
    return run_load({.port = server_.port(), .connections = 1, .requests = 400, .request = request})
        .median();
  }

  std::vector<double> lists() const {
    std::vector<double> medians;
    for (const char* pair : kPairs) medians.push_back(median("/observations?" + std::string(pair)));
    return medians;
  }

  void report_lists(const std::vector<double>& small, const std::vector<double>& large) const {
    for (size_t i = 0; i < small.size(); ++i) {
      print_row({fmt::format("list with {} at {} observations", kPairs[i], made_),
                 fmt::format("{:.3f} ms", large[i]),
                 fmt::format("at {}: {:.3f} ms", kSmall, small[i]), large[i] / small[i], "<= 5",
                 large[i] <= 5 * small[i]});
    }
  }

  // Nobody asked for this phrase before, and all of them have it: the slowest that there is.
  void report_first_look() const {
    const auto request = [](int64_t) { return http_get("/observations?q=%22run%20%22"); };
    const double millis =
        run_load({.port = server_.port(), .connections = 1, .requests = 1, .request = request})
            .median();
    print_row({fmt::format("a phrase asked for the first time at {} observations", made_),
               fmt::format("{:.0f} ms", millis), "", 0, "<= 500 ms", millis <= 500});
  }

  void report_texts(double text_bar) const {
    const auto beside_health = [&](const std::string& what, const std::string& target, double bar) {
      print_beside_health({.what = fmt::format("{} at {} observations", what, made_),
                           .port = server_.port(),
                           .request = [&](int64_t) { return http_get(target); },
                           .bar = bar,
                           .samples = 400});
    };
    const std::string word = corpus_.content_terms(1).front();
    beside_health("list with q=" + word, "/observations?q=" + word, text_bar);
    beside_health("the first page", "/observations", 0);
  }

  const int64_t observations_;
  const TemporaryFolder folder_;
  ServerProcess server_;
  const Corpus corpus_{3};
  std::string workspace_;
  int64_t made_ = 0;  // numbers of observations that were used so far
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t observations = 1'000'000;
  std::string callers;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--observations") == 0) observations = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--callers") == 0) callers = argv[i + 1];
  }
  holdfast::bench::Bench(observations).report_rates();
  holdfast::bench::Bench(observations, {{"LD_PRELOAD", SLOW_DISK}})
      .report_rates(", fdatasync taking 1 ms more");
  if (!callers.empty()) holdfast::bench::Bench(observations).report_rates_in_node(callers);
  return holdfast::bench::Bench(observations).run();
}
