// Any endpoint that speaks OpenAI's chat completions: POST {base_url}/chat/completions.
#pragma once

#include "embed/completer.h"
#include "embed/openai_endpoint.h"

namespace holdfast::embed {

struct OpenAiCompleterOptions {
  EndpointOptions endpoint = {};
  std::string model = {};
};

// Temperature 0, no streaming.
std::unique_ptr<Completer> make_openai_completer(OpenAiCompleterOptions options);

}  // namespace holdfast::embed
