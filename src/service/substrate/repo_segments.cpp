// The pieces of a repository that evidence can point at.
#include <fmt/format.h>

#include "base/utf8.h"
#include "service/substrate/ids.h"
#include "service/substrate/repo_intelligence.h"
#include "service/substrate/repo_payload.h"
#include "service/substrate/words.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kEntrySegments = 20;
constexpr size_t kModuleSegments = 120;
constexpr size_t kSectionSegments = 120;
constexpr size_t kFileSegments = 120;
constexpr size_t kModuleSymbols = 12;
constexpr size_t kFileLines = 80;
constexpr size_t kFileChars = 4000;

Value line_locator(std::string_view kind, const std::string& path, int64_t begin, int64_t end) {
  return Value::object({{"kind", kind}, {"path", path}, {"line_start", begin}, {"line_end", end}});
}

Segment entry_segment(const RepoFolder& folder, const std::string& name) {
  return {.segment_id = slug(name),
          .locator = Value::object({{"kind", "path"}, {"path", folder.root() + '/' + name}}),
          .excerpt = name,
          .hash = name};
}

Segment module_segment(const RepoModule& module) {
  std::string symbols;
  for (const auto& symbol : first(module.code.symbols, kModuleSymbols))
    symbols += (symbols.empty() ? "" : ", ") + symbol.name;
  return {.segment_id = slug(module.path),
          .locator = line_locator("code_module", module.path, 1, module.code.line_end),
          .excerpt = fmt::format("{}: {} module; classes={}, functions={}; symbols={}", module.path,
                                 module.language, module.code.classes.size(),
                                 module.code.functions.size(), symbols),
          .hash = module.path};
}

Segment section_segment(const RepoSection& section) {
  const auto& chunk = section.chunk;
  Value locator = line_locator("document_section", section.path, chunk.line_start, chunk.line_end);
  locator.set("heading", chunk.title);
  locator.set("heading_path", Value::array_of(chunk.heading_path));
  locator.set("chunk_kind", chunk.kind);
  return {.segment_id =
              "doc-" + slug(fmt::format("{}:{}:{}", section.path, chunk.line_start, chunk.title)),
          .locator = std::move(locator),
          .excerpt = section.excerpt,
          .hash = sha256_hex(section.excerpt)};
}

// The beginning of a file. Nothing for an empty one, or bytes that are no text.
std::optional<Segment> file_segment(const RepoFolder& folder, const ScannedFile& file) {
  if (file.line_count == 0) return std::nullopt;
  const auto source = read_source(folder, file);
  if (!source) return std::nullopt;
  std::string excerpt;
  const auto lines = text::split_lines(*source);
  for (const auto& line : first(lines, kFileLines)) {
    if (&line != lines.data()) excerpt += '\n';
    excerpt += line;
  }
  return Segment{.segment_id = "code-" + slug(file.path),
                 .locator = line_locator("code_file", file.path, 1, file.line_count),
                 .excerpt = std::string(prefix_code_points(excerpt, kFileChars)),
                 .hash = file.sha256};
}

}  // namespace

std::vector<Segment> repo_segments(const RepoFolder& folder, const RepoScan& scan,
                                   const RepoCode& code) {
  std::vector<Segment> segments;
  for (const auto& entry : first(scan.top_level, kEntrySegments))
    segments.push_back(entry_segment(folder, entry.name));
  for (const auto& module : first(code.modules, kModuleSegments))
    segments.push_back(module_segment(module));
  for (const auto& section : first(code.sections, kSectionSegments))
    segments.push_back(section_segment(section));
  size_t files = 0;
  for (const ScannedFile* file : scan.code()) {
    if (files == kFileSegments) break;
    if (auto segment = file_segment(folder, *file)) {
      segments.push_back(std::move(*segment));
      ++files;
    }
  }
  return segments;
}

}  // namespace holdfast::service::substrate
