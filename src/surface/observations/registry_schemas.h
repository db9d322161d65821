// What requests about workspaces, discussions, principals and keys may contain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/observation/account_service.h"
#include "service/observation/registry.h"
#include "wire/schema.h"

namespace holdfast::surface::observations {

wire::Schema<service::observation::WorkspaceSettings> settings_schema();
const wire::Schema<service::observation::Workspace>& workspace_schema();
const wire::Schema<service::observation::Member>& member_schema();
const wire::Schema<service::observation::Repositories>& repositories_schema();
const wire::Schema<service::observation::Subcortex>& subcortex_schema();
const wire::Schema<service::observation::Task>& task_schema();
const wire::Schema<service::observation::Comment>& comment_schema();
const wire::Schema<service::observation::Artifact>& artifact_schema();

struct ThreadBody {
  std::optional<Sensitivity> sensitivity = {};
  std::string subcortex_id = {};
  std::string type = "other";
  std::string title = {};
  std::string body_md = {};
  std::vector<std::string> linked_observation_ids = {};
  std::vector<service::observation::Citation> citations = {};
};
const wire::Schema<ThreadBody>& thread_schema();
service::observation::Thread thread_of(const ThreadBody& body);

struct StatusBody {
  service::observation::ThreadStatus status = service::observation::ThreadStatus::kOpen;
};
const wire::Schema<StatusBody>& status_schema();

struct EvidenceBody {
  std::vector<service::observation::Citation> evidence_links = {};
};
const wire::Schema<EvidenceBody>& evidence_schema();

// Of the tokens of this API.
std::vector<std::string> known_scopes();

struct PrincipalBody {
  std::string handle = {};
  std::string display_name = {};
  std::string kind = {};
  std::optional<std::string> owner_id = {};
  std::optional<std::string> email = {};
  std::optional<std::string> password = {};
  int trust_tier = 1;
  Sensitivity clearance = Sensitivity::kNormal;
};
const wire::Schema<PrincipalBody>& principal_schema();
Principal principal_of(const PrincipalBody& body);

struct PrincipalPatch {
  std::optional<int> trust_tier = {};
  std::optional<std::string> status = {};
};
const wire::Schema<PrincipalPatch>& principal_patch_schema();
service::observation::PrincipalChange change_of(const PrincipalPatch& patch);

struct KeyBody {
  std::string name = {};
  std::string type = {};
  std::vector<std::string> scopes = {};
  std::optional<Timestamp> expires_at = {};
  std::optional<std::vector<std::string>> subcortex_scope = {};
  Sensitivity clearance = Sensitivity::kNormal;
  std::string principal_id = {};
};
const wire::Schema<KeyBody>& key_schema();
// A key without a scope of its own has its maker's.
service::observation::ApiKey key_of(const KeyBody& body, const CallContext& call);

const wire::Schema<service::observation::MintRequest>& mint_schema();

}  // namespace holdfast::surface::observations
