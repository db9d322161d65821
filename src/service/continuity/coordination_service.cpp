#include "service/continuity/coordination_service.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/time_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
Status check_identities(const Request& request, std::initializer_list<const char*> members,
                        const char* without, const char* foreign) {
  if (is_admin(request.call)) return {};
  const std::string peer = peer_of(request.call);
  bool own = false;
  bool other = false;
  for (const char* name : members) {
    const std::string named = request.text(name);
    own = own || named == peer;
    other = other || (!named.empty() && named != peer);
  }
  if (!own) return denied(without);
  if (other) return denied(foreign);
  return {};
}

Result<Value> CoordinationService::write(const Request& request, const Closure& closure) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) { return closure(txn, access); });
}

Result<Value> CoordinationService::query(const Request& request, const Artefact& artefact,
                                         const char* list,
                                         const std::vector<Query>& filters) const {
  using search::SortKey;
  search::ListRequest wanted{
      .sort = {{.by = SortKey::By::kNumberFacet, .facet = facet::kWorkUpdated},
               {.by = SortKey::By::kTextFacet, .facet = facet::kItem, .descending = false}},
      .limit = static_cast<size_t>(integer_of(request.args, "limit", 20)),
      .offset = static_cast<size_t>(integer_of(request.args, "offset", 0))};
  for (const Query& filter : filters) {
    if (const std::string text = request.text(filter.member); !text.empty())
      wanted.filter.facets.push_back(has(filter.facet, text));
  }
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const DocumentPage page,
               list_documents(*txn, access, index_, artefact.noun, wanted));
  Value warnings = Value::array();
  if (!page.unreadable.empty()) warnings.push(artefact.skipped);
  return Value::object({{"ok", true},
                        {"count", page.documents.size()},
                        {"total_matches", page.total},
                        {"warnings", std::move(warnings)},
                        {list, Value::array_of(page.documents)}});
}

namespace {

Result<Value> read_one(storage::Store& store, const access::Gatekeeper& gatekeeper,
                       const Request& request, const Artefact& artefact, const char* member) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper, request.call));
  HOLDFAST_TRY(const auto txn, store.begin_read(request.call.deadline));
  const std::string id = request.text(artefact.id_member);
  HOLDFAST_TRY(const Value body, require_artefact(*txn, access, artefact, id));
  if (!is_visible(request.call, body)) return denied(artefact.hidden);
  return Value::object({{"ok", true}, {member, body}, {"path", artefact_path(artefact, id)}});
}

}  // namespace

Result<Value> CoordinationService::read_handoff(const Request& request) {
  if (!check_artefact_id(handoff_artefact(), request.text("handoff_id")))
    return absent(handoff_artefact().missing);
  return read_one(store_, gatekeeper_, request, handoff_artefact(), "handoff");
}
Result<Value> CoordinationService::read_shared(const Request& request) {
  return read_one(store_, gatekeeper_, request, shared_artefact(), "shared");
}
Result<Value> CoordinationService::read_reconciliation(const Request& request) {
  return read_one(store_, gatekeeper_, request, reconciliation_artefact(), "reconciliation");
}

Result<Value> CoordinationService::query_reconciliations(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  const std::vector<Query> filters = {
      {facet::kOwnerPeer, "owner_peer"}, {facet::kSender, "claimant_peer"},
      {facet::kStatus, "status"},        {facet::kClass, "classification"},
      {shared_facet::kTask, "task_id"},  {shared_facet::kThread, "thread_id"}};
  const auto given = [&](const Query& one) { return !request.text(one.member).empty(); };
  if (std::ranges::none_of(filters, given))
    return bad_request("At least one reconciliation query filter is required");
  constexpr const char* kForeign =
      "Non-admin callers may query only their own reconciliation identity";
  HOLDFAST_CHECK_OK(check_identities(request, {"owner_peer", "claimant_peer"}, kForeign, kForeign));
  return query(request, reconciliation_artefact(), "reconciliations", filters);
}

}  // namespace holdfast::service::continuity
