#include "service/substrate/repo_code.h"

#include <algorithm>
#include <array>
#include <future>

#include "base/utf8.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxSourceBytes = size_t{4} << 20;
constexpr size_t kMaxDocumentBytes = size_t{4} << 20;

bool is_parsed(std::string_view language) {
  return language == "python" || language == "typescript" || language == "javascript";
}

std::vector<const ScannedFile*> in_module_order(std::vector<const ScannedFile*> files) {
  std::ranges::stable_sort(files, [](const ScannedFile* a, const ScannedFile* b) {
    return module_rank(a->path) < module_rank(b->path);
  });
  return files;
}

std::optional<std::string> read_text(const RepoFolder& folder, const ScannedFile& file,
                                     size_t limit) {
  auto bytes = folder.read_all(file.location, limit);
  if (!bytes || !is_valid_utf8(*bytes)) return std::nullopt;
  return bytes;
}

Result<std::vector<RepoModule>> read_modules(const RepoFolder& folder,
                                             const std::vector<const ScannedFile*>& files,
                                             const IngestWatch& watch) {
  std::vector<RepoModule> modules;
  for (const ScannedFile* file : files) {
    if (modules.size() == RepoCaps::kModules) break;
    if (!is_parsed(file->language)) continue;
    HOLDFAST_CHECK_OK(check_cancelled(watch));
    const auto source = read_text(folder, *file, kMaxSourceBytes);
    if (!source) continue;
    auto code =
        file->language == "python" ? text::parse_python(*source) : text::parse_script(*source);
    if (code) {
      modules.push_back({.path = file->path, .language = file->language, .code = std::move(*code)});
    }
  }
  return modules;
}

Result<std::vector<RepoSection>> read_sections(const RepoFolder& folder, const RepoScan& scan,
                                               const IngestWatch& watch) {
  std::vector<RepoSection> sections;
  for (const ScannedFile* file : scan.documents()) {
    const size_t left = RepoCaps::kSections - sections.size();
    if (left == 0) break;
    HOLDFAST_CHECK_OK(check_cancelled(watch));
    const auto source = read_text(folder, *file, kMaxDocumentBytes);
    if (!source) continue;
    for (auto& chunk : text::chunk_document(*source, text::DocumentForm::kMarkdown, left)) {
      std::string excerpt = clip(chunk.text, RepoCaps::kSectionChars);
      chunk.text.clear();
      sections.push_back(
          {.path = file->path, .chunk = std::move(chunk), .excerpt = std::move(excerpt)});
    }
  }
  return sections;
}

}  // namespace

int module_rank(std::string_view path) {
  constexpr std::array<std::string_view, 6> kLayers = {"/application/",    "/interfaces/",
                                                       "/adapters/",       "/domain/",
                                                       "/infrastructure/", "/projections/"};
  const auto layer = std::ranges::find_if(
      kLayers, [&](std::string_view name) { return path.find(name) != std::string_view::npos; });
  if (layer != kLayers.end()) return static_cast<int>(layer - kLayers.begin());
  if (path.starts_with("src/")) return static_cast<int>(kLayers.size());
  const int other = static_cast<int>(kLayers.size()) + 1;
  return path.starts_with("tests/") ? other + 1 : other;
}

std::optional<std::string> read_source(const RepoFolder& folder, const ScannedFile& file) {
  return read_text(folder, file, kMaxSourceBytes);
}

Result<RepoCode> read_code(const RepoFolder& folder, const RepoScan& scan,
                           const IngestWatch& watch) {
  const auto files = in_module_order(scan.code());
  std::vector<const ScannedFile*> others;
  for (const ScannedFile* file : files) {
    if (!is_parsed(file->language) && others.size() < RepoCaps::kSymbolFiles)
      others.push_back(file);
  }
  // The other program works while we parse.
  auto symbols = std::async(std::launch::async, [&] { return read_symbols(folder, others); });
  auto modules = read_modules(folder, files, watch);
  auto sections = read_sections(folder, scan, watch);
  RepoCode code{.symbols = symbols.get()};
  if (!modules) return std::move(modules).error();
  if (!sections) return std::move(sections).error();
  code.modules = std::move(*modules);
  code.sections = std::move(*sections);
  return code;
}

}  // namespace holdfast::service::substrate
