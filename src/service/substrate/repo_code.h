// What the files of a repository declare: parsed modules, sections of documents, symbols.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/substrate/repo_scan.h"
#include "text/code/code_module.h"
#include "text/document_chunker.h"

namespace holdfast::service::substrate {

struct RepoModule {
  std::string path = {};
  std::string_view language = {};
  text::CodeModule code = {};
};

struct RepoSection {
  std::string path = {};
  text::DocumentChunk chunk = {};
  std::string excerpt = {};
};

// Symbols of a file in a language that is not parsed, as universal-ctags finds them.
struct RepoSymbols {
  std::string path = {};
  std::string_view language = {};
  std::vector<text::CodeSymbol> symbols = {};
};

struct RepoCode {
  std::vector<RepoModule> modules = {};    // in the order of module_rank, then path
  std::vector<RepoSection> sections = {};  // by path, then line
  std::vector<RepoSymbols> symbols = {};   // by path
};

// How much is kept of a repository.
struct RepoCaps {
  static constexpr size_t kModules = 200;
  static constexpr size_t kSections = 400;
  static constexpr size_t kSymbolFiles = 200;
  static constexpr size_t kSymbolsPerFile = 40;
  static constexpr size_t kSectionChars = 400;
};

// Application code first, tests last: 0 is the first rank.
int module_rank(std::string_view path);

// Reads only as many files as the caps need. Errors: kUnavailable with kCancelled. Without a ctags
// program there are no symbols.
Result<RepoCode> read_code(const RepoFolder& folder, const RepoScan& scan,
                           const IngestWatch& watch);

// The text of a source file, if it is UTF-8 and not too large.
std::optional<std::string> read_source(const RepoFolder& folder, const ScannedFile& file);

// One run of universal-ctags over these files.
std::vector<RepoSymbols> read_symbols(const RepoFolder& folder,
                                      const std::vector<const ScannedFile*>& files);

}  // namespace holdfast::service::substrate
