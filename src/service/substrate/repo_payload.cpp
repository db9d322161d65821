#include "service/substrate/repo_payload.h"

#include <algorithm>

#include "service/substrate/repo_intelligence.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kTopLevel = 25;
constexpr size_t kCodeFiles = 300;
constexpr size_t kCodeIndex = 500;
constexpr size_t kDocIndex = 300;
// What code we understand by ourselves, and what ctags is asked for.
constexpr std::string_view kParser = "holdfast";

Value top_level(const RepoScan& scan) {
  Value names = Value::array();
  for (const TopLevelEntry& entry : first(scan.top_level, kTopLevel)) names.push(entry.name);
  return names;
}

Value language_counts(const RepoScan& scan) {
  Value counts = Value::object();
  for (const auto& [language, count] : scan.language_counts) counts.set(language, count);
  return counts;
}

Value code_files(const std::vector<const ScannedFile*>& files) {
  Value paths = Value::array();
  for (const ScannedFile* file : first(files, kCodeFiles)) paths.push(file->path);
  return paths;
}

Value code_index(const std::vector<const ScannedFile*>& files) {
  Value index = Value::array();
  for (const ScannedFile* file : first(files, kCodeIndex)) {
    index.push(Value::object({{"path", file->path},
                              {"language", file->language},
                              {"line_count", file->line_count},
                              {"sha256", file->sha256}}));
  }
  return index;
}

Value doc_index(const RepoScan& scan) {
  Value index = Value::array();
  const auto documents = scan.documents();
  for (const ScannedFile* file : first(documents, kDocIndex)) {
    index.push(Value::object({{"path", file->path},
                              {"content_type", "markdown"},
                              {"line_count", file->line_count},
                              {"sha256", file->sha256}}));
  }
  return index;
}

Value sections(const RepoCode& code) {
  Value list = Value::array();
  for (const RepoSection& section : code.sections) {
    list.push(Value::object({{"path", section.path},
                             {"heading", section.chunk.title},
                             {"level", section.chunk.level},
                             {"line_start", section.chunk.line_start},
                             {"line_end", section.chunk.line_end},
                             {"excerpt", section.excerpt},
                             {"heading_path", Value::array_of(section.chunk.heading_path)},
                             {"chunk_kind", section.chunk.kind},
                             {"parser_backend", text::kChunkerName}}));
  }
  return list;
}

// Beyond the published shape: symbols of languages that have no modules.
Value symbol_index(const RepoCode& code) {
  Value list = Value::array();
  for (const RepoSymbols& file : code.symbols) {
    list.push(Value::object({{"path", file.path},
                             {"language", file.language},
                             {"symbols", symbol_list(file.symbols, file.symbols.size())},
                             {"parser_backend", "universal_ctags"}}));
  }
  return list;
}

}  // namespace

Value repo_payload(const std::string& name, const RepoScan& scan, const RepoCode& code) {
  const auto files = scan.code();
  Value payload = Value::object({{"repo_name", name},
                                 {"file_count", scan.files.size()},
                                 {"dir_count", scan.dir_count},
                                 {"top_level_entries", top_level(scan)},
                                 {"language_counts", language_counts(scan)},
                                 {"readme_present", scan.readme_present},
                                 {"source_roots", Value::array_of(scan.source_roots)},
                                 {"code_files", code_files(files)},
                                 {"code_index", code_index(files)},
                                 {"doc_index", doc_index(scan)},
                                 {"document_sections", sections(code)}});
  const Value modules = module_list(code.modules);
  payload.set("code_modules", modules);
  payload.set("python_modules", modules);
  payload.set("parser_backend", kParser);
  payload.set("symbol_index", symbol_index(code));
  add_intelligence(payload, kParser, scan, code.modules);
  return payload;
}

}  // namespace holdfast::service::substrate
