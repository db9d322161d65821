// One chat run, whatever dialect asked for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "service/chat/driver_blocks.h"

namespace holdfast::service::chat {

struct PinnedContext {
  std::string id = {};
  std::string version = {};
  std::string hash = {};
};

enum class Role { kUser, kAssistant, kSystem };

struct HistoryEntry {
  Role role = Role::kUser;
  std::string content = {};
  std::string message_id = {};
  std::optional<Timestamp> created_at = {};
};

struct Support {
  std::string support_id = {};
  std::string source_type = {};
  std::string source_uri = {};
  std::string excerpt = {};
  std::string capture_id = {};
};

struct Claim {
  std::string claim_id = {};
  std::string claim_text = {};
  std::vector<Support> support = {};
};

struct Budgets {
  int64_t max_input_tokens = 0;
  int64_t max_output_tokens = 0;
  int64_t max_regenerations = 0;
  int64_t max_tool_steps = 0;
};

struct Retrieval {
  std::vector<std::string> domain_scope = {};
  int64_t max_items = 0;
  int64_t per_item_max_summary_tokens = 1;
};

// What was supplied around the message.
struct Surroundings {
  std::string capsule_summary = {};
  std::string primary_arc = {};
  std::vector<std::string> decisions = {};
  std::vector<std::string> next = {};
  std::vector<std::string> avoid_topics = {};
  std::vector<HistoryEntry> history = {};  // oldest first
  std::vector<Support> evidence = {};
};

// How much evidence the flat dialect sent, whatever became of it.
struct EvidenceCounts {
  size_t captures = 0;
  size_t supports = 0;
  size_t claims = 0;
};

enum class TraceLevel { kInfo, kDebug };
enum class Dialect { kCanonical, kFlat };

struct ChatRun {
  Dialect dialect = Dialect::kCanonical;
  std::string user = {};        // empty: nobody, as the flat dialect allows
  std::string request_id = {};  // empty: no idempotency
  std::string thread_id = {};
  std::string message_id = {};
  std::string input_text = {};
  PinnedContext pinned = {};
  std::vector<BlockRef> refs = {};
  std::vector<InlineBlock> carried = {};
  TraceLevel level = TraceLevel::kInfo;
  Retrieval retrieval = {};
  Surroundings around = {};
  EvidenceCounts evidence_counts = {};
  Budgets budgets = {};
  bool deferred = false;                  // answer 202 and work on
  bool audit = false;                     // asked for by a header
  bool input_trimmed = false;             // history beyond the newest 20 was left out
  std::vector<std::string> signals = {};  // of the flat dialect's client
  std::string notification_policy = {};   // as asked for; empty: none
  std::string forced_persona = {};
  bool simulate = false;
};

// A memory that was put in front of the provider.
struct UsedMemory {
  std::string memory_id = {};
  std::optional<std::string> domain = {};
  std::optional<std::string> title = {};
  std::string summary = {};
  bool hazy = false;
  Timestamp created_at = {};
};

// Everything a provider may draw on, trimmed to the budget.
struct Material {
  std::string input_text = {};
  Surroundings around = {};
  std::vector<UsedMemory> memories = {};  // best first
};

}  // namespace holdfast::service::chat
