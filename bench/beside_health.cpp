#include "bench/beside_health.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "bench/load_client.h"
#include "bench/row.h"
#include "support/process.h"

namespace holdfast::bench {
namespace {

LoadResult one_caller(int port, int64_t requests, std::function<std::string(int64_t)> request) {
  return run_load(
      {.port = port, .connections = 1, .requests = requests, .request = std::move(request)});
}

constexpr std::chrono::milliseconds kWait{100};
constexpr int kMostWaits = 600;

double metric(testing::HttpClient& client, std::string_view name) {
  const std::string text = client.get("/metrics").body;
  const size_t at = text.find("\n" + std::string(name) + " ");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}

// What a fill left to do in the background (flushes, merges) is not measured. Merges begin two
// seconds after the last burst of writes.
void settle(int port) {
  testing::HttpClient client(port);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  for (int left = kMostWaits; metric(client, "holdfast_index_working") > 0 && left > 0; --left)
    std::this_thread::sleep_for(kWait);
}

}  // namespace

void print_beside_health(const BesideHealth& asked) {
  settle(asked.port);
  const std::string other = asked.other_request.empty() ? http_get("/health") : asked.other_request;
  const auto nothing_asked = [&](int64_t) { return other; };
  const int64_t warm = asked.samples / 5;
  one_caller(asked.port, warm, asked.request);
  const auto in_turn = [&](int64_t n) {
    return n % 2 == 0 ? nothing_asked(n) : asked.request(warm + n / 2);
  };
  // One connection: the answers come in the order of the requests.
  const LoadResult both = one_caller(asked.port, 2 * asked.samples, in_turn);
  LoadResult ours;
  LoadResult nothing;
  for (size_t i = 0; i < both.millis.size(); ++i)
    (i % 2 == 0 ? nothing : ours).millis.push_back(both.millis[i]);
  const double alone = one_caller(asked.port, asked.samples, nothing_asked).median();
  const double ratio = ours.median() / nothing.median();
  print_row({.what = asked.what,
             .ours = fmt::format("{:.3f} ms", ours.median()),
             .alternative = fmt::format("{} in turn: {:.3f} ms (alone {:.3f} ms)", asked.other_name,
                                        nothing.median(), alone),
             .ratio = ratio,
             .bar = asked.bar > 0 ? fmt::format("<= {:.0f}", asked.bar) : "",
             .held = ratio <= asked.bar});
}

}  // namespace holdfast::bench
