// Which paths of a repository count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::substrate {

// Local state of agents at the top of a repository, sorted.
bool is_agent_state(std::string_view name);

// A file's language by its suffix (python, markdown, ...; a literal), or empty.
std::string_view language_of(std::string_view path);

class PathRules {
 public:
  // Patterns are trimmed and lose their outer slashes; empty ones are ignored.
  PathRules(const std::vector<std::string>& include, const std::vector<std::string>& exclude);

  void exclude(const std::string& pattern) { exclude_.push_back(pattern); }

  // Names that are never looked at, wherever they are: version control, generated folders.
  static bool is_skipped_name(std::string_view name);
  // Neither excluded nor left out by include patterns. Skipped names are not judged here.
  bool counts(std::string_view path) const;
  // Nothing below this folder can count.
  bool prunes(std::string_view folder) const;

 private:
  static bool matches(const std::vector<std::string>& patterns, std::string_view path);

  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace holdfast::service::substrate
