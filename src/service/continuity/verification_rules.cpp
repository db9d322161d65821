#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/rules.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

Status check_lengths(const Value& from, std::string_view name, const std::string& label,
                     size_t max) {
  for (const Value& item : list_of(from, name)) {
    if (item.is_string() && count_code_points(*item.if_string()) > max)
      return bad_request(fmt::format("Value too long in {}", label));
  }
  return {};
}

}  // namespace

Status check_verification(const Value& capsule) {
  if (const Value* state = present(capsule, "verification_state")) {
    HOLDFAST_CHECK_OK(require_utc(text_of(*state, "last_revalidated_at"),
                                  "verification_state.last_revalidated_at"));
    HOLDFAST_CHECK_OK(
        check_lengths(*state, "evidence_refs", "verification_state.evidence_refs", 200));
    if (text_of(*state, "status") == "conflicted" && text_of(*state, "conflict_summary").empty())
      return bad_request("verification_state.conflict_summary is required when status=conflicted");
  }
  if (const Value* health = present(capsule, "capsule_health")) {
    HOLDFAST_CHECK_OK(
        require_utc(text_of(*health, "last_checked_at"), "capsule_health.last_checked_at"));
    HOLDFAST_CHECK_OK(check_lengths(*health, "reasons", "capsule_health.reasons", 120));
    if (text_of(*health, "status") != "healthy" && list_of(*health, "reasons").empty())
      return bad_request(
          "capsule_health.reasons is required when status is degraded or conflicted");
  }
  return {};
}

}  // namespace holdfast::service::continuity
