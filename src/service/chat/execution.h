// One chat run from the message to the answer: gates, retrieval, budgets, provider, linter. Stores
// nothing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/chat/chat_settings.h"
#include "service/chat/chat_types.h"
#include "service/chat/driver_blocks.h"
#include "service/chat/gates.h"
#include "service/chat/provider.h"
#include "service/chat/retrieval.h"
#include "service/chat/trace.h"
#include "service/chat/transmission.h"

namespace holdfast::service::chat {

struct TokenUsage {
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
  int64_t latency_ms = 0;
  int64_t cost_micros = 0;
};

// What became of a run. `failure` is set if there is no answer.
struct Execution {
  std::optional<Error> failure = {};
  std::string output_text = {};
  std::vector<UsedMemory> memories = {};
  JournalPosition read_at = 0;  // of the state they were read in
  TokenUsage usage = {};
  bool reached_provider = false;
  AssembledBlocks blocks = {};
  Mode mode = {};
  Sentinel sentinel = {};
  std::string breakpoint = {};
  std::vector<std::string> rigor_gates = {};
  std::vector<std::string> linter_flags = {};
  int64_t regenerations = 0;
  std::string provider = {};
  std::string model = {};
  std::optional<int64_t> prompt_tokens = {};
  std::optional<int64_t> completion_tokens = {};
  std::vector<Attempt> attempts = {};
};

// What an answer that failed its checks is replaced by, and one to a message that is too long.
inline constexpr std::string_view kFallbackText =
    "This answer could not be given in a form that keeps the rules. Please rephrase the message or "
    "try again.";
inline constexpr std::string_view kTooLongText =
    "This message is too long for the budget it came with. Please shorten it and try again.";

struct ExecutionParts {
  const MemoryRetriever& retriever;
  const BlockRegistry& registry;
  Provider& provider;
  Provider& embedded;
  const Clock& clock;
  const ChatSettings& settings;
};

// `txn` as in MemoryRetriever::retrieve: it has ended before the provider is asked.
Execution execute(const ExecutionParts& parts, const CallContext& call,
                  std::unique_ptr<storage::ReadTxn> txn, const ChatRun& run, Trace& trace);

}  // namespace holdfast::service::chat
