// Turns that somebody wants forgotten.
#include "service/recall/erasure.h"
#include "service/recall/forgotten.h"
#include "service/recall/ingest_service.h"
#include "service/recall/source_service.h"
#include "storage/typed.h"

namespace holdfast::service::recall {

using access::SpaceAccess;
using storage::WriteTxn;

namespace {
constexpr size_t kItemsPage = 100;
}

// False: it was forgotten before.
Result<bool> SourceService::forget_one(WriteTxn& txn, const SpaceAccess& access,
                                       const ForgetSource& request) const {
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  const std::string& id = *request.source_item_id;
  const auto asked_here = [&](const Text& container) {
    return may_reach(access, container) &&
           (!request.container_ref || canonical_container(*request.container_ref) == container);
  };
  const auto item = read_item(txn, all, id);
  if (!item && item.error().code == ErrorCode::kNotFound) {
    const auto gone = txn.get(all, forgotten_key(id));
    if (!gone) return not_found(item_noun().kind, id);
    HOLDFAST_TRY(const Forgotten mark, storage::value_of(forgotten_noun(), *gone));
    if (asked_here(mark.container_ref)) return false;
    return not_found(item_noun().kind, id);
  }
  if (!item) return item.error();
  // What backs a statement goes with the statement.
  if (item->by_hand || !asked_here(item->about.container_ref))
    return not_found(item_noun().kind, id);
  HOLDFAST_CHECK_OK(Erasure(txn, all).forget(*item));
  return true;
}

Status SourceService::forget_scope(WriteTxn& txn, const SpaceAccess& access,
                                   ForgotSource& out) const {
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  const std::string container = canonical_container(*out.request.container_ref);
  const Text& thread = out.request.thread_ref;
  const Facet scope = thread
                          ? Facet::of(std::string(facet::kThread), thread_facet(container, *thread))
                          : Facet::of(std::string(shared_facet::kContainer), container);
  storage::Scan scan{.kind = item_noun().kind, .equal = scope, .limit = kItemsPage};
  Erasure erasure(txn, all);
  for (bool more = true; more;) {
    HOLDFAST_TRY(const auto page, txn.scan(all, scan));
    for (const Object& object : page.objects) {
      HOLDFAST_TRY(const Item item, storage::value_of(item_noun(), object));
      const bool foreign =
          item.about.visibility == Scope::kGlobal && item.about.actor_ref != out.request.actor_ref;
      if (foreign) continue;
      HOLDFAST_CHECK_OK(erasure.forget(item));
      ++out.count;
    }
    scan.after = page.next;
    out.has_more = page.next.has_value();
    more = out.has_more && out.count < static_cast<int64_t>(kMostForgotten);
  }
  return {};
}

Result<ForgotSource> SourceService::forget(const CallContext& call, const ForgetSource& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, access::Permission::kWrite));
  if (!request.source_item_id && !may_reach(access, canonical_container(*request.container_ref)))
    return Error{.code = ErrorCode::kPermissionDenied,
                 .message = "This token does not reach that container."};
  return storage::write_returning<ForgotSource>(
      store_, call, [&](WriteTxn& txn) -> Result<ForgotSource> {
        ForgotSource out{.request = request};
        if (request.source_item_id) {
          HOLDFAST_TRY(const bool fresh, forget_one(txn, access, request));
          out.count = fresh ? 1 : 0;
        } else {
          HOLDFAST_CHECK_OK(forget_scope(txn, access, out));
        }
        return out;
      });
}

}  // namespace holdfast::service::recall
