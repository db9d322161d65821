#include "service/recall/standing.h"

#include "service/recall/ingest_service.h"
#include "service/recall/kin.h"

namespace holdfast::service::recall {
using access::SpaceAccess;

Stand::Stand(SpaceAccess all, SpaceAccess access, std::string container, std::string actor)
    : all_(std::move(all)),
      access_(std::move(access)),
      container_(std::move(container)),
      actor_(std::move(actor)) {}

Result<Stand> Stand::take(const access::Gatekeeper& gatekeeper, const CallContext& call,
                          const Standing& by) {
  CallContext seen = call;
  seen.viewer.actor = by.actor_ref;
  seen.viewer.every_owner = false;
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper.require(seen, access::Permission::kWrite));
  const std::string container = canonical_container(by.container_ref);
  if (!may_reach(access, container))
    return Error{.code = ErrorCode::kPermissionDenied,
                 .message = "This token does not reach that container."};
  return Stand(gatekeeper.engine_access(access.space()),
               access.narrowed(container, reach_of(by.visibility)), container, by.actor_ref);
}

bool Stand::sees(const Label& label, const std::string& container, const Text& actor) const {
  const bool at_home = container == container_ || label.visibility == Visibility::kOwner;
  return at_home && access_.may_see(label) && (!actor || *actor == actor_);
}

Result<Memory> Stand::find(storage::ReadTxn& txn, const std::string& id) const {
  HOLDFAST_TRY(Memory memory, read_memory(txn, all_, id));
  if (sees(label_of(memory), memory.container_ref, memory.actor_ref)) return memory;
  return not_found(memory_noun().kind, id);
}

}  // namespace holdfast::service::recall
