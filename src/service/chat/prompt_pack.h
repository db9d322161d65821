// What a remote model is sent. The same input gives the same bytes: no clock, no random ids. Only
// the server's own rules speak as `system`; everything that came from outside is quoted material.
#pragma once

#include <string>
#include <vector>

#include "embed/completer.h"
#include "service/chat/provider.h"

namespace holdfast::service::chat {

std::vector<embed::Message> prompt_messages(const ProviderInput& input, bool json_answer);

}  // namespace holdfast::service::chat
