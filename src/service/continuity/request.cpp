#include "service/continuity/request.h"

#include <algorithm>

#include <fmt/format.h>

#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

// A path that climbs or starts at the root is in no folder that its text begins with.
bool leads_elsewhere(std::string_view path) {
  return path.starts_with('/') || fmt::format("/{}/", path).find("/../") != std::string::npos;
}

bool in_namespace(const std::vector<std::string>& namespaces, std::string_view path) {
  if (leads_elsewhere(path)) return false;
  if (namespaces.empty()) return true;
  return std::ranges::any_of(namespaces, [&](std::string_view name) {
    while (name.ends_with('/')) name.remove_suffix(1);
    if (name == "*" || name == path) return true;
    return path.size() > name.size() && path.starts_with(name) && path[name.size()] == '/';
  });
}

Error outside(std::string_view what, std::string_view path) {
  if (leads_elsewhere(path))
    return denied(fmt::format("Invalid path for namespace check: {}", path));
  return denied(fmt::format("{} path namespace not allowed: {}", what, path));
}

}  // namespace

std::string Request::text(std::string_view name) const { return text_of(args, name); }

std::string Request::message_or(std::string otherwise) const {
  std::string message = text("commit_message");
  if (message.empty()) return otherwise;
  return message;
}

Subject Request::subject() const {
  return {.kind = text("subject_kind"), .id = text("subject_id")};
}

std::string peer_of(const CallContext& call) {
  if (!call.peer_id.empty()) return call.peer_id;
  return call.local_owner ? "local" : call.principal.value;
}

bool is_local_address(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";  // IPv4 on a socket of IPv6
  if (address.starts_with(kMapped)) address.remove_prefix(kMapped.size());
  return address.empty() || address == "::1" || address.starts_with("127.") || address == "unix" ||
         address == "in-process";
}

bool is_admin(const CallContext& call) { return call.local_owner || call.has_scope(kAdminPeers); }

bool has_scope(const CallContext& call, std::string_view scope) {
  return is_admin(call) || call.has_scope(scope);
}

bool may_read(const CallContext& call, std::string_view path) {
  return is_admin(call) || in_namespace(call.read_namespaces, path);
}

Status require_scope(const CallContext& call, std::string_view scope) {
  if (has_scope(call, scope)) return {};
  return denied(fmt::format("Missing scope: {}", scope));
}

Status require_read(const CallContext& call, std::string_view path) {
  if (may_read(call, path)) return {};
  return outside("Read", path);
}

Status require_write(const CallContext& call, std::string_view path) {
  if (is_admin(call) || in_namespace(call.write_namespaces, path)) return {};
  return outside("Write", path);
}

Result<access::SpaceAccess> open_space(const access::Gatekeeper& gatekeeper,
                                       const CallContext& call) {
  CallContext member = call;
  member.scopes = {std::string(access::kScopeRead), std::string(access::kScopeWrite)};
  return gatekeeper.require(member, access::Permission::kWrite);
}

}  // namespace holdfast::service::continuity
