#include "service/substrate/repo_scan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/sha256_stream.h"
#include "base/utf8.h"
#include "service/substrate/ids.h"
#include "service/substrate/words.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxDepth = 100;
constexpr int64_t kProgressStep = 100;
// Larger source files are hashed, but nobody reads their lines.
constexpr int64_t kMaxLineBytes = int64_t{16} << 20;

// Languages with lines to count are read whole; everything else only passes through the hash.
void read_content(const RepoFolder& folder, ScannedFile& file) {
  if (!file.language.empty() && file.stamp.size <= kMaxLineBytes) {
    const auto bytes = folder.read_all(file.location, static_cast<size_t>(kMaxLineBytes));
    const std::string content = bytes.value_or("");
    file.sha256 = sha256_hex(content);
    if (is_valid_utf8(content)) file.line_count = static_cast<int64_t>(text::count_lines(content));
    return;
  }
  Sha256 hash;
  folder.read(file.location, [&](std::string_view piece) {
    hash.add(piece);
    return true;
  });
  file.sha256 = to_hex(hash.finish());
}

class Scanner {
 public:
  explicit Scanner(const ScanOrder& order) : order_(order) {}

  Result<RepoScan> run() {
    HOLDFAST_CHECK_OK(walk("", "", 0));
    std::ranges::sort(scan_.files, {}, &ScannedFile::path);
    HOLDFAST_CHECK_OK(hash_all());
    count_languages();
    for (const TopLevelEntry& entry : scan_.top_level) {
      constexpr std::array<std::string_view, 4> kRoots = {"src", "app", "lib", "packages"};
      if (entry.is_folder && std::ranges::find(kRoots, entry.name) != kRoots.end())
        scan_.source_roots.push_back(entry.name);
    }
    return std::move(scan_);
  }

 private:
  Status walk(const std::string& location, const std::string& path, size_t depth) {
    if (depth > kMaxDepth) return {};
    HOLDFAST_CHECK_OK(check_cancelled(order_.watch));
    for (const FolderEntry& entry : order_.folder.list(location)) {
      if (PathRules::is_skipped_name(entry.name)) continue;
      const std::string shown = text::decode_utf8(entry.name, text::BadBytes::kReplace);
      const std::string below = path_below(path, shown);
      const std::string place = path_below(location, entry.name);
      const bool is_folder = entry.kind == FolderEntry::Kind::kFolder;
      const bool counts = order_.rules.counts(below);
      if (counts && depth == 0) scan_.top_level.push_back({.name = shown, .is_folder = is_folder});
      if (is_folder) {
        scan_.dir_count += counts ? 1 : 0;
        if (!order_.rules.prunes(below)) HOLDFAST_CHECK_OK(walk(place, below, depth + 1));
      } else if (counts) {
        HOLDFAST_CHECK_OK(add_file(below, entry.target.empty() ? place : entry.target));
      }
    }
    return {};
  }

  Status add_file(const std::string& path, const std::string& location) {
    if (scan_.files.size() >= order_.max_files) {
      return Error{.code = ErrorCode::kTooLarge,
                   .message = fmt::format("The repository has more than {} files. Leave some out "
                                          "with exclude_patterns.",
                                          order_.max_files)};
    }
    const std::string name = lower(path.substr(path.rfind('/') + 1));
    if (name == "readme" || name == "readme.md") scan_.readme_present = true;
    scan_.files.push_back({.path = path, .location = location, .language = language_of(path)});
    return {};
  }

  Status hash_all() {
    const auto total = static_cast<int64_t>(scan_.files.size());
    for (int64_t done = 0; done < total; ++done) {
      if (done % kProgressStep == 0) {
        HOLDFAST_CHECK_OK(check_cancelled(order_.watch));
        if (order_.watch.progress) order_.watch.progress(done, total, "reading files");
      }
      hash_one(scan_.files[static_cast<size_t>(done)]);
    }
    if (order_.watch.progress) order_.watch.progress(total, total, "files read");
    return {};
  }

  void hash_one(ScannedFile& file) const {
    file.stamp = order_.folder.stamp(file.location).value_or(FileStamp());
    const auto known = order_.known.find(file.location);
    if (known != order_.known.end() && known->second.stamp == file.stamp) {
      file.sha256 = known->second.sha256;
      file.line_count = known->second.line_count;
    } else {
      read_content(order_.folder, file);
    }
  }

  void count_languages() {
    std::map<std::string, int64_t> counts;
    for (const ScannedFile& file : scan_.files) {
      if (!file.language.empty()) ++counts[std::string(file.language)];
    }
    scan_.language_counts.assign(counts.begin(), counts.end());
    std::ranges::stable_sort(scan_.language_counts,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
  }

  const ScanOrder& order_;
  RepoScan scan_ = {};
};

}  // namespace

Status check_cancelled(const IngestWatch& watch) {
  if (!watch.cancelled || !watch.cancelled()) return {};
  return Error{.code = ErrorCode::kUnavailable,
               .reason = std::string(reason::kCancelled),
               .message = "The ingest was cancelled; nothing was written."};
}

std::vector<const ScannedFile*> RepoScan::documents() const {
  std::vector<const ScannedFile*> found;
  for (const ScannedFile& file : files) {
    if (file.is_document()) found.push_back(&file);
  }
  return found;
}

std::vector<const ScannedFile*> RepoScan::code() const {
  std::vector<const ScannedFile*> found;
  for (const ScannedFile& file : files) {
    if (file.is_code()) found.push_back(&file);
  }
  return found;
}

Result<RepoScan> scan_repo(const ScanOrder& order) { return Scanner(order).run(); }

std::string fingerprint_of(const RepoScan& scan) {
  // Everything else that a scan says follows from the paths and the hashes.
  Sha256 hash;
  hash.add(fmt::format("repo-scan.v1|{}|{}\n", scan.files.size(), scan.dir_count));
  for (const TopLevelEntry& entry : scan.top_level)
    hash.add(fmt::format("{}{}\n", entry.name, entry.is_folder ? "/" : ""));
  for (const ScannedFile& file : scan.files)
    hash.add(fmt::format("{}:{}\n", file.path, file.sha256));
  return to_hex(hash.finish());
}

}  // namespace holdfast::service::substrate
