// Distillation by a model, checked against what was said.
#include <algorithm>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/chat/distill_words.h"
#include "service/chat/distiller.h"
#include "service/chat/plain_words.h"
#include "service/chat/words.h"

namespace holdfast::service::chat {
namespace {

bool is_grounded(const std::string& fact, const std::string& message) {
  // Words that only share a beginning are not the same here: a carp is no carpet.
  const std::vector<Word> given = all_words(message);
  for (const Word& word : content_words(fact)) {
    if (std::ranges::find(given, word.stem, &Word::stem) == given.end()) return false;
  }
  const std::vector<std::string> said = plain_words(message);
  return std::ranges::all_of(plain_words(fact), [&](const std::string& word) {
    const bool matters = is_negation(word) || std::ranges::any_of(word, is_digit);
    return !matters || is_one_of(said, word);
  });
}

}  // namespace

std::optional<std::string> distill_with(embed::Completer& completer,
                                        const std::vector<WindowEntry>& window,
                                        const std::string& trigger_message_id, Deadline deadline) {
  embed::CompletionRequest request{.max_tokens = 120};
  request.messages.push_back(
      {"system",
       "Find the one fact about the user that is worth keeping in these messages of theirs. Answer "
       "with one JSON object {\"fact\": text or null, \"source_message_id\": text or null}. The "
       "fact has at most 150 characters and only words of the message it comes from."});
  for (const WindowEntry& entry : window) {
    if (entry.role == Role::kUser)
      request.messages.push_back({"user", "[" + entry.message_id + "] " + entry.content});
  }
  const auto completion = completer.complete(request, deadline);
  const auto answer = completion ? parse_json(completion->content) : Result<Value>(Error{});
  const auto text = [&](std::string_view name) -> const std::string* {
    const Value* member = answer ? answer->find(name) : nullptr;
    return member != nullptr ? member->if_string() : nullptr;
  };
  const std::string* fact = text("fact");
  const std::string* source = text("source_message_id");
  if (fact != nullptr && source != nullptr && !trim_space(*fact).empty() &&
      count_code_points(*fact) <= kFactLength) {
    for (const WindowEntry& entry : window) {
      if (entry.role == Role::kUser && entry.message_id == *source &&
          is_grounded(*fact, entry.content))
        return *fact;
    }
  }
  return distill(window, trigger_message_id);
}

}  // namespace holdfast::service::chat
