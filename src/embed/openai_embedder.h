// Any endpoint that speaks OpenAI's embeddings API: POST {base_url}/embeddings.
#pragma once

#include "embed/embedder.h"
#include "embed/openai_endpoint.h"

namespace holdfast::embed {

struct OpenAiOptions {
  EndpointOptions endpoint = {};
  std::string model = {};
  size_t dimensions = 0;
};

// The answer is checked: one vector a text, of the right length, all numbers finite.
// With `dimensions` 0 any length will do.
std::unique_ptr<Embedder> make_openai_embedder(const OpenAiOptions& options);

// The length of the endpoint's vectors, found by asking it for one. Errors as Embedder::embed.
Result<size_t> ask_dimensions(OpenAiOptions options);

}  // namespace holdfast::embed
