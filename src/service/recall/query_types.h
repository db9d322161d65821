// What is asked of memory, what is found, and the trace of how.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
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
  Text trigger_origin = {};   // what made the query (policy.h)
  bool source_only = false;   // raw evidence by relevance; nothing is injected
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
inline constexpr std::string_view kSourceOnly = "source_only_search";
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
  double relevance = 0;  // by the index, 1 for its best piece of evidence; 0 where it has no say
  bool lexical = false;
  bool structural = false;
  bool shares_ref = false;
  std::optional<int64_t> similarity = {};  // cosine in thousandths, where vectors found it
  size_t lexical_rank = 0;                 // from 1; 0: not found so
  size_t vector_rank = 0;
  double fused = 0;  // weights over ranks, added up
  int64_t support = 0;
  int64_t score = 0;
  std::string excluded = {};  // why it is left out; empty: it is not

  bool is_memory() const { return memory.has_value(); }
  bool is(std::string_view memory_type) const { return memory && memory->type == memory_type; }
  const std::string& id() const { return memory ? memory->id : item.about.source_item_id; }
  std::string result_id() const { return (memory ? "memory_object:" : "source_item:") + id(); }
  std::string_view layer() const {
    return memory ? std::string_view(memory->type) : "source_evidence";
  }
  const Text& thread() const { return memory ? memory->thread_ref : item.about.thread_ref; }
  bool is_in(const Text& container) const {
    return memory ? container == memory->container_ref : container == item.about.container_ref;
  }
  Timestamp fresh() const { return memory ? memory->freshness_at : moment_of(item.about); }
  std::string text() const { return memory ? view_text(*memory) : item.content; }
  const std::vector<std::string>& refs() const {
    return memory ? memory->work_refs : item.work_refs;
  }
  bool usable() const { return excluded.empty(); }
};

struct Signals {
  bool resume = false;
  bool evidence = false;
  std::vector<std::string> derived_from = {};
};

// Everything a run found out, in the order in which it did. The answer and the trace are read
// from it. Only `found` owns candidates; the other lists choose from it.
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
  bool vectors = false;   // near vectors took part
  bool semantic = false;  // ... made by a model, so that they may carry a candidate alone
  std::vector<std::unique_ptr<Candidate>> found = {};  // best first; then structural ones
  int64_t excluded_by_visibility = 0;
  size_t below_floor = 0;
  std::vector<Candidate*> candidates = {};                     // above the floor, by score
  std::map<std::string, std::string, std::less<>> lanes = {};  // strong, plausible or excluded
  std::string selected_lane = {};
  std::string intent = {};
  std::set<std::string, std::less<>> withheld = {};  // types that are not put forward now
  std::vector<const Candidate*> results = {};
  std::vector<const Candidate*> blocks = {};
  std::vector<std::string> eligible = {};
  std::vector<std::string> deduplicated = {};
  std::vector<std::string> capped = {};
  std::string reason = {};

  bool injects() const { return !blocks.empty(); }
};

// How ranks by words and by vectors become one: weight / (k + rank), times the scale when shown.
inline constexpr double kFusionK = 60;
inline constexpr int64_t kFusionScale = 600;
inline constexpr double kLexicalWeight = 1.5;
inline constexpr double kVectorWeight = 1.0;
inline constexpr double kLeastSimilarity = 0.3;

}  // namespace holdfast::service::recall
