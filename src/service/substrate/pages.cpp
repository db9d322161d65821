#include "service/substrate/pages.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxFileName = 120;
// What file systems take is counted in bytes: 255, less the ending of a page being written.
constexpr size_t kMaxFileNameBytes = 240;
constexpr size_t kMarkDigits = 12;
constexpr size_t kMaxPagePayload = 20'000;

// YAML text that cannot end the front matter or start another member.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string front_matter(const DocumentView& view) {
  std::string out = "---\n";
  for (const std::string_view name :
       {"id", "kind", "status", "lifecycle_state", "created_at", "updated_at"}) {
    if (const auto value = view.text(name); !value.empty()) {
      out += fmt::format("{}: {}\n", name, quoted(value));
    }
  }
  return out + "---\n\n";
}

void add_section(std::string& out, std::string_view heading, std::string_view body) {
  if (!body.empty()) out += fmt::format("## {}\n\n{}\n\n", heading, body);
}

std::string references(const DocumentView& view) {
  std::string out;
  for (const ReferenceField& field : kReferenceFields) {
    for (const std::string& id : view.texts(field.field)) {
      out += fmt::format("- {}: `{}`\n", field.relation, id);
    }
  }
  for (const std::string& id : view.texts("scope_refs")) out += fmt::format("- scope: `{}`\n", id);
  return out;
}

std::string evidence(const DocumentView& view) {
  std::string out;
  for (const auto& ref : view.evidence()) {
    out += fmt::format("- `{}` # `{}`\n", ref.source_id, ref.segment_id);
  }
  return out;
}

std::string segments(const DocumentView& view) {
  std::string out;
  const auto* list = view.member("segments").if_array();
  if (list == nullptr) return out;
  for (const Value& json : *list) {
    const DocumentView segment(view.type(), json);
    out += fmt::format("### {}\n\n{}\n\n", segment.text("segment_id"), segment.text("excerpt"));
    if (out.size() > kMaxPagePayload) break;
  }
  return out;
}

std::string payload(const DocumentView& view) {
  const auto* members = view.member("payload").if_object();
  if (members == nullptr || members->empty()) return {};
  return "```json\n" + clip(to_pretty_json(view.member("payload")), kMaxPagePayload) + "\n```";
}

std::string safe_file_name(std::string_view text) {
  static constexpr std::string_view kReserved = "/\\:*?\"<>|#^[]";
  std::string out;
  for (const char c : squeeze(text)) {
    const bool reserved =
        kReserved.find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 0x20;
    out += reserved ? '-' : c;
  }
  // A name that begins with a dot would be hidden, or climb.
  while (!out.empty() && out.front() == '.') out.erase(0, 1);
  return out;
}

}  // namespace

std::string page_mark(std::string_view id) {
  const size_t colon = id.find(':');
  const std::string_view rest = colon == std::string_view::npos ? id : id.substr(colon + 1);
  const bool hex = rest.size() >= kMarkDigits &&
                   rest.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return hex ? std::string(rest.substr(0, kMarkDigits)) : sha256_hex(id).substr(0, kMarkDigits);
}

std::string page_file_name(std::string_view title, std::string_view id) {
  const std::string mark = " (" + page_mark(id) + ").md";
  std::string name = safe_file_name(title);
  name = prefix_code_points(name, kMaxFileName - mark.size());
  while (name.size() > kMaxFileNameBytes - mark.size())
    name = prefix_code_points(name, count_code_points(name) - 1);
  return name + mark;
}

std::string_view wiki_folder(const DocumentView& view) {
  switch (view.type()) {
    case ObjectType::kNode: return view.text("kind") == "repo" ? "Projects" : "";
    case ObjectType::kSource: return "Sources";
    case ObjectType::kKnowledge: return "Knowledge";
    case ObjectType::kActivity: return "Activities";
    case ObjectType::kWorkItem: return "Work_Items";
  }
  return "";
}

std::string wiki_body(const DocumentView& view) {
  std::string out = fmt::format("# {}\n\n", view.title());
  out += fmt::format("*{}*, status **{}**, `{}`\n\n", view.kind(), view.status(), view.id());
  if (const std::string summary = view.summary(); !summary.empty()) out += summary + "\n\n";
  add_section(out, "Why", view.text("reason"));
  add_section(out, "Evidence", evidence(view));
  add_section(out, "References", references(view));
  add_section(out, "Segments", segments(view));
  return out;
}

MarkdownPage debug_page(const DocumentView& view) {
  std::string text = front_matter(view) + wiki_body(view);
  add_section(text, "Payload", payload(view));
  return {.path = fmt::format("debug/{}/{}", type_plural(view.type()),
                              page_file_name(std::string(view.id()), view.id())),
          .text = std::move(text)};
}

std::optional<MarkdownPage> wiki_page(const DocumentView& view) {
  const std::string_view folder = wiki_folder(view);
  if (folder.empty()) return std::nullopt;
  return MarkdownPage{
      .path = fmt::format("wiki/{}/{}", folder, page_file_name(view.title(), view.id())),
      .text = front_matter(view) + wiki_body(view)};
}

MarkdownPage api_page(const DocumentView& view) {
  return {.path = "wiki/API/" + page_file_name(view.title(), view.id()),
          .text = front_matter(view) + wiki_body(view)};
}

std::string home_body(const TreeSummary& summary) {
  std::string out =
      "# Memory\n\nThese pages are written from the memory itself. Change it through "
      "the memory tools; edits here are not read back.\n\n## Contents\n\n";
  for (const ObjectType type : kObjectTypes) {
    out += fmt::format("- {}: {}\n", type_plural(type), summary.counts[static_cast<size_t>(type)]);
  }
  std::string projects;
  for (const std::string& title : summary.projects) projects += fmt::format("- {}\n", title);
  out += '\n';
  add_section(out, "Projects", projects);
  return out;
}

std::vector<MarkdownPage> summary_pages(const TreeSummary& summary) {
  std::string counts;
  int64_t all = 0;
  for (const ObjectType type : kObjectTypes) {
    const int64_t count = summary.counts[static_cast<size_t>(type)];
    counts += fmt::format("- [{}]({}/): {}\n", type_plural(type), type_plural(type), count);
    all += count;
  }
  std::vector<MarkdownPage> pages = {
      {.path = "wiki/Home.md", .text = home_body(summary)},
      {.path = "debug/index.md", .text = "# Objects by type\n\n" + counts},
      {.path = "debug/overview.md",
       .text = fmt::format("# Overview\n\n{} objects, one page each below this folder.\n", all)}};
  if (!summary.has_repository) return pages;
  std::string modules;
  for (const std::string& title : summary.modules) modules += fmt::format("- {}\n", title);
  pages.push_back({.path = "wiki/API_Docs.md", .text = "# API\n\n" + modules});
  pages.push_back({.path = "wiki/.obsidian/snippets/memory.css",
                   .text = ".markdown-preview-view h1 { border-bottom: 1px solid; }\n"});
  pages.push_back({.path = "doxygen/Doxyfile",
                   .text = "PROJECT_NAME = Memory\nINPUT = ../wiki/API\nFILE_PATTERNS = *.md\n"
                           "GENERATE_LATEX = NO\n"});
  return pages;
}

}  // namespace holdfast::service::substrate
