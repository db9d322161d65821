// A compact record derived from evidence: one of ten types.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "service/recall/item.h"

namespace holdfast::service::recall {

namespace type {
inline constexpr std::string_view kDecision = "decision";
inline constexpr std::string_view kOutcome = "investigation_outcome";
inline constexpr std::string_view kConstraint = "constraint_memory";
inline constexpr std::string_view kFact = "atomic_fact";
inline constexpr std::string_view kFactSummary = "fact_summary";
inline constexpr std::string_view kSummary = "thread_summary";
inline constexpr std::string_view kCheckpoint = "task_checkpoint";
inline constexpr std::string_view kContinuity = "continuity_memory";
inline constexpr std::string_view kPattern = "pattern_memory";
inline constexpr std::string_view kNote = "note";
inline constexpr std::array<std::string_view, 10> kAll = {
    kDecision, kOutcome,    kConstraint, kFact,    kFactSummary,
    kSummary,  kCheckpoint, kContinuity, kPattern, kNote};
}  // namespace type

struct Flag {
  std::string reason = {};
  std::string source_ref = {};
  bool immediate = false;
  Timestamp at = {};
};

bool is_working_type(std::string_view memory_type);  // regenerated from threads, kept while fresh
bool is_durable_type(std::string_view memory_type);  // protects its evidence

struct Memory {
  std::string id = {};
  std::string type = {};
  Value payload = Value::object();
  std::string lifecycle = "active";  // active, superseded, suppressed
  Scope visibility = Scope::kPrivate;
  std::string container_ref = {};
  Text thread_ref = {};
  Text actor_ref = {};
  Timestamp freshness_at = {};
  Timestamp created_at = {};
  Timestamp suppressed_at = {};
  Timestamp superseded_at = {};
  std::vector<std::string> work_refs = {};
  // Equal within a scope: says the same. Empty where nothing else can.
  std::string canonical_key = {};
  std::string slot = {};     // subject and predicate of a fact that has one value
  std::string subject = {};  // subject and category of a fact
  std::vector<Evidence> evidence = {};
  std::vector<std::string> supersedes = {};
  std::vector<Flag> flags = {};
  int64_t flags_dropped = 0;  // of the oldest, where there are too many to keep
  // Somebody stated or corrected it: what the pipeline derives does not take its place by saying
  // the same.
  bool by_hand = false;
};

const Noun<Memory>& memory_noun();
inline ObjectKey memory_key(const std::string& id) {
  return {.kind = memory_noun().kind, .id = id};
}
inline Label label_of(const Memory& memory) {
  return label_of(memory.visibility, memory.container_ref, memory.actor_ref);
}

inline constexpr std::string_view kSupportedBy = "supported_by";
inline constexpr std::string_view kSupersedes = "supersedes";
// From what was drawn together to what it was drawn from.
inline constexpr std::string_view kRelatesTo = "relates_to";

void add_links(const Memory& memory, Projection& out);

// Container, visibility and actor, beyond which nothing is compared.
std::string family_facet(const Memory& memory);
// Family and a key within it.
std::string keyed_facet(const Memory& memory, const std::string& key);

// Decisions and outcomes: what a thread came to.
inline bool is_conclusion(const Memory& memory) {
  return memory.type == type::kDecision || memory.type == type::kOutcome;
}
// Whether the evidence of `a` is older: what it says gives way to what `b` says.
bool precedes(const Memory& a, const Memory& b);
// Whether the newer takes the place of the older.
bool says_the_same(const Memory& newer, const Memory& older);

// A text member of the payload; empty if it is absent or no text.
std::string text_of(const Memory& memory, std::string_view name);
// What the memory says in one line: the text that blocks, summaries and dedup compare.
std::string headline(const Memory& memory);
// Everything of it that is searched.
std::string view_text(const Memory& memory);
// memory_object.decision_context and so on.
std::string view_name(std::string_view memory_type);

// `index`: lexical or vector.
std::string index_entry_id(std::string_view target, std::string_view index);
std::string relation_id(std::string_view from, std::string_view relation, std::string_view to);

}  // namespace holdfast::service::recall
