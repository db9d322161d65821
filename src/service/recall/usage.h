// What became of memory that was put before an agent: one row for each block of a query that said
// why it was asked, and what people thought of memories.
#pragma once

#include <optional>
#include <string>

#include "model/noun.h"
#include "service/recall/item.h"

namespace holdfast::service::recall {

struct UsageRow {
  std::string id = {};
  std::string lookup_id = {};  // the query
  std::string memory_id = {};
  std::string memory_type = {};
  std::string container_ref = {};
  Text thread_ref = {};
  std::string trigger_origin = {};
  std::optional<bool> referenced = {};  // whether the next turns made use of it
  Text reference_kind = {};             // id_quote, verbatim_snippet, entity_match
  std::optional<int64_t> window_turns = {};
  Text rating = {};  // of a feedback that names the query
  Timestamp created_at = {};
  std::optional<Timestamp> populated_at = {};
};

struct Feedback {
  std::string memory_id = {};
  std::string rating = {};  // relevant, not_relevant
  Text reason = {};
  Text query_context = {};
  Text lookup_id = {};
  std::string rater_ref = {};
  Text thread_ref = {};
  Timestamp created_at = {};
};

const Noun<UsageRow>& usage_noun();
const Noun<Feedback>& feedback_noun();

// Rows are kept for a while, whether or not retention is on.
inline constexpr auto kUsageKept = std::chrono::hours(24 * 30);

}  // namespace holdfast::service::recall
