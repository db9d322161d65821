// What is asked of memory, what is found, and the trace of how.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "service/recall/item.h"
#include "service/recall/memory.h"

namespace holdfast::service::recall {

struct RuntimeContext {
  Text turn_kind = {};
  std::optional<bool> local_context = {};
  bool evidence_request = false;
};

struct Query {
  std::string text = {};
  int64_t limit = 5;
  Text container_ref = {};
  Text thread_ref = {};
  Text actor_ref = {};
  Scope visibility = Scope::kPrivate;
  Text source_type = {};
  Text role = {};
  Text artifact_kind = {};
  std::vector<std::string> work_refs = {};
  RuntimeContext runtime = {};
  std::string own_item = {};  // the item that asks: never an answer to itself
  bool trace = false;         // also find out what only a trace shows
};

namespace reason {
inline constexpr std::string_view kCarryForward = "carry_forward_available";
inline constexpr std::string_view kSupplement = "constraint_supplement";
inline constexpr std::string_view kSameThread = "same_thread_context_sufficient";
inline constexpr std::string_view kNothing = "no_relevant_memory";
inline constexpr std::string_view kOnlyLowValue = "only_low_value_candidates";
inline constexpr std::string_view kLowConfidence = "low_injection_confidence";
inline constexpr std::string_view kBelowFloor = "no_candidates_above_floor";
inline constexpr std::string_view kLowValueQuery = "low_value_query";
inline constexpr std::string_view kAmbiguous = "lane_ambiguity";
inline constexpr std::string_view kNoLane = "no_lane_eligible";
}  // namespace reason

namespace lane {
inline constexpr std::string_view kWork = "work_resumption";
inline constexpr std::string_view kEvidence = "evidence_trace";
inline constexpr std::string_view kResidual = "residual_recall";
}  // namespace lane

namespace intent {
inline constexpr std::string_view kRecall = "recall";
inline constexpr std::string_view kStructured = "structured_recall";
}  // namespace intent

// A memory or an item that may answer.
struct Candidate {
  std::optional<Memory> memory = {};
  Item item = {};  // where there is no memory
  std::vector<std::string> matched_words = {};
  double matched = 0;
  double coverage = 0;
  bool lexical = false;
  bool structural = false;
  bool shares_ref = false;
  int64_t support = 0;
  int64_t score = 0;
  std::string excluded = {};  // why it is left out; empty: it is not

  bool is_memory() const { return memory.has_value(); }
  bool is(std::string_view memory_type) const { return memory && memory->type == memory_type; }
  std::string id() const { return memory ? memory->id : item.about.source_item_id; }
  std::string result_id() const { return (memory ? "memory_object:" : "source_item:") + id(); }
  std::string layer() const { return memory ? memory->type : "source_evidence"; }
  Text thread() const { return memory ? memory->thread_ref : item.about.thread_ref; }
  Text container() const { return memory ? Text(memory->container_ref) : item.about.container_ref; }
  Timestamp fresh() const { return memory ? memory->freshness_at : moment_of(item.about); }
  std::string text() const { return memory ? view_text(*memory) : item.content; }
  bool usable() const { return excluded.empty(); }
};

struct Signals {
  bool resume = false;
  bool evidence = false;
  std::vector<std::string> derived_from = {};
};

// Everything a run found out, in the order in which it did. The answer and the trace are read
// from it.
struct Run {
  Query query = {};
  std::vector<std::string> content = {};  // content words of the query
  std::vector<std::string> refs = {};     // work references, given or found
  Signals signals = {};
  std::string turn_kind = {};
  bool local_context = false;
  bool thread_relaxed = false;
  std::string relaxed_reason = {};
  bool failed_closed = false;
  bool low_value = false;
  bool searched = false;
  std::vector<Candidate> found = {};  // lexical, best first; then structural ones
  int64_t excluded_by_visibility = 0;
  size_t below_floor = 0;
  std::vector<Candidate> candidates = {};                      // above the floor, by score
  std::map<std::string, std::string, std::less<>> lanes = {};  // strong, plausible or excluded
  std::string selected_lane = {};
  std::string intent = {};
  std::vector<Candidate> results = {};
  std::vector<Candidate> blocks = {};
  std::vector<std::string> eligible = {};
  std::vector<std::string> deduplicated = {};
  std::vector<std::string> capped = {};
  std::string reason = {};

  bool injects() const { return !blocks.empty(); }
};

}  // namespace holdfast::service::recall
