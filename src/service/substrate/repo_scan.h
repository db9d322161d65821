// Looking through a repository: which files it has, what they hash to, what they are written in.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/repo_folder.h"
#include "service/substrate/repo_rules.h"

namespace holdfast::service::substrate {

struct ScannedFile {
  std::string path = {};      // relative, UTF-8: what is shown
  std::string location = {};  // relative, as the file system has it, links resolved: what is read
  std::string_view language = {};  // a literal; empty if unknown
  FileStamp stamp = {};
  std::string sha256 = {};  // hex; of no bytes if it cannot be read
  int64_t line_count = 0;   // 0 for bytes that are no UTF-8

  bool is_document() const { return language == "markdown"; }
  bool is_code() const { return !language.empty() && !is_document(); }
};

struct TopLevelEntry {
  std::string name = {};
  bool is_folder = false;
};

struct RepoScan {
  std::vector<ScannedFile> files = {};  // sorted by path
  int64_t dir_count = 0;
  std::vector<TopLevelEntry> top_level = {};                          // sorted by name
  std::vector<std::pair<std::string, int64_t>> language_counts = {};  // most first
  bool readme_present = false;
  std::vector<std::string> source_roots = {};

  std::vector<const ScannedFile*> documents() const;
  std::vector<const ScannedFile*> code() const;
};

// What an earlier scan knew of a file; good as long as its stamp is the same.
struct KnownFile {
  FileStamp stamp = {};
  std::string sha256 = {};
  int64_t line_count = 0;
};
using KnownFiles = std::map<std::string, KnownFile>;  // by location

// Files of the known ones that changed so shortly before they were recorded that a later change
// could carry the same time are not in it.
std::string write_known_files(const RepoScan& scan, Timestamp scanned_at);
// Empty for bytes that write_known_files did not make.
KnownFiles read_known_files(std::string_view bytes);

struct ScanOrder {
  const RepoFolder& folder;
  const PathRules& rules;
  const KnownFiles& known;
  const IngestWatch& watch;
  size_t max_files = 0;
};

// Errors: kTooLarge, kUnavailable with kCancelled.
Result<RepoScan> scan_repo(const ScanOrder& order);

// Opaque; equal exactly when nothing that counts has changed.
std::string fingerprint_of(const RepoScan& scan);

// kUnavailable with kCancelled if the watcher says so.
Status check_cancelled(const IngestWatch& watch);

}  // namespace holdfast::service::substrate
