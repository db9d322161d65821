// Answers without a model: quotes what was supplied or remembered, says what is missing, never
// states anything of its own. The same request on the same memory gives the same text.
#pragma once

#include "service/chat/provider.h"

namespace holdfast::service::chat {

inline constexpr std::string_view kEmbeddedModel = "embedded-extractive-1";

std::unique_ptr<Provider> make_embedded_provider();

}  // namespace holdfast::service::chat
