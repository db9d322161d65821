#include "relevance/recall_server.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace holdfast::relevance {
namespace {

constexpr size_t kAtOnce = 50;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

}  // namespace

RecallServer::RecallServer(const std::string& data)
    : server_(data, {"--rate-limits", "off", "--log-level", "warn"}), client_(server_.port()) {}

void RecallServer::store(const std::vector<Value>& items) {
  for (size_t first = 0; first < items.size(); first += kAtOnce) {
    Value array = Value::array();
    for (size_t i = first; i < std::min(first + kAtOnce, items.size()); ++i) array.push(items[i]);
    const std::string body = to_json(array);
    testing::HttpAnswer answer = client_.post("/items", body);
    while (answer.status == 429 || answer.status == 503) {
      pause();
      answer = client_.post("/items", body);
    }
    if (answer.status != 200) give_up("items were refused: " + answer.body);
  }
}

void RecallServer::drain() {
  for (;;) {
    const auto health = parse_json(client_.get("/debug/queue/health").body);
    if (!health) give_up("/debug/queue/health does not answer");
    const Value* counts = health->find("status_counts");
    const Value* leased = health->find("leased_thread_scopes");
    const bool busy = counts->find("pending") != nullptr || counts->find("processing") != nullptr ||
                      !leased->if_array()->empty();
    if (!busy) break;
    pause();
  }
  // A thread that waits for its turn is not leased yet.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

Value RecallServer::ask(const Value& question) {
  const auto answer = client_.post("/query", to_json(question));
  if (answer.status != 200) give_up("a question was refused: " + answer.body);
  return *parse_json(answer.body);
}

std::string text_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  const std::string* text = member != nullptr ? member->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

Value read_json_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream bytes;
  bytes << file.rdbuf();
  auto value = parse_json(bytes.str());
  if (!value) give_up("cannot read " + path);
  return std::move(*value);
}

}  // namespace holdfast::relevance
