// The objects of the continuity family.
#pragma once

#include <optional>
#include <string>

#include "model/noun.h"
#include "service/continuity/paths.h"

namespace holdfast::service::continuity {

// A capsule as it is kept: active, as a fallback snapshot, or in an archive (hot or cold).
struct StoredCapsule {
  std::string subject_kind = {};
  std::string subject_id = {};
  std::string stem = {};     // names its paths
  bool has_fallback = true;  // active ones: a snapshot with the same content exists
  std::string archive_stem = {};
  std::string archived_at = {};
  std::string archived_by = {};
  std::string reason = {};
  std::string cold_stored_at = {};  // empty: not cold
  std::string cold_phase = {};      // of freshness, when it went cold
  Value capsule = {};
  // Active ones: how often something else of the subject changed and was noted here (note_change).
  std::optional<int64_t> noted = std::nullopt;

  Subject subject() const { return {.kind = subject_kind, .id = subject_id}; }
  std::string artifact_state(std::string_view kind) const;
};

const Noun<StoredCapsule>& capsule_noun();
const Noun<StoredCapsule>& fallback_noun();
const Noun<StoredCapsule>& archive_noun();

// Which subject a path belongs to.
struct PathClaim {
  std::string subject_kind = {};
  std::string subject_id = {};
};
const Noun<PathClaim>& path_noun();

namespace facet {
inline constexpr const char* kArtifact = "capsule_artifact";
inline constexpr const char* kSubjectKind = "capsule_subject_kind";
inline constexpr const char* kSubject = "capsule_subject";
inline constexpr const char* kName = "capsule_name";  // kind:id
inline constexpr const char* kOrder = "capsule_order";
inline constexpr const char* kPath = "capsule_path";
inline constexpr const char* kHasFallback = "capsule_has_fallback";
inline constexpr const char* kLifecycle = "capsule_lifecycle";
inline constexpr const char* kScopeAnchor = "capsule_scope_anchor";
inline constexpr const char* kKeyword = "capsule_keyword";
inline constexpr const char* kLabel = "capsule_label";
inline constexpr const char* kAnchorKind = "capsule_anchor_kind";
inline constexpr const char* kAnchor = "capsule_anchor";  // kind, a slash, value
inline constexpr const char* kLifecycleRank = "capsule_lifecycle_rank";
inline constexpr const char* kHealthRank = "capsule_health_rank";
inline constexpr const char* kInadequate = "capsule_inadequate";
inline constexpr const char* kVerification = "capsule_verification";
inline constexpr const char* kUpdated = "capsule_updated";
inline constexpr const char* kVerified = "capsule_verified";
inline constexpr const char* kAttested = "capsule_attested";  // yes: by more than itself
inline constexpr const char* kArchived = "capsule_archived";
// Microseconds until which a capsule is fresh, softly stale, stale, and not expired.
inline constexpr const char* kFreshUntil = "capsule_fresh_until";
inline constexpr const char* kSoftUntil = "capsule_soft_until";
inline constexpr const char* kHardUntil = "capsule_hard_until";
inline constexpr const char* kExpires = "capsule_expires";
}  // namespace facet

}  // namespace holdfast::service::continuity
