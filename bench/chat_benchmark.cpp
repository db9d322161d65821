// Chat with the embedded provider over many memories of one user, beside GET /health on the same
// kind of connection.
//
//   chat_benchmark [--memories 100000]
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

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
constexpr double kBar = 8;

std::string memory_request(int64_t n, const Corpus& corpus) {
  return http_post("/v1/memories",
                   fmt::format(R"({{"request_id":"m{}","memory":{{"domain":"d","content":"{}"}},)"
                               R"("consent":{{"explicit_user_consent":true}}}})",
                               n, corpus.text(static_cast<size_t>(n))),
                   "x-sol-user-id: u\r\n");
}

std::string chat_request(int64_t n, const Corpus& corpus) {
  std::string question;
  for (const auto& term : corpus.natural_terms(static_cast<size_t>(n))) question += term + " ";
  return http_post(
      "/v1/chat",
      fmt::format(
          R"({{"request_id":"c{0}","user_id":"u","thread_id":"t","user_message_id":"m",)"
          R"("packet":{{"packet_id":"p","packet_type":"chat","message_ids":[],)"
          R"("pinned_context_ref":{{"id":"c","version":"1","hash":"h"}},"retrieval_config":)"
          R"({{"domain_scope":"all","max_items":5,"per_item_max_summary_tokens":100}}}},)"
          R"("context":{{"capsule_summary":"","history":[]}},"input_text":"what {1}?",)"
          R"("budgets":{{"max_input_tokens":1000,"max_output_tokens":300,"max_regenerations":1}}}})",
          n, question));
}

}  // namespace

int run(int64_t memories) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--log-level", "warn", "--rate-limits", "off"});
  const Corpus corpus(3);
  run_load({.port = server.port(),
            .connections = kCallers,
            .requests = memories,
            .request = [&](int64_t n) { return memory_request(n, corpus); }});
  print_beside_health(
      {.what = fmt::format("chat with {} memories of one user, answer stored durably", memories),
       .port = server.port(),
       .request = [&](int64_t n) { return chat_request(n, corpus); },
       .bar = kBar,
       .samples = 2000});
  return 0;
}

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t memories = 100'000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--memories") == 0) memories = std::atoll(argv[i + 1]);
  }
  return holdfast::bench::run(memories);
}
