// A scanned repository as the objects it becomes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "service/substrate/objects.h"
#include "service/substrate/repo_code.h"
#include "service/substrate/repo_scan.h"

namespace holdfast::service::substrate {

struct RepoFacts {
  std::string root = {};  // absolute, links resolved
  std::vector<std::string> include_patterns = {};
  std::vector<std::string> exclude_patterns = {};  // with what the preflight added
  std::vector<std::string> excluded_by_preflight = {};
  std::string fingerprint = {};

  std::string name() const;
  std::string source_key() const { return "source|repo|" + root; }
  std::string node_key() const { return "node|repo|" + root; }
};

struct RepoObjects {
  Source source = {};
  std::vector<Node> nodes = {};  // the repository's own is the first
  std::optional<Knowledge> fact = std::nullopt;
  Activity activity = {};
};

RepoObjects objects_of(const RepoFacts& facts, const RepoFolder& folder, const RepoScan& scan,
                       const RepoCode& code, Timestamp now);

// What the preflight says about an entry.
inline constexpr std::string_view kAgentStateKind = "local_agent_state";
inline constexpr std::string_view kAgentStateReason =
    "Repository contains local/agent state that may not belong in durable memory.";

}  // namespace holdfast::service::substrate
