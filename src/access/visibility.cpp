#include "access/visibility.h"

#include <algorithm>

namespace holdfast::access {
namespace {

bool holds(const std::optional<std::vector<std::string>>& allowed, const std::string& name) {
  return !allowed || std::ranges::find(*allowed, name) != allowed->end();
}

}  // namespace

bool may_see(const Viewer& viewer, const Label& label) {
  if (label.sensitivity > viewer.clearance) return false;
  for (const auto& compartment : label.compartments) {
    if (!holds(viewer.compartments, compartment)) return false;
  }
  switch (label.visibility) {
    case Visibility::kPublic: return true;
    case Visibility::kContainer:
    case Visibility::kPrivate:
      return viewer.reach >= label.visibility && holds(viewer.containers, label.container);
    case Visibility::kOwner:
      return viewer.every_owner || (!label.owner.empty() && label.owner == viewer.actor);
  }
  return false;
}

}  // namespace holdfast::access
