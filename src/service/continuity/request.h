// One call of the continuity API as its services see it, and what its caller may do.
#pragma once

#include <string>
#include <string_view>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/value.h"
#include "service/continuity/paths.h"

namespace holdfast::service::continuity {

struct Request {
  const CallContext& call;
  const Value& args;     // through the operation's shape: typed, ordered, defaults filled in
  const Value& raw;      // as sent: tells an absent member from a default
  bool looking = false;  // an operator looks on: not counted as use

  std::string text(std::string_view name) const;
  // commit_message, if the caller sent one.
  std::string message_or(std::string otherwise) const;
  // Empty members if the request names none.
  Subject subject() const;
};

inline constexpr std::string_view kReadFiles = "read:files";
inline constexpr std::string_view kWriteProjects = "write:projects";
inline constexpr std::string_view kSearchScope = "search";
inline constexpr std::string_view kAdminPeers = "admin:peers";

std::string peer_of(const CallContext& call);
// Whether a transport peer (CallContext::peer_address) is on this machine.
bool is_local_address(std::string_view address);
bool is_admin(const CallContext& call);
bool has_scope(const CallContext& call, std::string_view scope);
bool may_read(const CallContext& call, std::string_view path);
// kPermissionDenied in the contract's words.
Status require_scope(const CallContext& call, std::string_view scope);
Status require_read(const CallContext& call, std::string_view path);
Status require_write(const CallContext& call, std::string_view path);

// The space of the call, for a caller whose scopes were judged by the rules above.
Result<access::SpaceAccess> open_space(const access::Gatekeeper& gatekeeper,
                                       const CallContext& call);

}  // namespace holdfast::service::continuity
