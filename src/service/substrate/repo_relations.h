// How the modules of a repository hang together: imports and base classes, resolved where the
// target is in the repository.
#pragma once

#include <string>
#include <vector>

#include "service/substrate/repo_code.h"
#include "service/substrate/repo_scan.h"

namespace holdfast::service::substrate {

struct ModuleDependency {
  std::string from_path = {};
  text::CodeImport imported = {};
  std::string to_path = {};  // empty: outside, or not found
};

struct ClassRelation {
  std::string path = {};
  text::CodeInheritance inheritance = {};
  std::string target_path = {};  // empty: outside, or not found
};

std::vector<ModuleDependency> dependencies_of(const RepoScan& scan,
                                              const std::vector<RepoModule>& modules, size_t limit);
std::vector<ClassRelation> inheritance_of(const std::vector<RepoModule>& modules, size_t limit);

}  // namespace holdfast::service::substrate
