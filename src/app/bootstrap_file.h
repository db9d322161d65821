// The --bootstrap file: JSON with principals, tokens and what surfaces add to it (contract:
// observations, section 20).
#pragma once

#include <string>

#include "base/result.h"
#include "service/native/admin_service.h"
#include "service/observation/seeding.h"

namespace holdfast::app {

struct BootstrapFile {
  service::Bootstrap people = {};
  service::observation::RegistrySeeds registry = {};
};

// kInvalidArgument: one sentence that names the entry and what is wrong with it.
Result<BootstrapFile> read_bootstrap_file(const std::string& file, Timestamp now);
// That sentence, also for what only the store can tell.
Error wrong_file(const std::string& file, std::string_view why);

}  // namespace holdfast::app
