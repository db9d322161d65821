// The proof that a caller may work in a space. Every row-level call takes one and only the
// Gatekeeper makes one, so code that forgot to ask does not compile.
#pragma once

#include <utility>

#include "access/visibility.h"
#include "model/label.h"

namespace holdfast::access {

enum class Permission { kRead, kWrite };

class SpaceAccess {
 public:
  const SpaceId& space() const { return viewer_.space; }
  const Viewer& viewer() const { return viewer_; }
  bool may_write() const { return permission_ == Permission::kWrite; }
  bool may_see(const Label& label) const { return access::may_see(viewer_, label); }

  // The same space with a narrower view, as when a query names its container. Never widens: a
  // container outside the view stays outside.
  SpaceAccess narrowed(std::optional<std::string> container, Visibility reach) const;

 private:
  friend class Gatekeeper;
  SpaceAccess(Viewer viewer, Permission permission)
      : viewer_(std::move(viewer)), permission_(permission) {}

  Viewer viewer_;
  Permission permission_;
};

// The proof for what is above spaces: principals, tokens, spaces themselves, maintenance.
class AdminAccess {
 private:
  friend class Gatekeeper;
  AdminAccess() = default;
};

}  // namespace holdfast::access
