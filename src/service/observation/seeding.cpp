#include "service/observation/seeding.h"

#include <set>

#include <fmt/format.h>

namespace holdfast::service::observation {
namespace {

Error bad_seed(std::string_view kind, const std::string& id, std::string_view why) {
  return invalid_argument(fmt::format("the {} '{}' {}", kind, id, why));
}

// The mark of a seed that was stored: kept for ever and about no object, so it outlives whatever
// takes the object away.
storage::IdempotencyKey mark_of(const ObjectKey& key) {
  return {.caller = "observations", .operation = "seeded/" + key.kind, .key = key.id};
}

class Seeder {
 public:
  Seeder(Mutation& mutation, const access::Gatekeeper& gatekeeper, ObservationService& observations)
      : mutation_(mutation), gatekeeper_(gatekeeper), observations_(observations) {}

  Status run(const RegistrySeeds& seeds) {
    HOLDFAST_TRY(const JournalPosition position, mutation_.txn().position());
    first_ = position == 0;
    for (const SeededWorkspace& one : seeds.workspaces) HOLDFAST_CHECK_OK(add_workspace(one));
    for (const Subcortex& one : seeds.subcortexes) HOLDFAST_CHECK_OK(add_subcortex(one));
    for (const Thread& one : seeds.threads) HOLDFAST_CHECK_OK(add_thread(one));
    for (const Task& one : seeds.tasks) HOLDFAST_CHECK_OK(add_task(one));
    for (const SeededObservation& one : seeds.observations) HOLDFAST_CHECK_OK(add_observation(one));
    return {};
  }

 private:
  Status once(std::string_view kind, const std::string& id) {
    if (ids_.insert(std::string(kind) + " " + id).second) return {};
    return bad_seed(kind, id, "appears twice");
  }

  // Of those that are there already; those of the file are compared with each other.
  Status check_slug(const std::string& kind, const std::string& id, const std::string& slug) {
    HOLDFAST_TRY(const bool taken, mutation_.is_slug_taken(kind, slug));
    if (!taken) return {};
    return bad_seed(kind, id, fmt::format("has the slug '{}', which is taken", slug));
  }

  Status need_principal(std::string_view kind, const std::string& id,
                        const std::string& principal) {
    if (principal.empty()) return {};
    const auto found =
        mutation_.txn().principal(gatekeeper_.engine_admin(), PrincipalId{principal});
    if (found) return {};
    return bad_seed(kind, id,
                    fmt::format("names the principal '{}', which does not exist", principal));
  }

  // Also what was deleted or erased since: it does not come back. Before the first write nothing is
  // known.
  Result<bool> is_known(const ObjectKey& key) {
    if (first_) return false;
    HOLDFAST_TRY(const auto marked,
                 mutation_.txn().find_idempotency(mutation_.everything(), mark_of(key)));
    if (marked) return true;
    const auto past = mutation_.txn().history(mutation_.everything(), key, 1);
    if (past) {
      HOLDFAST_CHECK_OK(mark(key));
      return true;
    }
    if (past.error().code != ErrorCode::kNotFound) return past.error();
    return false;
  }
  Status mark(const ObjectKey& key) {
    return mutation_.write().put_idempotency(
        mutation_.everything(), {.key = mark_of(key), .created_at = mutation_.write().now()});
  }

  template <typename T>
  Status add(const Noun<T>& noun, const std::string& id, T value, const Label& label) {
    stamp(value);
    HOLDFAST_CHECK_OK(mutation_.put(noun, id, value, label));
    return mark({.kind = noun.kind, .id = id});
  }
  template <typename T>
  void stamp(T& value) {
    if constexpr (requires { value.created_at; }) {
      if (value.created_at == Timestamp{}) value.created_at = mutation_.now();
    }
    if constexpr (requires { value.updated_at; }) {
      if (value.updated_at == Timestamp{}) value.updated_at = mutation_.now();
    }
  }

  Status add_workspace(const SeededWorkspace& seed) {
    const Workspace& workspace = seed.workspace;
    HOLDFAST_CHECK_OK(once("workspace", workspace.id));
    HOLDFAST_CHECK_OK(once("workspace slug", workspace.slug));
    HOLDFAST_CHECK_OK(need_principal("workspace", workspace.id, workspace.owner_id));
    for (const Member& member : seed.members) {
      HOLDFAST_CHECK_OK(need_principal("workspace", workspace.id, member.principal_id));
      HOLDFAST_CHECK_OK(once("member", member_id(workspace.id, member.principal_id)));
    }
    HOLDFAST_TRY(const bool known, is_known({.kind = workspace_noun().kind, .id = workspace.id}));
    if (known) return {};
    HOLDFAST_CHECK_OK(check_slug(workspace_noun().kind, workspace.id, workspace.slug));
    const Label label = label_in(workspace, Sensitivity::kNormal, {});
    HOLDFAST_CHECK_OK(add(workspace_noun(), workspace.id, workspace, label));
    for (Member member : seed.members) {
      member.workspace_id = workspace.id;
      member.closed = workspace.visibility == WorkspaceVisibility::kPrivate;
      HOLDFAST_CHECK_OK(
          add(member_noun(), member_id(workspace.id, member.principal_id), member, label));
    }
    const Repositories repositories{.workspace_id = workspace.id, .repos = seed.repos};
    return add(repositories_noun(), workspace.id, repositories, label);
  }

  Result<Workspace> home(std::string_view kind, const std::string& id,
                         const std::string& workspace) {
    HOLDFAST_TRY(auto found, mutation_.find(workspace_noun(), workspace));
    if (found) return std::move(*found);
    return bad_seed(kind, id,
                    fmt::format("names the workspace '{}', which does not exist", workspace));
  }

  Result<Subcortex> subcortex(std::string_view kind, const std::string& id,
                              const std::string& wanted) {
    HOLDFAST_TRY(auto found, mutation_.find(subcortex_noun(), wanted));
    if (found) return std::move(*found);
    return bad_seed(kind, id,
                    fmt::format("names the subcortex '{}', which does not exist", wanted));
  }

  Status add_subcortex(const Subcortex& seed) {
    HOLDFAST_CHECK_OK(once("subcortex", seed.id));
    const std::string slug = seed.workspace_id + "/" + seed.slug;  // as they are looked for
    HOLDFAST_CHECK_OK(once("subcortex slug", slug));
    HOLDFAST_TRY(const bool known, is_known({.kind = subcortex_noun().kind, .id = seed.id}));
    if (known) return {};
    HOLDFAST_TRY(const Workspace workspace, home("subcortex", seed.id, seed.workspace_id));
    HOLDFAST_CHECK_OK(check_slug(subcortex_noun().kind, seed.id, slug));
    return add(subcortex_noun(), seed.id, seed,
               label_in(workspace, Sensitivity::kNormal, {seed.slug}));
  }

  Status add_thread(Thread seed) {
    HOLDFAST_CHECK_OK(once("thread", seed.id));
    HOLDFAST_CHECK_OK(need_principal("thread", seed.id, seed.created_by));
    HOLDFAST_TRY(const bool known, is_known({.kind = thread_noun().kind, .id = seed.id}));
    if (known) return {};
    HOLDFAST_TRY(const Subcortex parent, subcortex("thread", seed.id, seed.subcortex_id));
    HOLDFAST_TRY(const Workspace workspace, home("thread", seed.id, parent.workspace_id));
    seed.workspace_id = workspace.id;
    return add(thread_noun(), seed.id, seed, label_in(workspace, seed.sensitivity, {parent.slug}));
  }

  Status add_task(const Task& seed) {
    HOLDFAST_CHECK_OK(once("task", seed.id));
    HOLDFAST_TRY(const bool known, is_known({.kind = task_noun().kind, .id = seed.id}));
    if (known) return {};
    HOLDFAST_TRY(const Workspace workspace, home("task", seed.id, seed.workspace_id));
    std::vector<std::string> slugs;
    if (seed.subcortex_id) {
      HOLDFAST_TRY(const Subcortex parent, subcortex("task", seed.id, *seed.subcortex_id));
      if (parent.workspace_id != workspace.id)
        return bad_seed("task", seed.id, "names a subcortex of another workspace");
      slugs.push_back(parent.slug);
    }
    return add(task_noun(), seed.id, seed, label_in(workspace, Sensitivity::kNormal, slugs));
  }

  Status add_observation(const SeededObservation& seed) {
    Observation observation = seed.observation;
    HOLDFAST_CHECK_OK(once("observation", observation.id));
    HOLDFAST_CHECK_OK(need_principal("observation", observation.id, observation.created_by));
    HOLDFAST_TRY(const bool known,
                 is_known({.kind = observation_noun().kind, .id = observation.id}));
    if (known) return {};
    stamp(observation);
    const Status added =
        observations_.seed(mutation_, observation, seed.views, seed.inherits_sensitivity);
    if (added) return mark({.kind = observation_noun().kind, .id = observation.id});
    return bad_seed("observation", observation.id, added.error().message);
  }

  Mutation& mutation_;
  const access::Gatekeeper& gatekeeper_;
  ObservationService& observations_;
  std::set<std::string> ids_;
  bool first_ = false;  // the store is empty
};

}  // namespace

Status seed(Mutation& mutation, const access::Gatekeeper& gatekeeper,
            ObservationService& observations, const RegistrySeeds& seeds) {
  return Seeder(mutation, gatekeeper, observations).run(seeds);
}

}  // namespace holdfast::service::observation
