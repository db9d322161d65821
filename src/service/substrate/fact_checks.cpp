#include "service/substrate/fact_checks.h"

#include <algorithm>
#include <map>
#include <set>

#include "service/substrate/claim.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

// Letters and digits only, in lower case.
std::string name_key(std::string_view name) {
  std::string key;
  for (const std::string& run : word_runs(lower(name))) {
    for (const char c : run) {
      if (c != '_') key += c;
    }
  }
  return key;
}

void add_similar_names(const std::vector<NamedNode>& nodes, std::vector<FactIssue>& issues) {
  std::map<std::string, std::set<std::string>> by_name;
  for (const NamedNode& node : nodes) {
    for (const std::string& name : node.names) {
      if (std::string key = name_key(name); !key.empty()) by_name[key].insert(node.id);
    }
  }
  std::set<std::vector<std::string>> known;
  for (const auto& [name, ids] : by_name) {
    std::vector<std::string> list(ids.begin(), ids.end());
    // Two names that lead to the same nodes are one finding.
    if (list.size() < 2 || !known.insert(list).second) continue;
    issues.push_back({.kind = FactIssueKind::kSimilarEntityName, .object_ids = std::move(list)});
  }
}

bool is_expired(const Knowledge& knowledge, const LifecycleRules& rules) {
  const auto& text = knowledge.valid_until.text;
  const auto until = text ? read_time(*text) : std::nullopt;
  return until && *until < rules.reference;
}

void add_mismatches(const std::vector<Knowledge>& knowledge, const LifecycleRules& rules,
                    std::vector<FactIssue>& issues) {
  struct Topic {
    std::set<std::string> values;
    std::set<std::string> ids;
  };
  std::map<std::pair<std::string, std::string>, Topic> topics;
  for (const Knowledge& fact : knowledge) {
    if (fact.kind != "fact" || is_retired(fact.status) || fact.status == "contested") continue;
    if (is_expired(fact, rules)) continue;
    const auto claim = claim_of(fact.kind, fact.subject_refs, fact.payload);
    if (!claim) continue;
    Topic& topic = topics[{claim->subject, claim->predicate}];
    topic.values.insert(claim->value + '\0' + claim->object);
    topic.ids.insert(fact.id);
  }
  for (const auto& [key, topic] : topics) {
    if (topic.values.size() < 2) continue;
    issues.push_back({.kind = FactIssueKind::kRelationshipMismatch,
                      .object_ids = {topic.ids.begin(), topic.ids.end()},
                      .subject = key.first,
                      .predicate = key.second});
  }
}

}  // namespace

std::vector<FactIssue> check_facts(const std::vector<Knowledge>& knowledge,
                                   const std::vector<NamedNode>& nodes,
                                   const LifecycleRules& rules) {
  std::vector<FactIssue> issues;
  add_mismatches(knowledge, rules, issues);
  add_similar_names(nodes, issues);
  for (const Knowledge& fact : knowledge) {
    if (fact.kind != "fact" || fact.status != "active" || !is_expired(fact, rules)) continue;
    issues.push_back({.kind = FactIssueKind::kStaleFact,
                      .object_ids = {fact.id},
                      .valid_until = *fact.valid_until.text});
  }
  std::ranges::sort(issues, {},
                    [](const FactIssue& issue) { return std::pair(issue.kind, issue.object_ids); });
  return issues;
}

}  // namespace holdfast::service::substrate
