// /query over many items of one container beside GET /health on the same kind of connection, and
// how far the background pipeline is behind while many callers send items.
//
//   recall_benchmark [--items 100000] [--seconds 20]
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
#include "bench/row.h"
#include "relevance/recall_server.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;
using relevance::RecallServer;
using testing::HttpClient;

constexpr int kCallers = 16;
constexpr int64_t kItemsPerSecond = 500;
constexpr double kQueryBar = 5;
constexpr double kLagBar = 2;
constexpr int64_t kThreadLength = 20;
constexpr int64_t kWatched = 125;  // every so many items one is followed to its end

// Talk, with a decision now and then.
Value item_of(int64_t n, const Corpus& corpus, const std::string& source) {
  const std::string text = corpus.text(static_cast<size_t>(n));
  const bool decides = n % 10 == 9;
  const bool assistant = n % 2 == 1;
  return Value::object({{"source_type", source},
                        {"source_id", std::to_string(n)},
                        {"content_type", "text/plain"},
                        {"content", decides ? "We decided to use " + text + "." : text},
                        {"role", assistant ? "assistant" : "user"},
                        {"actor_ref", fmt::format("person {}", n % 7)},
                        {"container_ref", "bench"},
                        {"thread_ref", fmt::format("{} {}", source, n / kThreadLength)},
                        {"visibility", "container"}});
}

std::string query_request(int64_t n, const Corpus& corpus) {
  std::string question;
  for (const auto& term : corpus.natural_terms(static_cast<size_t>(n))) question += term + " ";
  return http_post("/query", fmt::format(R"({{"text":"what about {}?","container_ref":"bench",)"
                                         R"("visibility":"container"}})",
                                         question));
}

// Items at a steady rate, some of them followed until the pipeline is through with them.
class SteadyLoad {
 public:
  SteadyLoad(int port, const Corpus& corpus) : port_(port), corpus_(corpus) {}

  void run(int64_t seconds) {
    const auto start = Clock::now();
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kCallers; ++caller)
      callers.emplace_back([&, caller] { send(start, caller, seconds * kItemsPerSecond); });
    for (std::thread& caller : callers) caller.join();
  }

  double worst_lag() const { return worst_; }
  int64_t refused() const { return refused_; }
  int64_t stored() const { return stored_; }

 private:
  void send(Clock::time_point start, int caller, int64_t count) {
    HttpClient client(port_);
    std::vector<std::thread> watchers;
    for (int64_t n = caller; n < count; n += kCallers) {
      std::this_thread::sleep_until(start +
                                    std::chrono::microseconds(1'000'000 * n / kItemsPerSecond));
      Value array = Value::array();
      array.push(item_of(n, corpus_, "steady"));
      const auto answer = client.post("/items", to_json(array));
      if (answer.status == 429 || answer.status == 503) ++refused_;
      if (answer.status != 200) continue;
      ++stored_;
      if (n % kWatched != 0) continue;
      const auto parsed = parse_json(answer.body);
      watchers.emplace_back([this, id = relevance::text_in((*parsed->if_array())[0],
                                                           "source_item_id")] { follow(id); });
    }
    for (std::thread& watcher : watchers) watcher.join();
  }

  void follow(const std::string& id) {
    HttpClient client(port_);
    const auto start = Clock::now();
    for (;;) {
      const auto state = parse_json(client.get("/items/" + id + "/processing").body);
      if (state && relevance::text_in(*state, "processing_status") == "completed") break;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    const double lag = std::chrono::duration<double>(Clock::now() - start).count();
    const std::lock_guard lock(mutex_);
    worst_ = std::max(worst_, lag);
  }

  const int port_;
  const Corpus& corpus_;
  std::atomic<int64_t> refused_ = 0;
  std::atomic<int64_t> stored_ = 0;
  std::mutex mutex_;
  double worst_ = 0;
};

}  // namespace

int run(int64_t items, int64_t seconds) {
  const testing::TemporaryFolder folder;
  RecallServer server(folder / "data");
  const Corpus corpus(5);
  std::vector<Value> batch;
  const auto start = Clock::now();
  for (int64_t n = 0; n < items; ++n) {
    batch.push_back(item_of(n, corpus, "bulk"));
    if (batch.size() < 5000 && n + 1 < items) continue;
    server.store(batch);
    batch.clear();
  }
  server.drain();
  std::printf("%lld items in and worked on in %.1f s\n", static_cast<long long>(items),
              std::chrono::duration<double>(Clock::now() - start).count());
  print_beside_health({.what = fmt::format("/query over {} items of one container", items),
                       .port = server.port(),
                       .request = [&](int64_t n) { return query_request(n, corpus); },
                       .bar = kQueryBar});
  SteadyLoad load(server.port(), corpus);
  load.run(seconds);
  print_row({fmt::format("memory pipeline behind {} callers with {} items/s for {} s", kCallers,
                         kItemsPerSecond, seconds),
             fmt::format("{:.2f} s at worst", load.worst_lag()),
             fmt::format("{} stored, {} refused", load.stored(), load.refused()), 0,
             fmt::format("<= {:.0f} s", kLagBar), load.worst_lag() <= kLagBar});
  return 0;
}

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t items = 100'000;
  int64_t seconds = 20;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--items") == 0) items = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::atoll(argv[i + 1]);
  }
  return holdfast::bench::run(items, seconds);
}
