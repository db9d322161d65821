#include "service/observation/people.h"

namespace holdfast::service::observation {

std::string_view kind_name(PrincipalKind kind) {
  switch (kind) {
    case PrincipalKind::kHuman: return "human";
    case PrincipalKind::kAgent: return "agent";
    case PrincipalKind::kService: return "system";
  }
  return {};
}

std::string_view status_name(PrincipalStatus status) {
  switch (status) {
    case PrincipalStatus::kActive: return "active";
    case PrincipalStatus::kSuspended: return "suspended";
    case PrincipalStatus::kDeleted: return "deleted";
  }
  return {};
}

PrincipalCard card_of(const Principal& principal) {
  return {.id = principal.id.value,
          .handle = principal.handle,
          .display_name = principal.display_name,
          .kind = std::string(kind_name(principal.kind))};
}

Result<PrincipalCard> People::card(const std::string& id) {
  const auto known = cards_.find(id);
  if (known != cards_.end()) return known->second;
  const auto found = txn_.principal(gatekeeper_.engine_admin(), PrincipalId{id});
  if (!found && found.error().code != ErrorCode::kNotFound) return found.error();
  return cards_[id] =
             found ? card_of(*found)
                   : PrincipalCard{.id = id, .handle = id, .display_name = id, .kind = "human"};
}

}  // namespace holdfast::service::observation
