// What an observation refers to, checked in the order of the contract.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/observation/observation.h"
#include "service/observation/visit.h"

namespace holdfast::service::observation {

// What a client writes when it makes an observation: the observation itself, of which the server
// sets the rest.
struct Draft : Observation {
  std::optional<Sensitivity> wanted_sensitivity = {};  // nothing: that of its surroundings
  std::vector<std::string> attachment_ids = {};
};
// A draft that refers to what the observation is linked to, and to nothing else.
Draft links_of(const Observation& observation);

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

// The same for the drafts of a batch, one after the other: most refer to what the one before does,
// which is then not looked up again. Not thread-safe; lives no longer than the visit.
class BatchReferences {
 public:
  explicit BatchReferences(Visit& visit) : visit_(visit) {}

  // The draft must live until the next call.
  Result<Surroundings> resolve(const Draft& draft);

 private:
  Visit& visit_;
  const Draft* last_ = nullptr;  // that `around_` is about
  Surroundings around_;
};

}  // namespace holdfast::service::observation
