// Objects as Markdown pages, for people. Pages are derived: edits go through the tools.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "service/substrate/document.h"

namespace holdfast::service::substrate {

struct MarkdownPage {
  std::string path = {};  // relative to the tree
  std::string text = {};
};

// debug/<plural>/<id>.md: front matter, then everything the document says.
MarkdownPage debug_page(const DocumentView& view);
// wiki/<folder>/<title>.md; nothing for nodes that are no project.
std::optional<MarkdownPage> wiki_page(const DocumentView& view);
// wiki/API/<module>.md of a module's node.
MarkdownPage api_page(const DocumentView& view);

// What the pages that list others need to know.
struct TreeSummary {
  std::array<int64_t, 5> counts = {};      // by ObjectType
  std::vector<std::string> projects = {};  // titles
  std::vector<std::string> modules = {};   // titles of API pages
  bool has_repository = false;
};
// Home, debug/index, debug/overview; with a repository the API overview, its style and a Doxyfile.
std::vector<MarkdownPage> summary_pages(const TreeSummary& summary);

// The folder below wiki/ where an object's page is: Projects, Sources, ...; empty: no page.
std::string_view wiki_folder(const DocumentView& view);
// A title as a file name, at most 120 characters, with a mark that tells equal titles apart.
std::string page_file_name(std::string_view title, std::string_view id);
// The mark alone: the first digits of the id, or of its hash.
std::string page_mark(std::string_view id);
// The body of a wiki page, without front matter.
std::string wiki_body(const DocumentView& view);
std::string home_body(const TreeSummary& summary);

}  // namespace holdfast::service::substrate
