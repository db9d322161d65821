#include "service/continuity/paths.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/utf8.h"
#include "service/continuity/failure.h"
#include "service/continuity/letters.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kLongestSlug = 120;
constexpr std::array<std::string_view, 15> kTopFolders = {
    "journal", "essays", "projects", "memory",  "messages", "peers", "snapshots", "tasks",
    "patches", "runs",   "index",    "archive", "config",   "logs",  "backups"};

bool is_slug_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string strip_dashes(const std::string& text) {
  const size_t from = text.find_first_not_of('-');
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of('-') - from + 1);
}

// Runs of other characters become one dash; dashes of the id itself stay.
std::string slug(std::string_view id) {
  std::string out;
  bool in_run = false;
  for (const char c : lower_case(trim_space(id))) {
    const bool letter = is_slug_letter(c);
    if (letter || !in_run) out += letter ? c : '-';
    in_run = !letter;
  }
  return strip_dashes(strip_dashes(out).substr(0, kLongestSlug));
}

}  // namespace

Status check_subject_id(std::string_view id) {
  if (has_more_than_blanks(id)) return {};
  return bad_request("Normalized subject_id is empty");
}

std::vector<std::string> stems_of(const Subject& subject) {
  const std::string hash = to_hex(sha256(subject.id));
  const std::string norm = slug(subject.id);
  const std::string first =
      fmt::format("{}-{}", subject.kind, norm.empty() ? hash.substr(0, 16) : norm);
  return {first, first + "-" + hash.substr(0, 8), first + "-" + hash.substr(0, 16),
          first + "-" + hash};
}

std::string active_path(std::string_view stem) {
  return fmt::format("memory/continuity/{}.json", stem);
}
std::string fallback_path(std::string_view stem) {
  return fmt::format("memory/continuity/fallback/{}.json", stem);
}
std::string archive_path(std::string_view stem) {
  return fmt::format("memory/continuity/archive/{}.json", stem);
}
std::string cold_path(std::string_view archive_stem) {
  return fmt::format("memory/continuity/cold/{}.json.gz", archive_stem);
}
std::string stub_path(std::string_view archive_stem) {
  return fmt::format("memory/continuity/cold/index/{}.md", archive_stem);
}

std::string compact_time(std::string_view utc) {
  std::string out;
  for (const char c : utc.substr(0, 19)) {
    if (c != '-' && c != ':') out += c;
  }
  return out + "Z";
}

std::optional<std::string> path_problem(std::string_view path) {
  if (path.empty() || path.front() == '/') return "Path must be a non-empty relative path";
  int depth = 0;
  std::string first;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return "Path escapes repository root";
    if (first.empty()) first = part;
  }
  if (std::ranges::find(kTopFolders, first) == kTopFolders.end())
    return fmt::format("Top-level path not allowed: {}", first);
  return std::nullopt;
}

bool has_path_letters(std::string_view path) {
  const auto allowed = [](char c) {
    return is_slug_letter(c) || (c >= 'A' && c <= 'Z') || c == '/';
  };
  return !path.empty() && std::ranges::all_of(path, allowed);
}

}  // namespace holdfast::service::continuity
