// Turns a call into the proof that it may work in a space. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "access/space_access.h"
#include "base/result.h"
#include "model/call_context.h"

namespace holdfast::access {

inline constexpr std::string_view kScopeRead = "read";
inline constexpr std::string_view kScopeWrite = "write";
inline constexpr std::string_view kScopeAdmin = "admin";

namespace reason {
inline constexpr std::string_view kScope = "insufficient_scope";
inline constexpr std::string_view kUnknownSpace = "unknown_space";
inline constexpr std::string_view kBadSpaceName = "bad_space_name";
}  // namespace reason

// Where the Gatekeeper learns which spaces exist. Implemented by storage.
class SpaceDirectory {
 public:
  virtual ~SpaceDirectory() = default;
  virtual bool space_exists(const SpaceId& space) const = 0;
};

// 1 to 64 of lower-case letters, digits, '-', '_' and '.', starting with a letter or digit.
bool is_space_name(std::string_view name);
// kInvalidArgument, kBadSpaceName for any other, with what names may be.
Status check_space_name(std::string_view name);

class Gatekeeper {
 public:
  // spaces_on_demand: a first write makes its space (--auth off).
  Gatekeeper(const SpaceDirectory& spaces, bool spaces_on_demand)
      : spaces_(spaces), spaces_on_demand_(spaces_on_demand) {}

  // Errors: kPermissionDenied (scope), kNotFound (no such space), kInvalidArgument (no possible
  // space name). Reading needs the scope `read`; writing `write` or any scope that begins with
  // `write:`; `admin` has both.
  Result<SpaceAccess> require(const CallContext& call, Permission permission) const;

  // Errors: kPermissionDenied without the scope `admin`.
  Result<AdminAccess> require_admin(const CallContext& call) const;

  // For the engine's own work on a space: rebuilding an index, running jobs, export. Sees
  // everything.
  SpaceAccess engine_access(const SpaceId& space) const;
  AdminAccess engine_admin() const { return AdminAccess(); }

 private:
  const SpaceDirectory& spaces_;
  const bool spaces_on_demand_;
};

}  // namespace holdfast::access
