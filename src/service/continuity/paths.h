// The identifiers that the published API calls paths. Nothing is promised about files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::service::continuity {

struct Subject {
  std::string kind = {};
  std::string id = {};
  bool operator==(const Subject&) const = default;
  // "user:alice": names the capsule object and selectors.
  std::string name() const { return kind + ":" + id; }
};

// kInvalidArgument for an id of nothing but blanks and control characters.
Status check_subject_id(std::string_view id);
// The names that a subject may get, best first: kind-slug, then ones with digits of a hash.
std::vector<std::string> stems_of(const Subject& subject);

std::string active_path(std::string_view stem);
std::string fallback_path(std::string_view stem);
// `stem` is the archive's: kind-slug-20250101T000000Z.
std::string archive_path(std::string_view stem);
std::string cold_path(std::string_view archive_stem);
std::string stub_path(std::string_view archive_stem);
std::string compact_time(std::string_view utc);
inline constexpr std::string_view kContinuityFolder = "memory/continuity";
inline constexpr std::string_view kRefreshPath = "memory/continuity/refresh_state.json";
inline constexpr std::string_view kRetentionPath = "memory/continuity/retention_state.json";

// What is wrong with a repository-relative path, or nothing.
std::optional<std::string> path_problem(std::string_view path);
// Only letters, digits and ._/- and at least one of them.
bool has_path_letters(std::string_view path);

}  // namespace holdfast::service::continuity
