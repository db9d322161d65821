// Answers by a model behind an OpenAI-compatible endpoint.
#pragma once

#include "embed/completer.h"
#include "service/chat/provider.h"

namespace holdfast::service::chat {

// The completer outlives the provider.
std::unique_ptr<Provider> make_openai_provider(embed::Completer& completer, bool json_mode);

// In place of a provider that lacks its settings: every call fails with provider_not_configured.
std::unique_ptr<Provider> make_missing_provider(std::string what_is_missing);

}  // namespace holdfast::service::chat
