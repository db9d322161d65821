// Why a call about observations is refused. Each reason is one published code; what else is to be
// said goes into issues: their rule is the detail's code, their params its further members.
#pragma once

#include <string>
#include <string_view>

#include "access/authenticator.h"
#include "base/error.h"

namespace holdfast::service::observation {

namespace reason {
inline constexpr std::string_view kForbidden = "forbidden";  // no right to write here
inline constexpr std::string_view kInsufficientScope = "scope_required";
inline constexpr std::string_view kTierRequired = "tier_required";
inline constexpr std::string_view kSubcortexDenied = "subcortex_denied";
inline constexpr std::string_view kClearance = "clearance_required";
inline constexpr std::string_view kOwnership = "ownership_required";
inline constexpr std::string_view kReference = "invalid_reference";
inline constexpr std::string_view kKeyMissing = "idempotency_key_missing";
inline constexpr std::string_view kKeyInvalid = "idempotency_key_invalid";
inline constexpr std::string_view kKeyConflict = "idempotency_conflict";
inline constexpr std::string_view kCursorExpired = "cursor_expired";
inline constexpr std::string_view kStateTransition = "state_transition";
inline constexpr std::string_view kLocked = "locked";
inline constexpr std::string_view kDuplicate = "duplicate_name";
inline constexpr std::string_view kArchived = "archived";
inline constexpr std::string_view kTooLarge = "content_too_large";
inline constexpr std::string_view kSensitiveContent = "sensitive_content";
inline constexpr std::string_view kSubcortexInactive = "subcortex_not_active";
inline constexpr std::string_view kAgentKey = "agent_key_invalid";
inline constexpr std::string_view kLinkSignature = "link_signature";  // of a signed link
inline constexpr std::string_view kLinkExpired = "link_expired";
inline constexpr std::string_view kContentType = "content_type";  // of uploaded bytes
// Of the authenticator, for those who word them.
inline constexpr std::string_view kTokenMissing = access::reason::kTokenMissing;
inline constexpr std::string_view kTokenExpired = access::reason::kTokenExpired;
inline constexpr std::string_view kTokenRevoked = access::reason::kTokenRevoked;
}  // namespace reason

// Rules of issues that are no wire rules: codes of details as they are published.
namespace detail {
inline constexpr std::string_view kReference = "INVALID_REFERENCE";
inline constexpr std::string_view kDuplicate = "DUPLICATE";
inline constexpr std::string_view kObjectTooLarge = "OBJECT_TOO_LARGE";
inline constexpr std::string_view kChecksum = "CHECKSUM_MISMATCH";
inline constexpr std::string_view kSize = "SIZE_MISMATCH";
inline constexpr std::string_view kContentType = "CONTENT_TYPE_MISMATCH";
// Params alone: no field, no code.
inline constexpr std::string_view kFacts = "facts";
}  // namespace detail

// An issue about a member of the body; `path` as in "tags" or {"code_links", "0", "repo"}.
Issue body_issue(std::vector<Issue::Step> path, std::string_view rule);
inline Issue::Step member(std::string_view name) { return {.name = std::string(name)}; }
inline Issue::Step element(size_t index) {
  return {.name = std::to_string(index), .is_index = true};
}

Error forbidden(std::string message);
Error denied(std::string_view why, std::string message);
Error tier_required(int required, int current);
Error scope_required(std::string_view scope);
Error no_observation(std::string_view id);
Error bad_reference(std::string_view field, const std::string& message);
// kConflict about a key or commit id that was used for something else.
Error key_conflict(std::vector<Issue::Param> facts);

}  // namespace holdfast::service::observation
