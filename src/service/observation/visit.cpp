#include "service/observation/visit.h"

#include <algorithm>
#include <chrono>

#include "access/compartments.h"
#include "base/sorted.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

using access::closed_compartment;
using access::SpaceAccess;

constexpr size_t kMembershipsPerPage = 1000;

// The private workspaces that the principal belongs to, as compartments.
Status add_memberships(const CallContext& call, storage::ReadTxn& txn,
                       const SpaceAccess& everything, std::vector<std::string>& compartments) {
  storage::Scan scan{.kind = member_noun().kind,
                     .equal = Facet::of(std::string(facet::kClosedMember), call.principal.value),
                     .limit = kMembershipsPerPage};
  while (true) {
    HOLDFAST_TRY(const storage::Page page, txn.scan(everything, scan));
    for (const Object& object : page.objects) {
      HOLDFAST_TRY(const Member member, storage::value_of(member_noun(), object));
      compartments.push_back(closed_compartment(member.workspace_id));
    }
    if (!page.next) return {};
    scan.after = page.next;
  }
}

bool holds(const Member& member, std::string_view permission) {
  return std::ranges::find(member.permissions, permission) != member.permissions.end();
}

}  // namespace

Result<Visit> Visit::begin(const CallContext& call, storage::ReadTxn& txn,
                           const access::Gatekeeper& gatekeeper) {
  // Scopes were judged by the route; what is asked here is whether the space exists.
  CallContext seen = call;
  seen.scopes = {"admin"};
  SpaceAccess everything = gatekeeper.engine_access(call.viewer.space);
  if (call.trust_tier >= kAdministrator) {
    seen.viewer.every_owner = true;
  } else {
    auto& compartments = seen.viewer.compartments;
    if (!compartments) compartments = {std::string(access::kEveryOpenCompartment)};
    HOLDFAST_CHECK_OK(add_memberships(call, txn, everything, *compartments));
  }
  HOLDFAST_TRY(auto eyes, gatekeeper.require(seen, access::Permission::kWrite));
  return Visit(call, txn, std::move(eyes), std::move(everything));
}

Result<const Workspace*> Visit::workspace(const std::string& id) {
  auto known = workspaces_.find(id);
  if (known == workspaces_.end()) {
    HOLDFAST_TRY(auto found, find(workspace_noun(), id));
    known = workspaces_.emplace(id, std::move(found)).first;
  }
  return known->second ? &*known->second : nullptr;
}

Result<const Member*> Visit::membership(const Workspace& workspace) {
  const std::string id = member_id(workspace.id, call_->principal.value);
  auto known = members_.find(id);
  if (known == members_.end()) {
    HOLDFAST_TRY(auto found, find(member_noun(), id));
    known = members_.emplace(id, std::move(found)).first;
  }
  return known->second ? &*known->second : nullptr;
}

Result<bool> Visit::is_slug_taken(const std::string& kind, const std::string& slug) const {
  HOLDFAST_TRY(
      const auto page,
      txn_->scan(everything_,
                 {.kind = kind, .equal = Facet::of(std::string(facet::kSlug), slug), .limit = 1}));
  return !page.objects.empty();
}

Result<bool> Visit::may_read(const Workspace& workspace) {
  if (is_administrator() || workspace.visibility == WorkspaceVisibility::kInternal) return true;
  HOLDFAST_TRY(const auto* member, membership(workspace));
  return member != nullptr;
}

Result<bool> Visit::may_write(const Workspace& workspace) {
  if (is_administrator()) return true;
  HOLDFAST_TRY(const auto* member, membership(workspace));
  return member != nullptr && (member->role != Role::kViewer || holds(*member, "write"));
}

Result<bool> Visit::may_administer(const Workspace& workspace) {
  if (is_administrator()) return true;
  HOLDFAST_TRY(const auto* member, membership(workspace));
  return member != nullptr && (member->role == Role::kAdmin || holds(*member, "admin"));
}

Result<Workspace> Visit::readable_workspace(const std::string& id) {
  HOLDFAST_TRY(const auto* found, workspace(id));
  if (found == nullptr) return not_found("workspace", id);
  HOLDFAST_TRY(const bool readable, may_read(*found));
  if (!readable) return not_found("workspace", id);
  return *found;
}

// The same rule three times, with fewer and fewer rights: what it refuses first is what is missing.
Status Visit::pass(const Label& label, const Error& not_there) const {
  Viewer viewer = eyes_.viewer();
  const auto scope = viewer.compartments;
  viewer.clearance = Sensitivity::kSensitive;
  if (viewer.compartments) viewer.compartments->emplace_back(access::kEveryOpenCompartment);
  if (!access::may_see(viewer, label)) return not_there;
  viewer.compartments = scope;
  if (!access::may_see(viewer, label)) {
    return denied(reason::kSubcortexDenied,
                  "This touches a subcortex outside the scope of this token.");
  }
  if (!eyes_.may_see(label))
    return denied(reason::kClearance, "This needs clearance for sensitive content.");
  return {};
}

bool Visit::is_in_scope(const std::string& slug) const {
  return access::may_see({.space = eyes_.space(),
                          .clearance = Sensitivity::kSensitive,
                          .compartments = call_->viewer.compartments},
                         {.compartments = {slug}});
}

Result<Mutation> Mutation::begin(const CallContext& call, storage::WriteTxn& txn,
                                 const access::Gatekeeper& gatekeeper) {
  HOLDFAST_TRY(Visit visit, Visit::begin(call, txn, gatekeeper));
  return Mutation(std::move(visit), txn);
}

Timestamp Mutation::now() const {
  return std::chrono::floor<std::chrono::milliseconds>(write_->now());
}

Label label_in(const Workspace& workspace, Sensitivity sensitivity,
               std::vector<std::string> subcortexes) {
  if (workspace.visibility == WorkspaceVisibility::kPrivate)
    subcortexes.push_back(closed_compartment(workspace.id));
  sort_once(subcortexes);
  return {.sensitivity = sensitivity,
          .container = workspace.id,
          .compartments = std::move(subcortexes)};
}

}  // namespace holdfast::service::observation
