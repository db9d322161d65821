// The registry sections of a bootstrap file: workspaces and what is in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/value.h"
#include "service/observation/seeding.h"
#include "wire/schema.h"

namespace holdfast::app {

// A workspace as the file spells it.
struct WorkspaceForm {
  std::string id = {};
  std::string slug = {};
  std::string name = {};
  service::observation::WorkspaceVisibility visibility =
      service::observation::WorkspaceVisibility::kPrivate;
  service::observation::WorkspaceSettings settings = {};
  std::string owner_id = {};
  std::vector<service::observation::Member> members = {};
  std::vector<std::string> repos = {};
};

wire::Schema<WorkspaceForm> workspace_form();
wire::Schema<service::observation::Subcortex> subcortex_form();
wire::Schema<service::observation::Thread> thread_form();
wire::Schema<service::observation::Task> task_form();

service::observation::SeededWorkspace workspace_of(const WorkspaceForm& form);
// An observation has the members of a create request and a few more.
Result<service::observation::SeededObservation> observation_of(const Value& value, Timestamp now);

}  // namespace holdfast::app
