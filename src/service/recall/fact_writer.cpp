// Facts among facts: the same one again, a newer value, and the summary of what is known.
#include <algorithm>
#include <set>

#include "base/time_text.h"
#include "service/recall/forgotten.h"
#include "service/recall/memory_writer.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostFacts = 40;
constexpr size_t kMostSummaryWords = 150;
constexpr size_t kMostEvidence = 200;

size_t words_in(const std::string& text) {
  return text.empty() ? 0 : 1 + static_cast<size_t>(std::ranges::count(text, ' '));
}

// A memory of the fact's scope that sums up all facts about its subject.
Memory summary_of(const Memory& fact, const std::vector<Memory>& facts, Timestamp now) {
  Memory summary{.type = std::string(type::kFactSummary),
                 .visibility = fact.visibility,
                 .container_ref = fact.container_ref,
                 .actor_ref = fact.actor_ref,
                 .created_at = now,
                 .canonical_key = fact.subject};
  std::string values;
  Value ids = Value::array();
  for (const Memory& one : facts) {
    for (const Evidence& evidence : one.evidence) {
      if (summary.evidence.size() < kMostEvidence) summary.evidence.push_back(evidence);
    }
    const std::string value = text_of(one, "value");
    if (words_in(values) + words_in(value) <= kMostSummaryWords)
      values += (values.empty() ? "" : "; ") + value;
    ids.push(one.id);
    summary.freshness_at = std::max(summary.freshness_at, one.freshness_at);
  }
  const std::string subject = text_of(fact, "subject");
  const std::string category = text_of(fact, "category");
  summary.payload =
      Value::object({{"subject", subject},
                     {"category", category},
                     {"summary", subject + "'s " + category + ": " + values},
                     {"fact_ids", std::move(ids)},
                     {"superseded_fact_ids", Value::array()},
                     {"latest_occurred_at", format_micros(summary.freshness_at)},
                     {"semantic_provenance",
                      Value::object({{"extractor", "rules"}, {"extractor_version", "1"}})}});
  return summary;
}

}  // namespace

Result<bool> MemoryWriter::settle_fact(Memory& memory) {
  HOLDFAST_TRY(auto same, versions_of(memory));
  inherit_suppression(memory, same);
  if (memory.lifecycle == "suppressed") return true;
  for (Memory& known : same) {
    if (known.id == memory.id || known.lifecycle != "active") continue;
    if (known.evidence.size() < kMostEvidence) known.evidence.push_back(memory.evidence.front());
    known.freshness_at = std::max(known.freshness_at, memory.freshness_at);
    known.by_hand = known.by_hand || memory.by_hand;
    HOLDFAST_CHECK_OK(save(known));
    HOLDFAST_CHECK_OK(summarise_facts(known));
    memory = std::move(known);
    return false;
  }
  if (memory.slot.empty()) return true;
  HOLDFAST_TRY(auto slot,
               memories_with(facet::kSlot, keyed_facet(memory, memory.slot), kMostCompared));
  for (Memory& other : slot) HOLDFAST_CHECK_OK(settle(memory, std::move(other)));
  return true;
}

Status MemoryWriter::summarise_facts(const Memory& fact) {
  HOLDFAST_TRY(auto facts,
               memories_with(facet::kSubject, keyed_facet(fact, fact.subject), kMostFacts));
  std::ranges::stable_sort(facts, [](const Memory& a, const Memory& b) { return precedes(b, a); });
  std::set<std::string> threads;
  for (const Memory& one : facts) {
    for (const Evidence& evidence : one.evidence) threads.insert(evidence.thread_ref.value_or(""));
  }
  Memory summary = summary_of(fact, facts, txn_.now());
  if (facts.size() < 2 || threads.size() < 2) summary.evidence.clear();
  return replace_summary(std::move(summary));
}

// Without evidence there is nothing left to sum up: the known one goes.
Status MemoryWriter::replace_summary(Memory summary) {
  HOLDFAST_TRY(auto known, versions_of(summary));
  if (summary.evidence.empty()) return retire(std::move(known));
  HOLDFAST_TRY(const bool forgotten, ForgottenMarks(txn_, all_).cover(summary));
  if (forgotten) return {};
  const Value facts = *summary.payload.find("fact_ids");
  const Memory* before = standing_of(known);
  const Value* known_facts = before != nullptr ? before->payload.find("fact_ids") : nullptr;
  if (known_facts != nullptr && *known_facts == facts) return {};
  HOLDFAST_TRY(const Memory next, renewed(std::move(summary), std::move(known)));
  return save_consolidated(next);
}

}  // namespace holdfast::service::recall
