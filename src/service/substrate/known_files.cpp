// The record of a scan: one line a file, the location last and ended by a zero byte, which no path
// holds.
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "service/substrate/repo_scan.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::string_view kFormat = "holdfast-scan-1\n";
// Coarse clocks of file systems: a change within this time of the scan may not move the stamp.
constexpr int64_t kRacyNs = 2'000'000'000;

template <typename T>
bool take_number(std::string_view& text, T& out) {
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + blank, out);
  if (error != std::errc() || end != text.data() + blank) return false;
  text.remove_prefix(blank + 1);
  return true;
}

bool take_file(std::string_view line, KnownFiles& out) {
  KnownFile file;
  if (!take_number(line, file.stamp.size) || !take_number(line, file.stamp.modified_ns) ||
      !take_number(line, file.stamp.changed_ns) || !take_number(line, file.stamp.inode) ||
      !take_number(line, file.line_count))
    return false;
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  file.sha256 = line.substr(0, blank);
  out.emplace(line.substr(blank + 1), std::move(file));
  return true;
}

}  // namespace

std::string write_known_files(const RepoScan& scan, Timestamp scanned_at) {
  const int64_t now_ns = to_micros(scanned_at) * 1000;
  std::string out(kFormat);
  for (const ScannedFile& file : scan.files) {
    const FileStamp& stamp = file.stamp;
    if (stamp.inode == 0 || stamp.changed_ns > now_ns - kRacyNs ||
        stamp.modified_ns > now_ns - kRacyNs)
      continue;
    out += fmt::format("{} {} {} {} {} {} {}", stamp.size, stamp.modified_ns, stamp.changed_ns,
                       stamp.inode, file.line_count, file.sha256, file.location);
    out += '\0';
  }
  return out;
}

KnownFiles read_known_files(std::string_view bytes) {
  KnownFiles known;
  if (!bytes.starts_with(kFormat)) return known;
  bytes.remove_prefix(kFormat.size());
  while (!bytes.empty()) {
    const size_t end = bytes.find('\0');
    if (end == std::string_view::npos || !take_file(bytes.substr(0, end), known)) return {};
    bytes.remove_prefix(end + 1);
  }
  return known;
}

}  // namespace holdfast::service::substrate
