#include "service/substrate/report.h"

#include <algorithm>
#include <map>
#include <set>

#include "service/substrate/concept_terms.h"
#include "service/substrate/config.h"
#include "service/substrate/fact_checks.h"
#include "service/substrate/governance.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kMaxConcepts = 10;

class Reporting {
 public:
  Reporting(storage::ReadTxn& txn, const SpaceAccess& access, const LifecycleRules& rules)
      : txn_(txn), access_(access), rules_(rules) {}

  Result<MaintainReport> run() {
    HOLDFAST_CHECK_OK(read_knowledge());
    HOLDFAST_CHECK_OK(read_nodes());
    HOLDFAST_CHECK_OK(read_sources());
    for (const KnowledgeGroup& group : duplicate_groups(knowledge_)) {
      auto& ids = report_.duplicate_groups.emplace_back();
      for (const Knowledge* member : group) ids.push_back(member->id);
    }
    add_soft_duplicates();
    report_.fact_issues = check_facts(knowledge_, nodes_, rules_);
    report_.concepts =
        discovery_.report({.limit = kMaxConcepts, .taken = [this](const std::string& key) {
                             return taken_.contains(key);
                           }});
    HOLDFAST_TRY(const Config config, read_config(txn_, access_));
    if (config.graph_backend) {
      report_.graph_backend = config.graph_backend;
      HOLDFAST_TRY(report_.graph, graph_health(txn_, access_));
    }
    return std::move(report_);
  }

 private:
  Status read_knowledge() {
    HOLDFAST_CHECK_OK(
        each_stored(txn_, access_, ObjectType::kKnowledge, [this](Stored& stored) -> Status {
          HOLDFAST_TRY(Knowledge knowledge, struct_of<Knowledge>(stored));
          knowledge_.push_back(std::move(knowledge));
          return {};
        }));
    std::ranges::sort(knowledge_, {}, &Knowledge::id);
    for (const Knowledge& knowledge : knowledge_) judge(knowledge);
    return {};
  }

  void judge(const Knowledge& knowledge) {
    if (is_promotable(knowledge, rules_)) report_.promote_candidates.push_back(knowledge.id);
    if (lacks_evidence(knowledge, rules_)) {
      report_.low_evidence_candidates.push_back(knowledge.id);
    }
    if (is_stale(knowledge, rules_)) report_.stale_candidates.push_back(knowledge.id);
    if (is_temporary_word(knowledge.status) ||
        is_temporary_word(knowledge.lifecycle_state.value_or(""))) {
      report_.temporary_memories.push_back(knowledge.id);
    }
    const std::string source = knowledge.memory_source.value_or("unknown");
    if (knowledge.status == "active" && knowledge.evidence_refs.empty() && !is_curated(source)) {
      report_.violations.push_back({.object_id = knowledge.id, .memory_source = source});
    }
    if (knowledge.kind == "concept") {
      if (!is_retired(knowledge.status)) taken_.insert(concept_key(knowledge.title));
      return;
    }
    discovery_.add_knowledge({.id = knowledge.id,
                              .title = knowledge.title,
                              .summary = knowledge.summary,
                              .scope_refs = !knowledge.scope_refs.empty() ? knowledge.scope_refs
                                            : !knowledge.subject_refs.empty()
                                                ? knowledge.subject_refs
                                                : std::vector<std::string>{knowledge.id}});
  }

  Status read_nodes() {
    return each_stored(txn_, access_, ObjectType::kNode, [this](Stored& stored) -> Status {
      const DocumentView view = stored.view();
      NamedNode node{.id = stored.id(), .names = view.texts("aliases")};
      node.names.emplace_back(view.title());
      node_ids_.insert(node.id);
      if (view.kind() == "concept" && !is_retired(view.status())) {
        for (const std::string& name : node.names) taken_.insert(concept_key(name));
      }
      nodes_.push_back(std::move(node));
      return {};
    });
  }

  Status read_sources() {
    return each_stored(txn_, access_, ObjectType::kSource, [this](Stored& stored) -> Status {
      const DocumentView view = stored.view();
      const auto* segments = view.member("segments").if_array();
      if (segments == nullptr) return {};
      const std::string scope = scope_of(view);
      for (const Value& json : *segments) {
        const DocumentView segment(ObjectType::kSource, json);
        const DocumentView locator(ObjectType::kSource, segment.member("locator"));
        discovery_.add_segment(
            {.source_id = stored.id(),
             .source_title = std::string(view.title()),
             .segment_id = std::string(segment.text("segment_id")),
             .excerpt = std::string(segment.text("excerpt")),
             .heading_path = locator.texts("heading_path"),
             .line_start = static_cast<int64_t>(locator.member("line_start").to_double()),
             .locator = segment.member("locator"),
             .scope_ref = scope});
      }
      return {};
    });
  }

  // The node that stands for the source, by its identity; the source where there is none.
  std::string scope_of(const DocumentView& source) const {
    const std::string key(source.text("identity_key"));
    const std::string node =
        source.is_repo_source() && key.starts_with("source|")
            ? stable_id("node", "node" + key.substr(std::string_view("source").size()))
            : stable_id("node", "node|document|" + key);
    return node_ids_.contains(node) ? node : std::string(source.id());
  }

  void add_soft_duplicates() {
    std::vector<SoftText> texts;
    std::map<std::string, const Knowledge*> by_id;
    for (const Knowledge& knowledge : knowledge_) {
      if (!is_soft_comparable(knowledge)) continue;
      texts.push_back(soft_text_of(knowledge));
      by_id[knowledge.id] = &knowledge;
    }
    for (SoftPair& pair : soft_pairs(texts)) {
      const Knowledge& kept = canonical_of(*by_id.at(pair.first), *by_id.at(pair.second));
      report_.soft_duplicates.push_back({.pair = std::move(pair), .canonical = kept.id});
    }
  }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  const LifecycleRules& rules_;
  std::vector<Knowledge> knowledge_;
  std::vector<NamedNode> nodes_;
  std::set<std::string> node_ids_;
  std::set<std::string> taken_;
  ConceptDiscovery discovery_;
  MaintainReport report_;
};

}  // namespace

Result<MaintainReport> make_report(storage::ReadTxn& txn, const SpaceAccess& access,
                                   const LifecycleRules& rules) {
  return Reporting(txn, access, rules).run();
}

}  // namespace holdfast::service::substrate
