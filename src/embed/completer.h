// Text completed by a model. Optional everywhere: what needs a text has a rule of its own for the
// case that there is no model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::embed {

struct Message {
  std::string role = {};  // system, user, assistant
  std::string content = {};
};

struct CompletionRequest {
  std::vector<Message> messages = {};
  std::string model = {};  // empty: the provider's own
  std::optional<int64_t> max_tokens = {};
  bool json = true;  // ask the model for one JSON object
};

struct Completion {
  std::string content = {};  // as the model wrote it; not to be trusted
  std::string model = {};
  bool cut_short = false;  // the model ran out of tokens
  std::optional<int64_t> prompt_tokens = {};
  std::optional<int64_t> completion_tokens = {};
};

// Thread-safe.
class Completer {
 public:
  virtual ~Completer() = default;
  virtual std::string model() const = 0;
  // kRateLimited, kUnavailable, kDeadlineExceeded, kInvalidArgument (refused for good), kCorrupted
  // (an answer without a text). Waits for the network: never call it inside a write.
  virtual Result<Completion> complete(const CompletionRequest& request, Deadline deadline) = 0;
};

}  // namespace holdfast::embed
