// A file that came with an imported data folder: journals, core memory, summaries, messages. It is
// found by the search index and named by capsules; the continuity API itself never writes one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/noun.h"

namespace holdfast::service::continuity {

struct RepositoryFile {
  std::string path = {};  // relative to the folder; the object's id
  std::string text = {};
  std::string modified_at = {};
};

// Of memory/summaries/ and messages/, which come first in a context.
namespace facet {
inline constexpr const char* kFileGroup = "file_group";
}

const Noun<RepositoryFile>& file_noun();

// What a Markdown file says about itself between two lines of dashes.
struct FrontMatter {
  std::string type = {};  // otherwise the first folder of its path
  std::optional<double> importance = std::nullopt;
  std::vector<std::string> tags = {};
  std::string_view rest = {};  // the text behind it
};
FrontMatter front_matter(const RepositoryFile& file);

}  // namespace holdfast::service::continuity
