#include "access/gatekeeper.h"

#include <fmt/format.h>

namespace holdfast::access {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool may_write(const CallContext& call) {
  if (call.has_scope(kScopeWrite)) return true;
  for (const auto& scope : call.scopes) {
    if (scope.starts_with("write:")) return true;
  }
  return false;
}

Error missing_scope(std::string_view scope) {
  return Error{.code = ErrorCode::kPermissionDenied,
               .reason = std::string(reason::kScope),
               .message = fmt::format(
                   "This token does not have the scope '{}'. Ask for a token that has it.", scope)};
}

Viewer unrestricted(const SpaceId& space) {
  return Viewer{.space = space,
                .every_owner = true,
                .reach = Visibility::kOwner,
                .clearance = Sensitivity::kSensitive};
}

}  // namespace

bool is_space_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || !is_word(name.front())) return false;
  for (const char c : name) {
    if (!is_word(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

Status check_space_name(std::string_view name) {
  if (is_space_name(name)) return {};
  return Error{
      .code = ErrorCode::kInvalidArgument,
      .reason = std::string(reason::kBadSpaceName),
      .message =
          "A space name is 1 to 64 lower-case letters, digits, '-', '_' or '.', starting with a "
          "letter or digit."};
}

Result<SpaceAccess> Gatekeeper::require(const CallContext& call, Permission permission) const {
  const SpaceId& space = call.viewer.space;
  HOLDFAST_CHECK_OK(check_space_name(space.value));
  if (permission == Permission::kRead && !call.has_scope(kScopeRead))
    return missing_scope(kScopeRead);
  if (permission == Permission::kWrite && !may_write(call)) return missing_scope(kScopeWrite);
  const bool made_by_writing = spaces_on_demand_ && permission == Permission::kWrite;
  if (!made_by_writing && !spaces_.space_exists(space)) {
    return Error{.code = ErrorCode::kNotFound,
                 .reason = std::string(reason::kUnknownSpace),
                 .message = fmt::format(
                     "There is no space '{0}'. Create it with 'holdfast space create {0}'{1}.",
                     space.value, spaces_on_demand_ ? " or by writing to it" : "")};
  }
  return SpaceAccess(call.viewer, permission);
}

Result<AdminAccess> Gatekeeper::require_admin(const CallContext& call) const {
  if (!call.has_scope(kScopeAdmin)) return missing_scope(kScopeAdmin);
  return AdminAccess();
}

SpaceAccess Gatekeeper::engine_access(const SpaceId& space) const {
  return SpaceAccess(unrestricted(space), Permission::kWrite);
}

}  // namespace holdfast::access
