// What an observation refers to, checked in the order of the contract.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/observation/observation.h"
#include "service/observation/visit.h"

namespace holdfast::service::observation {

// What a client writes when it makes an observation.
struct Draft {
  std::string workspace_id = {};
  ObservationType type = ObservationType::kOther;
  std::string title = {};
  std::string summary_md = {};
  std::optional<Sensitivity> sensitivity = {};
  std::vector<std::string> tags = {};
  Source source = {};
  std::optional<std::string> subcortex_id = {};
  std::optional<std::string> thread_id = {};
  std::optional<std::string> task_id = {};
  std::vector<std::string> attachment_ids = {};
  std::vector<CodeLink> code_links = {};
  Value metadata = Value::object();
};

// What is taken as it is: links that a patch does not change, and in a seed the state of their
// targets, which may have been archived since.
struct Unchecked {
  bool subcortex = false;
  bool thread = false;
  bool task = false;
  bool state = false;
};

struct Surroundings {
  const Workspace* workspace = nullptr;       // lives as long as the visit
  std::vector<std::string> subcortexes = {};  // slugs of all that are touched
  bool sensitive = false;                     // workspace, subcortex or thread ask for it
  std::vector<AttachmentRef> attachments = {};
};

// The first member that fails decides the error; its issues name every member that fails alike.
Result<Surroundings> resolve(Visit& visit, const Draft& draft, const Unchecked& unchecked = {});

}  // namespace holdfast::service::observation
