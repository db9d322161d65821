#include "service/substrate/repo_relations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace holdfast::service::substrate {
namespace {

std::string folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

// Resolves `.` and `..`; empty if it leads out of the repository.
std::string normalised(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t slash = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, slash - begin);
    if (part == "..") {
      if (parts.empty()) return {};
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    begin = slash + 1;
  }
  std::string out;
  for (const auto& part : parts) out = path_below(out, part);
  return out;
}

class Resolver {
 public:
  explicit Resolver(const RepoScan& scan) {
    for (const ScannedFile& file : scan.files) {
      if (file.is_code()) paths_.insert(file.path);
    }
    roots_ = {""};
    for (const auto& root : scan.source_roots) roots_.push_back(root);
  }

  std::string resolve(const RepoModule& from, const text::CodeImport& imported) const {
    if (from.language != "python") return script(from.path, imported.module);
    std::string module = imported.module;
    std::ranges::replace(module, '.', '/');
    const std::string name = imported.imported_name.value_or("");
    if (imported.level > 0) {
      std::string folder = folder_of(from.path);
      for (int64_t up = 1; up < imported.level; ++up) folder = folder_of(folder);
      return python(path_below(folder, module), name);
    }
    for (const auto& root : roots_) {
      if (auto found = python(path_below(root, module), name); !found.empty()) return found;
    }
    return {};
  }

 private:
  // A name taken from a package may be a module of it.
  std::string python(const std::string& module, const std::string& name) const {
    const std::string base = module.ends_with('/') ? module.substr(0, module.size() - 1) : module;
    const std::array<std::string, 4> candidates = {path_below(base, name) + ".py",
                                                   path_below(base, name) + "/__init__.py",
                                                   base + ".py", path_below(base, "__init__.py")};
    for (size_t at = name.empty() || name == "*" ? 2 : 0; at < candidates.size(); ++at) {
      if (paths_.contains(candidates[at])) return candidates[at];
    }
    return {};
  }

  std::string script(const std::string& from, const std::string& module) const {
    if (!module.starts_with('.')) return {};
    const std::string base = normalised(path_below(folder_of(from), module));
    if (base.empty()) return {};
    for (const std::string_view end :
         {"", ".ts", ".tsx", ".js", ".jsx", "/index.ts", "/index.tsx", "/index.js", "/index.jsx"}) {
      if (paths_.contains(base + std::string(end))) return base + std::string(end);
    }
    return {};
  }

  std::set<std::string> paths_ = {};
  std::vector<std::string> roots_ = {};
};

}  // namespace

std::vector<ModuleDependency> dependencies_of(const RepoScan& scan,
                                              const std::vector<RepoModule>& modules,
                                              size_t limit) {
  const Resolver resolver(scan);
  std::vector<ModuleDependency> found;
  for (const RepoModule& module : modules) {
    for (const auto& imported : module.code.import_details) {
      if (found.size() == limit) return found;
      found.push_back({.from_path = module.path,
                       .imported = imported,
                       .to_path = resolver.resolve(module, imported)});
    }
  }
  return found;
}

std::vector<ClassRelation> inheritance_of(const std::vector<RepoModule>& modules, size_t limit) {
  std::map<std::string, std::string> places;  // class → the first module that has it
  for (const RepoModule& module : modules) {
    for (const auto& name : module.code.classes) places.emplace(name, module.path);
  }
  std::vector<ClassRelation> found;
  for (const RepoModule& module : modules) {
    for (const auto& relation : module.code.inheritance) {
      if (found.size() == limit) return found;
      // A class of the same file goes before one of the same name elsewhere.
      const std::string base = relation.base.substr(relation.base.rfind('.') + 1);
      const bool here = std::ranges::find(module.code.classes, base) != module.code.classes.end();
      const auto place = places.find(base);
      found.push_back({.path = module.path, .inheritance = relation});
      if (here) {
        found.back().target_path = module.path;
      } else if (place != places.end()) {
        found.back().target_path = place->second;
      }
    }
  }
  return found;
}

}  // namespace holdfast::service::substrate
