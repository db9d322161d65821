// Observations: batches beside single creations, lists with two filters as the store grows, and
// texts looked up, beside GET /health on the same kind of connection.
//
//   observations_benchmark [--observations 1000000]
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
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
constexpr int64_t kSingles = 4000;
constexpr const char* kTypes[] = {"test_result", "backtest_result", "research_note", "code_change",
                                  "tool_output", "decision",        "checkpoint",    "other"};
// Pairs of filters: both broad, one narrow, negated, a time window.
constexpr const char* kPairs[] = {"type=decision&tag=t3",    "tag=t1&tag=t7",
                                  "type!=other&tag=t5",      "type=checkpoint&source_type=api",
                                  "tag=rare5&type=decision", "created_at.gt=now-1d&tag=t2"};

class Bench {
 public:
  explicit Bench(int64_t observations)
      : observations_(observations),
        server_(folder_ / "data", {"--log-level", "warn", "--rate-limits", "off"}) {
    const auto made = server_post("/api/v2/workspaces",
                                  R"({"slug":"bench","name":"Bench","visibility":"internal"})");
    workspace_ = testing::text_at(made, "data.id");
  }

  int run() {
    const double singles = single_rate();
    const double batches = fill(kSmall);
    print_row({"observations in batches of 100, 8 callers", fmt::format("{:.0f} a second", batches),
               fmt::format("one by one: {:.0f} a second", singles), batches / singles, ">= 10",
               batches >= 10 * singles});
    const std::vector<double> small = lists();
    fill(std::min(kMiddle, observations_));
    report_texts(kTextBar);
    if (made_ == observations_) return 0;
    fill(observations_);
    report_lists(small, lists());
    report_texts(0);
    return 0;
  }

 private:
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

  double single_rate() {
    const auto request = [&](int64_t n) {
      return http_post("/observations", observation(n),
                       fmt::format("Idempotency-Key: one:{}\r\n", n));
    };
    const LoadResult result = run_load({.port = server_.port(),
                                        .connections = kCallers,
                                        .requests = kSingles,
                                        .request = request});
    made_ = kSingles;
    return result.rate();
  }

  // Observations a second until there are so many.
  double fill(int64_t until) {
    const int64_t from = made_;
    const auto request = [&](int64_t n) {
      std::string items;
      for (int64_t i = 0; i < kBatch; ++i)
        items += (i > 0 ? "," : "") + observation(from + n * kBatch + i);
      return http_post(
          "/observations/batch",
          fmt::format(R"({{"commit_id":"c{}-{}","observations":[{}]}})", from, n, items),
          fmt::format("Idempotency-Key: batch:{}:{}\r\n", from, n));
    };
    const LoadResult result = run_load({.port = server_.port(),
                                        .connections = kCallers,
                                        .requests = std::max<int64_t>((until - from) / kBatch, 1),
                                        .request = request});
    made_ = from + result.answers * kBatch;
    return result.rate() * kBatch;
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
  int64_t made_ = 0;
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t observations = 1'000'000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--observations") == 0) observations = std::atoll(argv[i + 1]);
  }
  return holdfast::bench::Bench(observations).run();
}
