// Any endpoint that speaks OpenAI's embeddings API: POST {base_url}/embeddings.
#pragma once

#include "embed/embedder.h"

namespace holdfast::embed {

struct OpenAiOptions {
  std::string base_url = {};  // https://api.openai.com/v1, http://127.0.0.1:11434/v1
  std::string api_key = {};   // empty: no Authorization header
  std::string model = {};
  size_t dimensions = 0;
  std::chrono::milliseconds timeout{30'000};  // of one attempt
  int attempts = 4;                           // in all, for 429, 5xx and broken connections
  std::chrono::milliseconds first_backoff{
      250};  // doubles each time; Retry-After is obeyed up to max_backoff
  std::chrono::milliseconds max_backoff{8'000};
  size_t max_response_bytes = 64U << 20;
};

// The answer is checked: one vector a text, of the right length, all numbers finite.
// With `dimensions` 0 any length will do.
std::unique_ptr<Embedder> make_openai_embedder(OpenAiOptions options);

// The length of the endpoint's vectors, found by asking it for one. Errors as Embedder::embed.
Result<size_t> ask_dimensions(OpenAiOptions options);

}  // namespace holdfast::embed
