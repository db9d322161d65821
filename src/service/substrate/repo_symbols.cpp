// Symbols of languages without a parser of ours, from one run of universal-ctags. The program reads
// hostile files, so it is a child of its own with bounds; what it prints is only looked at.
#include <map>

#include "base/child_process.h"
#include "base/log.h"
#include "model/json_text.h"
#include "service/substrate/repo_code.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::chrono::seconds kTimeout{60};
constexpr size_t kMaxOutput = size_t{64} << 20;
constexpr size_t kMaxMemory = size_t{1} << 30;

std::string tag_text(const Value& tag, std::string_view name) {
  const Value* value = tag.find(name);
  const auto* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

int64_t line_of(const Value& tag, std::string_view name, int64_t otherwise) {
  const Value* value = tag.find(name);
  const auto* line = value != nullptr ? value->if_int() : nullptr;
  return line != nullptr ? *line : otherwise;
}

text::CodeSymbol symbol_of(const Value& tag) {
  const int64_t line = line_of(tag, "line", 0);
  const std::string scope = tag_text(tag, "scope");
  const std::string name = tag_text(tag, "name");
  return {.name = scope.empty() ? name : scope + '.' + name,
          .kind = tag_text(tag, "kind"),
          .line_start = line,
          .line_end = line_of(tag, "end", line)};
}

}  // namespace

std::vector<RepoSymbols> read_symbols(const RepoFolder& folder,
                                      const std::vector<const ScannedFile*>& files) {
  std::vector<RepoSymbols> found;
  std::map<std::string, size_t> places;  // by the path that ctags is given
  // No settings of the user or of the repository; definitions only.
  ChildOrder order{.command = {"ctags", "--options=NONE", "--output-format=json", "--sort=no",
                               "--links=no", "--fields=+neK", "-f", "-", "-L", "-"},
                   .timeout = kTimeout,
                   .max_output_bytes = kMaxOutput,
                   .max_memory_bytes = kMaxMemory};
  for (const ScannedFile* file : files) {
    if (file->location.find('\n') != std::string::npos) continue;
    const std::string path = folder.root() + '/' + file->location;
    places.emplace(path, found.size());
    found.push_back({.path = file->path, .language = file->language});
    order.input += path + '\n';
  }
  if (found.empty()) return found;
  const auto outcome = run_child(order);
  if (!outcome) {
    log::warn("ingest_without_symbols", {{"cause", outcome.error().message}});
    return {};
  }
  std::string_view rest = outcome->output;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const auto tag = parse_json(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!tag) continue;
    const auto place = places.find(tag_text(*tag, "path"));
    if (place == places.end()) continue;
    auto& symbols = found[place->second].symbols;
    if (symbols.size() < RepoCaps::kSymbolsPerFile) symbols.push_back(symbol_of(*tag));
  }
  std::erase_if(found, [](const RepoSymbols& file) { return file.symbols.empty(); });
  return found;
}

}  // namespace holdfast::service::substrate
