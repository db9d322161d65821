#include "service/observation/registry_service.h"

#include "service/observation/failure.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

constexpr int kMayActivate = 3;  // tier

Error duplicate(std::string message) {
  return Error{.code = ErrorCode::kAlreadyExists,
               .reason = std::string(reason::kDuplicate),
               .message = std::move(message)};
}

Error archived_subcortex() {
  return Error{.code = ErrorCode::kConflict,
               .reason = std::string(reason::kSubcortexInactive),
               .message = "This subcortex is archived."};
}

}  // namespace

Label RegistryService::Ground::label(Sensitivity sensitivity) const {
  return label_in(
      workspace, sensitivity,
      subcortex ? std::vector<std::string>{subcortex->slug} : std::vector<std::string>{});
}

Result<RegistryService::Ground> RegistryService::ground(
    Mutation& mutation, const std::string& workspace, const std::optional<std::string>& subcortex) {
  Ground ground;
  if (subcortex) {
    HOLDFAST_TRY(ground.subcortex, mutation.find(subcortex_noun(), *subcortex));
  }
  const Error no_subcortex = bad_reference("subcortex_id", "There is no such subcortex here.");
  if (workspace.empty() && !ground.subcortex) return no_subcortex;
  // The workspace first: whoever may not write there learns nothing of what is in it.
  const std::string& home = workspace.empty() ? ground.subcortex->workspace_id : workspace;
  HOLDFAST_TRY(const auto* found, mutation.workspace(home));
  if (found == nullptr) return bad_reference("workspace_id", "There is no such workspace.");
  HOLDFAST_TRY(const bool writable, mutation.may_write(*found));
  if (!writable) return forbidden("You may not write in this workspace.");
  ground.workspace = *found;
  if (!subcortex) return ground;
  if (!ground.subcortex || ground.subcortex->workspace_id != home) return no_subcortex;
  if (!mutation.is_in_scope(ground.subcortex->slug)) {
    return denied(reason::kSubcortexDenied, "This subcortex is outside the scope of this token.");
  }
  if (ground.subcortex->status == SubcortexStatus::kArchived) return archived_subcortex();
  return ground;
}

Result<Object> RegistryService::find_visible(Visit& visit, const ObjectKey& key) {
  const Error missing = not_found(key.kind, key.id);
  auto object = visit.txn().get(visit.everything(), key);
  if (!object && object.error().code == ErrorCode::kNotFound) return missing;
  if (!object) return object;
  HOLDFAST_CHECK_OK(visit.pass(object->label, missing));
  return object;
}

Status RegistryService::check_unique(Mutation& mutation, const std::string& kind,
                                     const std::string& slug) const {
  HOLDFAST_TRY(const bool taken, mutation.is_slug_taken(kind, slug));
  if (taken) return duplicate("This slug is taken.");
  return {};
}

Result<Workspace> RegistryService::create(Mutation& mutation, Workspace workspace) {
  HOLDFAST_CHECK_OK(check_unique(mutation, workspace_noun().kind, workspace.slug));
  workspace.id = "workspace_" + parts_.ids.next();
  workspace.owner_id = mutation.call().principal.value;
  workspace.created_at = mutation.now();
  const Label label = label_in(workspace, Sensitivity::kNormal, {});
  HOLDFAST_CHECK_OK(mutation.put(workspace_noun(), workspace.id, workspace, label));
  const Member owner{.workspace_id = workspace.id,
                     .principal_id = workspace.owner_id,
                     .role = Role::kAdmin,
                     .closed = workspace.visibility == WorkspaceVisibility::kPrivate};
  HOLDFAST_CHECK_OK(
      mutation.put(member_noun(), member_id(workspace.id, owner.principal_id), owner, label));
  return workspace;
}

Result<Member> RegistryService::add(Mutation& mutation, Member member) {
  HOLDFAST_TRY(const Workspace workspace, mutation.readable_workspace(member.workspace_id));
  HOLDFAST_TRY(const bool allowed, mutation.may_administer(workspace));
  if (!allowed) return forbidden("Only an admin of this workspace may add members.");
  const auto principal =
      mutation.txn().principal(parts_.gatekeeper.engine_admin(), PrincipalId{member.principal_id});
  if (!principal) return bad_reference("principal_id", "There is no such principal.");
  const std::string id = member_id(workspace.id, member.principal_id);
  HOLDFAST_TRY(const auto known, mutation.find(member_noun(), id));
  if (known) return duplicate("This principal is a member already.");
  member.closed = workspace.visibility == WorkspaceVisibility::kPrivate;
  HOLDFAST_CHECK_OK(
      mutation.put(member_noun(), id, member, label_in(workspace, Sensitivity::kNormal, {})));
  return member;
}

Result<Repositories> RegistryService::put(Mutation& mutation, Repositories repositories) {
  HOLDFAST_TRY(const Workspace workspace, mutation.readable_workspace(repositories.workspace_id));
  HOLDFAST_TRY(const bool allowed, mutation.may_administer(workspace));
  if (!allowed) return forbidden("Only an admin of this workspace may register repositories.");
  HOLDFAST_CHECK_OK(mutation.put(repositories_noun(), workspace.id, repositories,
                                 label_in(workspace, Sensitivity::kNormal, {})));
  return repositories;
}

Result<Subcortex> RegistryService::create(Mutation& mutation, Subcortex subcortex) {
  const int tier = mutation.call().trust_tier;
  if (subcortex.status == SubcortexStatus::kActive && tier < kMayActivate)
    return tier_required(kMayActivate, tier);
  HOLDFAST_TRY(const Ground here, ground(mutation, subcortex.workspace_id, std::nullopt));
  HOLDFAST_CHECK_OK(
      check_unique(mutation, subcortex_noun().kind, subcortex.workspace_id + "/" + subcortex.slug));
  subcortex.id = "subcortex_" + parts_.ids.next();
  subcortex.created_by = mutation.call().principal.value;
  subcortex.created_at = mutation.now();
  HOLDFAST_CHECK_OK(mutation.put(subcortex_noun(), subcortex.id, subcortex,
                                 label_in(here.workspace, Sensitivity::kNormal, {subcortex.slug})));
  return subcortex;
}

Result<Subcortex> RegistryService::archive_subcortex(Mutation& mutation, const std::string& id) {
  HOLDFAST_TRY(const Object object,
               find_visible(mutation, {.kind = subcortex_noun().kind, .id = id}));
  HOLDFAST_TRY(Subcortex subcortex, storage::value_of(subcortex_noun(), object));
  HOLDFAST_TRY(const Workspace workspace, mutation.readable_workspace(subcortex.workspace_id));
  HOLDFAST_TRY(const bool writable, mutation.may_write(workspace));
  if (!writable) return forbidden("You may not write in this workspace.");
  subcortex.status = SubcortexStatus::kArchived;
  HOLDFAST_CHECK_OK(mutation.put(subcortex_noun(), id, subcortex, object.label));
  return subcortex;
}

Result<Task> RegistryService::create(Mutation& mutation, Task task) {
  HOLDFAST_TRY(const Ground here, ground(mutation, task.workspace_id, task.subcortex_id));
  task.id = "task_" + parts_.ids.next();
  task.created_by = mutation.call().principal.value;
  task.created_at = mutation.now();
  HOLDFAST_CHECK_OK(mutation.put(task_noun(), task.id, task, here.label(Sensitivity::kNormal)));
  return task;
}

Result<Workspace> RegistryService::workspace(const CallContext& call, const std::string& id) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  return visit.readable_workspace(id);
}

Result<Member> RegistryService::member(const CallContext& call, const std::string& workspace,
                                       const std::string& principal) const {
  return get(call, member_noun(), member_id(workspace, principal));
}

Result<Repositories> RegistryService::repositories(const CallContext& call,
                                                   const std::string& workspace) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  HOLDFAST_CHECK_OK(visit.readable_workspace(workspace));
  HOLDFAST_TRY(auto found, visit.find(repositories_noun(), workspace));
  return found ? std::move(*found) : Repositories{.workspace_id = workspace};
}

}  // namespace holdfast::service::observation
