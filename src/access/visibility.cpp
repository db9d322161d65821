#include "access/visibility.h"

#include <algorithm>

#include "access/compartments.h"

namespace holdfast::access {
namespace {

bool holds(const std::optional<std::vector<std::string>>& allowed, const std::string& name) {
  return !allowed || std::ranges::find(*allowed, name) != allowed->end();
}

bool may_enter(const Viewer& viewer, const std::string& compartment) {
  const auto& allowed = viewer.compartments;
  if (is_closed_compartment(compartment))
    return viewer.every_owner || (allowed && holds(allowed, compartment));
  return holds(allowed, compartment) || holds(allowed, std::string(kEveryOpenCompartment));
}

}  // namespace

bool may_see(const Viewer& viewer, const Label& label) {
  if (label.sensitivity > viewer.clearance) return false;
  for (const auto& compartment : label.compartments) {
    if (!may_enter(viewer, compartment)) return false;
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
