// Search by embeddings, end to end, with a small endpoint of our own: words of one meaning share a
// direction.
#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/model_endpoint.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

// Gives texts their vectors.
class EmbeddingEndpoint {
 public:
  std::string base_url() const { return endpoint_.base_url(); }
  void set_broken(bool broken) { broken_ = broken; }

 private:
  ModelEndpoint::Answer answer(const Value& body) const {
    if (broken_) return {.status = 500};
    Value data = Value::array();
    for (const Value& text : *body.find("input")->if_array())
      data.push(Value::object({{"embedding", vector_of(*text.if_string())}}));
    return {.body = Value::object({{"data", std::move(data)}})};
  }

  static Value vector_of(const std::string& text) {
    const auto has = [&](const char* word) {
      return text.find(word) != std::string::npos ? 1.0 : 0.01;
    };
    return Value::array({has("car") + has("automobile"), has("bread") + has("bakery"),
                         has("rain") + has("weather"), 0.1});
  }

  std::atomic<bool> broken_ = false;
  ModelEndpoint endpoint_{[this](const Value& body) { return answer(body); }};
};

std::vector<std::string> endpoint_arguments(const EmbeddingEndpoint& endpoint) {
  return {"--vector-mode",     "endpoint",       "--vector-base-url",
          endpoint.base_url(), "--vector-model", "tiny"};
}

void wait_until_caught_up(ServerProcess& server) {
  while (text_at(server.get("/health"), "vector_index_ready") != "true") std::this_thread::yield();
}

TEST(NativeVectorsTest, MeaningIsFoundWhereNoWordIsShared) {
  EmbeddingEndpoint endpoint;
  TemporaryFolder folder;
  ServerProcess server(folder / "data", endpoint_arguments(endpoint));
  server.post("/holdfast/v1/remember", R"({"id":"car","text":"the car needs new tyres"})");
  server.post("/holdfast/v1/remember", R"({"id":"bread","text":"bread is baked at five"})");
  wait_until_caught_up(server);

  const auto found =
      server.post("/holdfast/v1/search", R"({"query":"automobile","limit":1,"explain":true})");

  EXPECT_EQ(text_at(found, "hits.0.id"), "car") << found.body;
  EXPECT_EQ(text_at(found, "hits.0.why.ranks.0.stream"), "vector") << found.body;
}

TEST(NativeVectorsTest, ABrokenEndpointLeavesSearchLexicalAndIsMadeUpForLater) {
  EmbeddingEndpoint endpoint;
  TemporaryFolder folder;
  auto arguments = endpoint_arguments(endpoint);
  arguments.insert(arguments.end(), {"--vector-dimensions", "4"});
  endpoint.set_broken(true);
  ServerProcess server(folder / "data", arguments);
  server.post("/holdfast/v1/remember", R"({"id":"car","text":"the car needs new tyres"})");

  EXPECT_EQ(text_at(server.post("/holdfast/v1/search", R"({"query":"tyres"})"), "hits.0.id"),
            "car");
  EXPECT_EQ(size_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits"), 0U);

  endpoint.set_broken(false);
  server.restart(SIGKILL);
  wait_until_caught_up(server);
  EXPECT_EQ(text_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits.0.id"),
            "car");
  EXPECT_EQ(server.del("/holdfast/v1/objects/memory/car").status, 200);
  EXPECT_EQ(size_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits"), 0U);
}

TEST(NativeVectorsTest, WhatIsForgottenWhileVectorsAreOffLeavesTheirFilesToo) {
  TemporaryFolder folder;
  const std::string vectors = folder / "data/index/~vectors/default/vectors";
  {
    ServerProcess server(folder / "data", {"--vector-mode", "hashed"});
    server.post("/holdfast/v1/remember", R"({"id":"car","text":"the car needs new tyres"})");
    wait_until_caught_up(server);
    server.stop();
  }
  ASSERT_TRUE(std::filesystem::exists(vectors));
  ServerProcess server(folder / "data");

  EXPECT_EQ(server.del("/holdfast/v1/objects/memory/car").status, 200);

  EXPECT_FALSE(std::filesystem::exists(vectors));
}

}  // namespace
}  // namespace holdfast::testing
