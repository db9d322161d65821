#include "service/recall/memory_service.h"

#include <algorithm>

#include "service/recall/flags.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::Permission;
using access::SpaceAccess;

}  // namespace

Result<Expanded> MemoryService::expand(const CallContext& call, const Expand& request) const {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Object object, txn->get(all, memory_key(request.memory_id)));
  Expanded out;
  HOLDFAST_TRY(out.memory, storage::value_of(memory_noun(), object));
  const Memory& memory = out.memory;
  // Global memory follows its actor; everything else is seen from its own container, by tokens
  // that reach it.
  const bool own = memory.visibility == Scope::kGlobal && memory.actor_ref &&
                   memory.actor_ref == request.actor_ref;
  const bool here = canonical_container(request.container_ref) == memory.container_ref &&
                    may_reach(access, memory.container_ref);
  if (!own && !here) return not_found(memory_noun().kind, request.memory_id);
  for (const Evidence& evidence : memory.evidence) {
    const auto stored = txn->get(all, item_key(evidence.source_item_id));
    if (!stored) continue;
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), *stored));
    out.items.push_back(std::move(item));
  }
  std::ranges::stable_sort(out.items, [](const Item& a, const Item& b) {
    return moment_of(a.about) < moment_of(b.about);
  });
  return out;
}

Result<Flagged> MemoryService::flag(const CallContext& call, const FlagMemory& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  return storage::write_returning<Flagged>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<Flagged> {
        HOLDFAST_TRY(const Object object, txn.get(all, memory_key(request.memory_id)));
        HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
        if (!may_reach(access, memory.container_ref))
          return not_found(memory_noun().kind, request.memory_id);
        MemoryWriter writer(txn, all);
        const Flag flag{.reason = request.reason,
                        .source_ref = request.source_ref,
                        .immediate = request.immediate,
                        .at = txn.now()};
        if (add_flag(memory, flag)) {
          const bool falls = memory.lifecycle == "active" && is_refuted(memory, flag, txn.now());
          if (falls) {
            memory.lifecycle = "suppressed";
            memory.suppressed_at = txn.now();
          }
          HOLDFAST_CHECK_OK(writer.save(memory));
          if (falls) HOLDFAST_CHECK_OK(writer.mourn(memory));
        }
        return Flagged{.memory_id = memory.id,
                       .flag_count = flag_count(memory),
                       .unique_sources = flag_sources(memory, txn.now()),
                       .suppressed = memory.lifecycle == "suppressed"};
      });
}

}  // namespace holdfast::service::recall
