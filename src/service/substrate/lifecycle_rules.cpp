#include "service/substrate/lifecycle_rules.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "service/substrate/claim.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

int strength(std::string_view status) {
  if (status == "active") return 3;
  if (status == "candidate") return 2;
  if (status == "stale") return 1;
  return 0;
}

int64_t micros_of(const NullableText& text) {
  const auto at = text.text ? read_time(*text.text) : std::nullopt;
  return at ? to_micros(*at) : 0;
}

bool is_about_something(const Knowledge& knowledge, const LifecycleRules& rules) {
  return knowledge.status == "candidate" && knowledge.confidence >= rules.min_confidence &&
         !knowledge.subject_refs.empty();
}

// The strongest first; of equals the oldest.
bool wins(const Knowledge* a, const Knowledge* b) {
  const auto order = [](const Knowledge* one) {
    return std::tuple(-strength(one->status), -one->confidence, -micros_of(one->last_verified_at),
                      one->created_at.value_or(""), one->id);
  };
  return order(a) < order(b);
}

}  // namespace

Result<LifecycleRules> rules_of(const LifecycleParams& params, Timestamp now) {
  LifecycleRules rules{.min_confidence = params.min_confidence,
                       .min_evidence = params.min_evidence,
                       .reference = now};
  if (params.reference_time) {
    HOLDFAST_TRY(rules.reference, require_time(*params.reference_time));
  }
  // Days beyond the calendar mean "never stale"; the bound keeps the arithmetic inside it.
  const int64_t days = std::clamp<int64_t>(params.stale_after_days, -1'000'000, 1'000'000);
  rules.stale_before = rules.reference - std::chrono::hours(24 * days);
  return rules;
}

bool is_promotable(const Knowledge& knowledge, const LifecycleRules& rules) {
  return is_about_something(knowledge, rules) &&
         static_cast<int64_t>(knowledge.evidence_refs.size()) >= rules.min_evidence;
}

bool lacks_evidence(const Knowledge& knowledge, const LifecycleRules& rules) {
  return is_about_something(knowledge, rules) &&
         static_cast<int64_t>(knowledge.evidence_refs.size()) < rules.min_evidence;
}

bool is_stale(const Knowledge& knowledge, const LifecycleRules& rules) {
  if (knowledge.status != "active" && knowledge.status != "candidate") return false;
  const auto& text = knowledge.last_verified_at.text;
  const auto verified = text ? read_time(*text) : std::nullopt;
  return verified && *verified < rules.stale_before;
}

std::vector<KnowledgeGroup> duplicate_groups(const std::vector<Knowledge>& facts) {
  std::map<std::string, KnowledgeGroup> by_claim;
  for (const Knowledge& fact : facts) {
    if (fact.kind != "fact" || fact.subject_refs.empty() || is_retired(fact.status)) continue;
    const auto claim = claim_of(fact.kind, fact.subject_refs, fact.payload);
    if (claim) by_claim[claim_text(*claim, "")].push_back(&fact);
  }
  std::vector<KnowledgeGroup> groups;
  for (auto& [claim, group] : by_claim) {
    if (group.size() < 2) continue;
    std::ranges::sort(group, {}, [](const Knowledge* one) { return one->id; });
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, {}, [](const KnowledgeGroup& group) { return group.front()->id; });
  return groups;
}

std::vector<Operation> merge_group(const KnowledgeGroup& given, const std::string& now) {
  KnowledgeGroup group = given;
  std::ranges::sort(group, wins);
  const Knowledge& winner = *group.front();
  std::vector<std::string> losers;
  Value evidence = Value::array();
  std::vector<std::string> known;
  double confidence = 0;
  for (const Knowledge* member : group) {
    if (member != &winner) losers.push_back(member->id);
    confidence = std::max(confidence, member->confidence);
    for (const EvidenceRef& ref : member->evidence_refs) {
      const std::string key = ref.source_id + "#" + ref.segment_id;
      if (contains(known, key)) continue;
      known.push_back(key);
      evidence.push(Value::object({{"source_id", ref.source_id}, {"segment_id", ref.segment_id}}));
    }
  }
  std::vector<Operation> operations = {
      update(ObjectType::kKnowledge, winner.id,
             Value::object(
                 {{"evidence_refs", std::move(evidence)},
                  {"confidence", confidence},
                  {"status", winner.status},
                  {"reason", fmt::format("maintain_merge_winner:{}", fmt::join(losers, ","))}}))};
  for (const std::string& loser : losers) {
    operations.push_back(update(ObjectType::kKnowledge, loser,
                                Value::object({{"status", "superseded"},
                                               {"valid_until", now},
                                               {"reason", "maintain_merge_loser:" + winner.id}})));
  }
  return operations;
}

const Knowledge& canonical_of(const Knowledge& a, const Knowledge& b) {
  const auto order = [](const Knowledge& one) {
    const NullableText& verified = one.last_verified_at;
    const int64_t at =
        verified.text ? micros_of(verified) : micros_of(NullableText(one.created_at.value_or("")));
    return std::tuple(strength(one.status), one.confidence, at, one.title);
  };
  return order(b) > order(a) ? b : a;
}

}  // namespace holdfast::service::substrate
