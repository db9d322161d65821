// memory_maintain report: everything a caretaker may want to look at. Reads all knowledge, nodes
// and sources once; changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "service/substrate/concept_candidates.h"
#include "service/substrate/graph_health.h"
#include "service/substrate/lifecycle_rules.h"
#include "service/substrate/soft_duplicates.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct SoftDuplicateEntry {
  SoftPair pair = {};
  std::string canonical = {};  // which of the two to keep
};

enum class FactIssueKind : uint8_t { kRelationshipMismatch, kSimilarEntityName, kStaleFact };

struct FactIssue {
  FactIssueKind kind = FactIssueKind::kStaleFact;
  std::vector<std::string> object_ids = {};  // one for a stale fact
  std::string valid_until = {};
  std::string subject = {};
  std::string predicate = {};
};

struct GovernanceViolation {
  std::string object_id = {};
  std::string memory_source = {};  // unknown where nothing was said
};

struct MaintainReport {
  std::vector<std::string> promote_candidates = {};
  std::vector<std::string> low_evidence_candidates = {};
  std::vector<std::string> stale_candidates = {};
  std::vector<std::string> temporary_memories = {};
  std::vector<std::vector<std::string>> duplicate_groups = {};
  std::vector<SoftDuplicateEntry> soft_duplicates = {};
  ConceptReport concepts = {};
  std::vector<FactIssue> fact_issues = {};
  std::vector<GovernanceViolation> violations = {};
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<GraphHealth> graph = std::nullopt;  // with a backend
};

Result<MaintainReport> make_report(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                   const LifecycleRules& rules);

}  // namespace holdfast::service::substrate
