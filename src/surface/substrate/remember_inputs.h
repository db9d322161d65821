// What the modes of memory_remember take, and the requests it becomes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/substrate/remember_service.h"
#include "surface/substrate/shared_schemas.h"
#include "wire/schema.h"

namespace holdfast::surface::substrate {

// The members that every creation must have; inputs inherit them so that they stay flat on the
// wire.
struct DeclaredInput {
  std::string kind = {};
  std::string title = {};
  std::string summary = {};
  std::string reason = {};
  std::string memory_source = {};
  std::vector<std::string> scope_refs = {};
  std::optional<ActorInput> actor = std::nullopt;

  service::substrate::Declared declared() const;
};

struct KnowledgeInput : DeclaredInput {
  std::vector<std::string> subject_refs = {};
  std::vector<service::substrate::EvidenceRef> evidence_refs = {};
  PayloadInput payload = {};
  std::optional<std::string> status = std::nullopt;
  double confidence = 0;
  std::optional<std::string> valid_from = std::nullopt;
  std::optional<std::string> valid_until = std::nullopt;
  std::optional<std::string> last_verified_at = std::nullopt;
  bool allow_duplicate = false;
  std::optional<std::string> source_text = std::nullopt;
  std::optional<std::string> source_title = std::nullopt;
  std::optional<std::string> lifecycle_state = std::nullopt;
  std::optional<std::string> expires_at = std::nullopt;

  service::substrate::RememberKnowledge request() const;
};

struct ActivityInput : DeclaredInput {
  std::optional<std::string> status = std::nullopt;
  std::optional<std::string> started_at = std::nullopt;
  std::optional<std::string> ended_at = std::nullopt;
  std::vector<std::string> related_node_refs = {};
  std::vector<std::string> related_work_item_refs = {};
  std::vector<std::string> source_refs = {};
  std::vector<std::string> produced_object_refs = {};
  std::vector<std::string> artifact_refs = {};

  service::substrate::RememberActivity request() const;
};

struct WorkItemInput : DeclaredInput {
  std::optional<std::string> status = std::nullopt;
  std::optional<std::string> lifecycle_state = std::nullopt;
  std::optional<std::string> priority = std::nullopt;
  std::vector<std::string> owner_refs = {};
  std::vector<std::string> related_node_refs = {};
  std::vector<std::string> related_knowledge_refs = {};
  std::vector<std::string> source_refs = {};
  std::vector<std::string> depends_on = {};
  std::vector<std::string> blocked_by = {};
  std::optional<std::string> parent_ref = std::nullopt;
  std::vector<std::string> child_refs = {};
  std::optional<std::string> resolution = std::nullopt;
  std::optional<std::string> due_at = std::nullopt;
  std::optional<std::string> opened_at = std::nullopt;

  service::substrate::RememberWorkItem request() const;
};

struct StatusInput {
  std::string work_item_id = {};
  std::string status = {};
  std::string reason = {};
  std::string memory_source = {};
  std::optional<ActorInput> actor = std::nullopt;
  std::optional<std::string> resolution = std::nullopt;

  service::substrate::ChangeWorkItemStatus request() const;
};

struct JudgeInput {
  std::string knowledge_id = {};
  std::optional<ActorInput> actor = std::nullopt;
  std::optional<std::string> reason = std::nullopt;

  service::substrate::JudgeKnowledge request() const;
};

struct SupersedeInput {
  std::string old_knowledge_id = {};
  std::string new_knowledge_id = {};
  std::optional<ActorInput> actor = std::nullopt;
  std::optional<std::string> reason = std::nullopt;

  service::substrate::SupersedeKnowledge request() const;
};

const wire::Schema<KnowledgeInput>& knowledge_schema();
const wire::Schema<ActivityInput>& activity_schema();
const wire::Schema<WorkItemInput>& work_item_schema();
const wire::Schema<StatusInput>& status_schema();
const wire::Schema<JudgeInput>& judge_schema();
const wire::Schema<SupersedeInput>& supersede_schema();

}  // namespace holdfast::surface::substrate
