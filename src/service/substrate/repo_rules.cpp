#include "service/substrate/repo_rules.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/substrate/words.h"
#include "text/glob.h"

namespace holdfast::service::substrate {
namespace {

struct Suffix {
  std::string_view suffix;
  std::string_view language;
};
constexpr std::array<Suffix, 16> kSuffixes = {{{".py", "python"},
                                               {".ts", "typescript"},
                                               {".tsx", "typescript"},
                                               {".js", "javascript"},
                                               {".jsx", "javascript"},
                                               {".rs", "rust"},
                                               {".go", "go"},
                                               {".java", "java"},
                                               {".kt", "kotlin"},
                                               {".cpp", "cpp"},
                                               {".cc", "cpp"},
                                               {".cxx", "cpp"},
                                               {".hpp", "cpp"},
                                               {".c", "c"},
                                               {".h", "c"},
                                               {".md", "markdown"}}};

std::vector<std::string> tidy(const std::vector<std::string>& patterns) {
  std::vector<std::string> out;
  for (const auto& given : patterns) {
    std::string_view pattern = trim_space(given);
    while (pattern.starts_with('/')) pattern.remove_prefix(1);
    while (pattern.ends_with('/')) pattern.remove_suffix(1);
    if (!pattern.empty()) out.emplace_back(pattern);
  }
  return out;
}

bool lies_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

bool is_agent_state(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {".claude", ".codex", ".cursor", ".worktrees"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string_view language_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string suffix = lower(name.substr(dot));
  const auto found = std::ranges::find(kSuffixes, suffix, &Suffix::suffix);
  return found == kSuffixes.end() ? std::string_view() : found->language;
}

PathRules::PathRules(const std::vector<std::string>& include,
                     const std::vector<std::string>& exclude)
    : include_(tidy(include)), exclude_(tidy(exclude)) {}

bool PathRules::is_skipped_name(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {
      ".git",  ".venv",  "venv",  "node_modules", "__pycache__",  "dist",
      "build", "target", ".next", ".idea",        ".pytest_cache"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool PathRules::matches(const std::vector<std::string>& patterns, std::string_view path) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return lies_below(path, pattern) || text::glob_match(pattern, path) ||
           text::glob_match(pattern, base_name(path));
  });
}

bool PathRules::counts(std::string_view path) const {
  return !matches(exclude_, path) && (include_.empty() || matches(include_, path));
}

bool PathRules::prunes(std::string_view folder) const {
  return std::ranges::any_of(exclude_, [&](const std::string& pattern) {
    return pattern == folder || lies_below(folder, pattern);
  });
}

}  // namespace holdfast::service::substrate
