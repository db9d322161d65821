#include "service/observation/failure.h"

#include <fmt/format.h>

namespace holdfast::service::observation {

Issue body_issue(std::vector<Issue::Step> path, std::string_view rule) {
  return Issue{.path = std::move(path), .rule = std::string(rule)};
}

Error denied(std::string_view why, std::string message) {
  return Error{.code = ErrorCode::kPermissionDenied,
               .reason = std::string(why),
               .message = std::move(message)};
}

Error forbidden(std::string message) { return denied(reason::kForbidden, std::move(message)); }

Error tier_required(int required, int current) {
  Error error = denied(reason::kTierRequired,
                       fmt::format("This needs trust tier T{}; yours is T{}.", required, current));
  error.issues = {{.rule = std::string(detail::kFacts),
                   .params = {{"required", fmt::format("T{}", required)},
                              {"current", fmt::format("T{}", current)}}}};
  return error;
}

Error scope_required(std::string_view scope) {
  Error error = denied(reason::kInsufficientScope,
                       fmt::format("This token does not have the scope '{}'.", scope));
  error.issues = {
      {.rule = std::string(detail::kFacts), .params = {{"required_scope", std::string(scope)}}}};
  return error;
}

Error no_observation(std::string_view id) { return not_found("observation", id); }

Error bad_reference(std::string_view field, const std::string& message) {
  Error error = invalid_argument(message, {body_issue({member(field)}, detail::kReference)});
  error.reason = reason::kReference;
  return error;
}

Error key_conflict(std::vector<Issue::Param> facts) {
  Error error = conflict(reason::kKeyConflict,
                         "This key or commit id was used for another request; use a new one.");
  error.issues = {{.rule = std::string(detail::kFacts), .params = std::move(facts)}};
  return error;
}

}  // namespace holdfast::service::observation
