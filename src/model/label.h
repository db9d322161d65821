// Who may see an object. Every object carries a Label, every read is made by a Viewer, and
// access/visibility.h holds the one rule that brings them together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"

namespace holdfast {

// The isolation boundary: its name. Nothing crosses spaces.
using SpaceId = StrongId<struct SpaceTag>;
using PrincipalId = StrongId<struct PrincipalTag>;

inline const SpaceId kDefaultSpace{"default"};

// In order of growing privacy; a viewer's reach is the most private level it may read.
enum class Visibility : uint8_t {
  kPublic = 0,     // everyone in the space
  kContainer = 1,  // whoever may read the container
  kPrivate = 2,    // inside the container, for viewers who read privately
  kOwner = 3,      // the owner alone, in any container
};

enum class Sensitivity : uint8_t { kNormal = 0, kSensitive = 1 };

struct Label {
  Visibility visibility = Visibility::kPublic;
  Sensitivity sensitivity = Sensitivity::kNormal;
  std::string container = {};  // channel, room, repository, workspace; empty for none
  std::string owner = {};      // whom it is about or who stored it; empty for nobody
  std::vector<std::string> compartments = {};  // a viewer must be allowed every one
  bool operator==(const Label&) const = default;
  auto operator<=>(const Label&) const = default;
};

struct Viewer {
  SpaceId space = kDefaultSpace;
  std::string actor = {};                   // compared with Label::owner
  bool every_owner = false;                 // the local owner and administrators
  Visibility reach = Visibility::kPrivate;  // levels above it are hidden (kOwner goes by actor)
  Sensitivity clearance = Sensitivity::kNormal;
  std::optional<std::vector<std::string>> containers = std::nullopt;    // nothing: all of them
  std::optional<std::vector<std::string>> compartments = std::nullopt;  // nothing: all of them

  // True when no label of the space can be hidden from this viewer, so that filters may be skipped.
  bool sees_everything() const {
    return every_owner && reach >= Visibility::kPrivate && clearance == Sensitivity::kSensitive &&
           !containers && !compartments;
  }
};

}  // namespace holdfast
