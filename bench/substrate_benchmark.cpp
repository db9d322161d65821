// The memory tools on stdio, as an editor uses them: remembering and searching beside the reference
// memory server of the protocol (npm @modelcontextprotocol/server-memory) with the same texts, and
// beside themselves at other sizes; searching also over HTTP, and through the protocol's own
// client.
//   substrate_benchmark --holdfast FILE --folder DIR [--objects N] [--peer FILE --client FILE]
// --peer: the script of the npm server (its dist/index.js); --client: sdk_client.mjs. Left out,
// those parts are.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
#include "bench/node_script.h"
#include "bench/row.h"
#include "bench/stdio_client.h"
#include "support/process.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSearchBar = 5;  // times ping
constexpr int kBatch = 500;
constexpr size_t kSamples = 60;
constexpr size_t kSearches = 8 * kSamples;
constexpr size_t kWarmUp = kSearches / 5;

double millis_of(const std::function<void()>& act) {
  const auto start = Clock::now();
  act();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<int64_t>(times.size()) / 2;
  std::ranges::nth_element(times, middle);
  return *middle;
}

double median_millis(size_t samples, const std::function<void(size_t)>& act) {
  std::vector<double> times;
  for (size_t i = 0; i < samples; ++i) times.push_back(millis_of([&] { act(i); }));
  return median(std::move(times));
}

std::string millis(double value) { return fmt::format("{:.3f} ms", value); }

// A short title and a text of the corpus, the same for both servers.
struct Texts {
  Corpus corpus{11};
  std::string title(int64_t n) const { return fmt::format("entity {}", n); }
  std::string text(int64_t n) const { return corpus.text(static_cast<size_t>(n)); }
  // To be searched for. Made before the clock starts.
  std::vector<std::string> words(size_t count) const {
    std::vector<std::string> out;
    for (size_t n = 0; n < count; ++n) out.push_back(corpus.content_terms(n).front());
    return out;
  }
};

class Holdfast {
 public:
  Holdfast(const std::string& binary, const std::string& data)
      : client_({binary, "mcp", "--data", data}) {
    client_.begin();
  }
  void fill(const Texts& texts, int64_t count) {
    while (stored_ < count) {
      std::string entries;
      for (int i = 0; i < kBatch && stored_ < count; ++i) {
        entries += fmt::format(R"({}{{"mode":"knowledge","input_data":{}}})",
                               entries.empty() ? "" : ",", entry(texts, stored_++));
      }
      call("memory_remember", "batch", "{\"entries\":[" + entries + "]}");
    }
  }
  void create(const Texts& texts) { call("memory_remember", "knowledge", entry(texts, stored_++)); }
  void search(const std::string& word) {
    call("memory_query", "search", "{\"query\":\"" + word + "\"}");
  }
  void ping() { client_.ask("ping", "{}"); }
  void settle() const { client_.settle(); }

 private:
  static std::string entry(const Texts& texts, int64_t n) {
    return fmt::format(
        R"({{"kind":"fact","title":"{}","summary":"{}","reason":"bench","memory_source":"agent_inferred","scope_refs":["scope:{}"]}})",
        texts.title(n), texts.text(n), n % 50);
  }
  void call(const std::string& tool, const std::string& mode, const std::string& input) {
    const std::string answer = client_.call(
        tool, fmt::format(R"({{"args":{{"mode":"{}","input_data":{}}}}})", mode, input));
    if (answer.find(R"("isError":true)") != std::string::npos) {
      std::fprintf(stderr, "%s\n", answer.c_str());
      std::exit(1);
    }
  }

  StdioClient client_;
  int64_t stored_ = 0;
};

class Peer {
 public:
  Peer(const std::string& script, const std::string& file)
      : client_({"node", script}, {"MEMORY_FILE_PATH=" + file}) {
    client_.begin();
  }
  void fill(const Texts& texts, int64_t count) {
    while (stored_ < count) {
      std::string entities;
      for (int i = 0; i < 10 * kBatch && stored_ < count; ++i) {
        entities += (entities.empty() ? "" : ",") + entity(texts, stored_++);
      }
      client_.call("create_entities", "{\"entities\":[" + entities + "]}");
    }
  }
  void create(const Texts& texts) {
    client_.call("create_entities", "{\"entities\":[" + entity(texts, stored_++) + "]}");
  }
  void search(const std::string& word) {
    client_.call("search_nodes", "{\"query\":\"" + word + "\"}");
  }

 private:
  static std::string entity(const Texts& texts, int64_t n) {
    return fmt::format(R"({{"name":"{}","entityType":"fact","observations":["{}"]}})",
                       texts.title(n), texts.text(n));
  }

  StdioClient client_;
  int64_t stored_ = 0;
};

struct Settings {
  std::string holdfast;
  std::string folder;
  std::string peer;
  std::string client;
  int64_t objects = 100'000;
};

void compare_with_peer(const Settings& settings, int64_t size) {
  const Texts texts;
  Holdfast ours(settings.holdfast, fmt::format("{}/ours-{}", settings.folder, size));
  Peer peer(settings.peer, fmt::format("{}/peer-{}.json", settings.folder, size));
  ours.fill(texts, size);
  peer.fill(texts, size);
  const auto row = [&](const std::string& what, double mine, double theirs) {
    print_row({.what = fmt::format("{} among {} on stdio", what, size),
               .ours = millis(mine),
               .alternative = "npm server-memory: " + millis(theirs),
               .ratio = theirs / mine});
  };
  row("remember one, durable", median_millis(kSamples, [&](size_t) { ours.create(texts); }),
      median_millis(kSamples, [&](size_t) { peer.create(texts); }));
  const std::vector<std::string> words = texts.words(kSamples);
  row("search one word", median_millis(words.size(), [&](size_t i) { ours.search(words[i]); }),
      median_millis(words.size(), [&](size_t i) { peer.search(words[i]); }));
}

void measure_growth(const Settings& settings) {
  const Texts texts;
  Holdfast ours(settings.holdfast, settings.folder + "/growth");
  Holdfast little(settings.holdfast, settings.folder + "/little");
  ours.fill(texts, settings.objects);
  little.fill(texts, 1000);
  // In turn: what a write costs here changes more from minute to minute than from size to size.
  std::vector<double> small_times;
  std::vector<double> large_times;
  for (size_t i = 0; i < 4 * kSamples; ++i) {
    small_times.push_back(millis_of([&] { little.create(texts); }));
    large_times.push_back(millis_of([&] { ours.create(texts); }));
  }
  const double small = median(std::move(small_times));
  const double large = median(std::move(large_times));
  print_row({.what = fmt::format("remember one at {} objects, on stdio", settings.objects),
             .ours = millis(large),
             .alternative = "at 1000: " + millis(small),
             .ratio = large / small,
             .bar = "<= 2",
             .held = large <= 2 * small});
  // As over HTTP: when the background is done, and warm. In turn: a process that slept through a
  // longer answer wakes up as slowly for either.
  ours.settle();
  const std::vector<std::string> words = texts.words(kSearches + kWarmUp);
  for (size_t i = kSearches; i < words.size(); ++i) ours.search(words[i]);
  std::vector<double> pings;
  std::vector<double> searches;
  for (const std::string& word : std::span(words).first(kSearches)) {
    pings.push_back(millis_of([&] { ours.ping(); }));
    searches.push_back(millis_of([&] { ours.search(word); }));
  }
  const double alone = median_millis(kSearches, [&](size_t) { ours.ping(); });
  const double ping = median(std::move(pings));
  const double search = median(std::move(searches));
  // A ping is then two writes into pipes, and its time that of waking up a process.
  print_row({.what = fmt::format("memory_query search at {} objects, on stdio, by a client that "
                                 "reads no answer",
                                 settings.objects),
             .ours = millis(search),
             .alternative = fmt::format("ping in turn: {} (alone {})", millis(ping), millis(alone)),
             .ratio = search / ping,
             .bar = fmt::format("<= {:.0f}", kSearchBar),
             .held = search <= kSearchBar * ping});
}

// The same search in what measure_growth left, as editors make it.
void measure_sdk(const Settings& settings) {
  const std::string words = settings.folder + "/words";
  std::ofstream file(words);
  for (const std::string& word : Texts().words(kSearches)) file << word << '\n';
  file.close();
  const auto [ping, search] = run_node(
      {settings.client, settings.peer, settings.holdfast, settings.folder + "/growth", words});
  print_row({.what = fmt::format("memory_query search at {} objects, on stdio, by the official "
                                 "TypeScript SDK",
                                 settings.objects),
             .ours = millis(search),
             .alternative = "ping in turn: " + millis(ping),
             .ratio = search / ping,
             .bar = fmt::format("<= {:.0f}", kSearchBar),
             .held = search <= kSearchBar * ping});
}

// The headers of a session's requests to /mcp.
std::string begin_session(int port) {
  const std::string accept = "application/json, text/event-stream";
  const auto answer = testing::HttpClient(port).request(
      "POST", "/mcp",
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})",
      {{"Accept", accept}});
  const auto session = answer.headers.find("mcp-session-id");
  if (session == answer.headers.end()) {
    std::fprintf(stderr, "no session: %s\n", answer.body.c_str());
    std::exit(1);
  }
  return fmt::format("Accept: {}\r\nMcp-Session-Id: {}\r\n", accept, session->second);
}

// And over HTTP.
void measure_http(const Settings& settings) {
  const std::vector<std::string> words = Texts().words(kSearches);
  testing::ServerProcess server(settings.folder + "/growth",
                                {"--log-level", "warn", "--rate-limits", "off"});
  const std::string headers = begin_session(server.port());
  const auto message = [&](const std::string& method, const std::string& params) {
    return http_post(
        "/mcp",
        fmt::format(R"({{"jsonrpc":"2.0","id":2,"method":"{}","params":{}}})", method, params),
        headers);
  };
  print_beside_health(
      {.what = fmt::format("memory_query search at {} objects, over HTTP", settings.objects),
       .port = server.port(),
       .request =
           [&](int64_t n) {
             return message("tools/call", fmt::format(R"({{"name":"memory_query","arguments":)"
                                                      R"({{"args":{{"mode":"search",)"
                                                      R"("input_data":{{"query":"{}"}}}}}}}})",
                                                      words[static_cast<size_t>(n) % kSearches]));
           },
       .bar = kSearchBar,
       .samples = kSearches,
       .other_name = "ping",
       .other_request = message("ping", "{}")});
}

int run(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--holdfast") settings.holdfast = argv[i + 1];
    if (name == "--folder") settings.folder = argv[i + 1];
    if (name == "--peer") settings.peer = argv[i + 1];
    if (name == "--client") settings.client = argv[i + 1];
    if (name == "--objects") settings.objects = std::strtoll(argv[i + 1], nullptr, 10);
  }
  if (settings.holdfast.empty() || settings.folder.empty()) {
    std::fprintf(stderr,
                 "substrate_benchmark --holdfast FILE --folder DIR [--objects N] [--peer FILE "
                 "--client FILE]\n");
    return 2;
  }
  std::filesystem::create_directories(settings.folder);
  if (!settings.peer.empty()) {
    for (const int64_t size : {int64_t{1000}, int64_t{10'000}}) compare_with_peer(settings, size);
  }
  measure_growth(settings);
  if (!settings.client.empty()) measure_sdk(settings);
  measure_http(settings);
  return 0;
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) { return holdfast::bench::run(argc, argv); }
