#include "app/bench_command.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/data_folder.h"
#include "app/engine.h"
#include "app/terminal.h"
#include "base/log.h"
#include "model/json_text.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr size_t kWords = 20;
constexpr size_t kVocabulary = 20'000;
constexpr int kSamples = 200;

double millis_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

// Words drawn as in real text: few are frequent, most are rare.
std::string make_text(std::mt19937& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const double u = std::uniform_real_distribution<double>(0, 1)(random);
    const auto rank = static_cast<size_t>(std::pow(static_cast<double>(kVocabulary), u));
    text += fmt::format("{}word{}", i > 0 ? " " : "", rank);
  }
  return text;
}

// A folder that is gone when the measuring is over.
struct ThrowAway {
  explicit ThrowAway(const std::string& beside)
      : path(fmt::format("{}/bench-{}", beside, getpid())) {}
  ~ThrowAway() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ThrowAway(const ThrowAway&) = delete;
  ThrowAway& operator=(const ThrowAway&) = delete;
  std::string path;
};

double measure_sync(const std::string& folder) {
  const std::string file = folder + "/sync";
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return 0;
  const std::string page(4096, 'x');
  std::vector<double> times;
  for (int i = 0; i < kSamples; ++i) {
    if (pwrite(descriptor, page.data(), page.size(), off_t{i} * 4096) < 0) break;
    const auto start = SteadyClock::now();
    fdatasync(descriptor);
    times.push_back(millis_since(start));
  }
  close(descriptor);
  return median(times);
}

int post(const Engine& engine, const std::string& target, const Value& body) {
  return engine.pipeline()
      .handle(
          http::make_request("POST", target, to_json(body), {{"Content-Type", "application/json"}}))
      .status;
}

double measure_single_writes(const Engine& engine) {
  std::mt19937 random(1);
  std::vector<double> times;
  for (int i = 0; i < kSamples; ++i) {
    const Value body = Value::object({{"text", make_text(random, kWords)}});
    const auto start = SteadyClock::now();
    post(engine, "/holdfast/v1/remember", body);
    times.push_back(millis_since(start));
  }
  return median(times);
}

// Writes a second.
double measure_writes(const Engine& engine, int64_t memories, int64_t callers, Progress& progress) {
  std::atomic<int64_t> done = 0;
  const auto start = SteadyClock::now();
  std::vector<std::thread> threads;
  for (int64_t caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      std::mt19937 random(static_cast<unsigned>(100 + caller));
      while (done.fetch_add(1) < memories) {
        post(engine, "/holdfast/v1/remember", Value::object({{"text", make_text(random, kWords)}}));
      }
    });
  }
  while (done < memories) {
    progress.update(static_cast<double>(done) / static_cast<double>(memories));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  for (auto& thread : threads) thread.join();
  return static_cast<double>(memories) / (millis_since(start) / 1000);
}

double measure_searches(const Engine& engine) {
  std::mt19937 random(2);
  std::vector<double> times;
  for (int i = 0; i < kSamples; ++i) {
    const Value body = Value::object({{"query", make_text(random, 6)}, {"limit", 10}});
    const auto start = SteadyClock::now();
    post(engine, "/holdfast/v1/search", body);
    times.push_back(millis_since(start));
  }
  return median(times);
}

}  // namespace

Status run_bench(CommandRun& run) {
  HOLDFAST_TRY(const int64_t memories, run.integer("memories", 100, 10'000'000));
  HOLDFAST_TRY(const int64_t callers, run.integer("callers", 1, 256));
  log::configure(log::Format::kText, log::Level::kWarn);
  const FolderPaths home(run.settings().text("data"));
  HOLDFAST_CHECK_OK(prepare_folder(home));
  const ThrowAway folder(home.folder);
  HOLDFAST_TRY(const auto engine, Engine::create({.paths = FolderPaths(folder.path)}));
  HOLDFAST_CHECK_OK(engine->open_index({}));

  Progress progress(fmt::format("storing {} memories", memories));
  const double sync = measure_sync(folder.path);
  const double single = measure_single_writes(*engine);
  const double writes = measure_writes(*engine, memories, callers, progress);
  const double search = measure_searches(*engine);
  progress.done();
  engine->close();
  run.print(Value::object({{"fdatasync_ms", sync},
                           {"single_write_ms", single},
                           {"writes_per_second", writes},
                           {"callers", callers},
                           {"memories", memories},
                           {"search_ms", search}}),
            [&](const Value&) {
              Table table({"WHAT", "MEDIAN"});
              table.add({"one fdatasync", fmt::format("{:.3f} ms", sync)});
              table.add({"one durable write", fmt::format("{:.3f} ms", single)});
              table.add({fmt::format("durable writes, {} callers", callers),
                         fmt::format("{:.0f} a second", writes)});
              table.add({fmt::format("search of six words in {} memories", memories),
                         fmt::format("{:.3f} ms", search)});
              return table.text(0);
            });
  return {};
}

}  // namespace holdfast::app
