// One fact from a few messages, in the user's own words, or none. Nothing is invented: the fact is
// a piece of one user message.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "embed/completer.h"
#include "service/chat/chat_types.h"
#include "service/chat/memory.h"

namespace holdfast::service::chat {

inline constexpr size_t kFactLength = 150;  // code points

struct WindowEntry {
  std::string message_id = {};
  Role role = Role::kUser;
  std::string content = {};
  Timestamp created_at = {};
};

std::optional<std::string> distill(std::vector<WindowEntry> window,
                                   const std::string& trigger_message_id);

// The same by a model, whose answer counts only if every word, number and negation of it is in the
// message it names; otherwise by the rules above.
std::optional<std::string> distill_with(embed::Completer& completer,
                                        const std::vector<WindowEntry>& window,
                                        const std::string& trigger_message_id, Deadline deadline);

// breakthrough, resolve, nostalgia, insight or standard_fact
std::string mood_of(std::string_view fact);

}  // namespace holdfast::service::chat
