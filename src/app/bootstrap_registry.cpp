#include "app/bootstrap_registry.h"

#include <chrono>

#include "surface/observations/observation_schemas.h"
#include "surface/observations/registry_schemas.h"

namespace holdfast::app {
namespace {

namespace observation = service::observation;
using wire::each;
using wire::length;
using wire::Schema;

struct StatsForm {
  int64_t view_count = 0;
};

struct SeedForm {
  std::string id = {};
  std::string created_by_id = {};
  std::optional<Timestamp> created_at = {};
  StatsForm stats = {};
};

Schema<SeedForm> seed_form() {
  return Schema<SeedForm>()
      .required("id", &SeedForm::id, length(1, 80))
      .required("created_by_id", &SeedForm::created_by_id, length(1, 80))
      .optional("created_at", &SeedForm::created_at)
      .optional(
          "stats", &SeedForm::stats,
          Schema<StatsForm>().optional("view_count", &StatsForm::view_count, wire::at_least(0)))
      .ignore_unknown();
}

Schema<observation::Member> member_form() {
  return Schema<observation::Member>()
      .required("principal_id", &observation::Member::principal_id, length(1, 80))
      .optional("role", &observation::Member::role)
      .optional("permissions", &observation::Member::permissions,
                each(wire::one_of({"read", "write", "review", "admin"})));
}

}  // namespace

Schema<WorkspaceForm> workspace_form() {
  return Schema<WorkspaceForm>()
      .required("id", &WorkspaceForm::id, length(1, 80))
      .required("slug", &WorkspaceForm::slug, surface::observations::field::slug())
      .required("name", &WorkspaceForm::name, length(1, 100))
      .optional("visibility", &WorkspaceForm::visibility)
      .optional("settings", &WorkspaceForm::settings, surface::observations::settings_schema())
      .optional("owner_id", &WorkspaceForm::owner_id)
      .optional("members", &WorkspaceForm::members, each(member_form()))
      .optional("repos", &WorkspaceForm::repos, each(length(1, 200)));
}

Schema<observation::Subcortex> subcortex_form() {
  return Schema<observation::Subcortex>()
      .required("id", &observation::Subcortex::id, length(1, 80))
      .required("slug", &observation::Subcortex::slug, surface::observations::field::slug())
      .required("workspace_id", &observation::Subcortex::workspace_id)
      .required("name", &observation::Subcortex::name, length(1, 100))
      .optional("status", &observation::Subcortex::status)
      .optional("sensitivity", &observation::Subcortex::sensitivity);
}

Schema<observation::Thread> thread_form() {
  return Schema<observation::Thread>()
      .required("id", &observation::Thread::id, length(1, 80))
      .required("subcortex_id", &observation::Thread::subcortex_id)
      .required("title", &observation::Thread::title, length(1, 300))
      .optional("status", &observation::Thread::status)
      .optional("sensitivity", &observation::Thread::sensitivity)
      .optional("created_by_id", &observation::Thread::created_by);
}

Schema<observation::Task> task_form() {
  return Schema<observation::Task>()
      .required("id", &observation::Task::id, length(1, 80))
      .required("workspace_id", &observation::Task::workspace_id)
      .optional("subcortex_id", &observation::Task::subcortex_id)
      .required("title", &observation::Task::title, length(1, 300))
      .optional("status", &observation::Task::status, length(1, 50));
}

observation::SeededWorkspace workspace_of(const WorkspaceForm& form) {
  return {.workspace = {.id = form.id,
                        .slug = form.slug,
                        .name = form.name,
                        .visibility = form.visibility,
                        .settings = form.settings,
                        .owner_id = form.owner_id},
          .members = form.members,
          .repos = form.repos};
}

Result<observation::SeededObservation> observation_of(const Value& value, Timestamp now) {
  HOLDFAST_TRY(const SeedForm seed, seed_form().read_body(value, {.now = now}));
  Value rest = value;
  std::erase_if(*rest.if_object(), [](const Value::Member& member) {
    return member.name == "id" || member.name == "created_by_id" || member.name == "created_at" ||
           member.name == "stats";
  });
  HOLDFAST_TRY(observation::Draft draft, surface::observations::draft_schema().read_body(rest, {}));
  surface::observations::drop_repeated(draft.tags);
  draft.id = seed.id;
  draft.sensitivity = draft.wanted_sensitivity.value_or(Sensitivity::kNormal);
  draft.created_by = seed.created_by_id;
  if (seed.created_at)
    draft.created_at = std::chrono::floor<std::chrono::milliseconds>(*seed.created_at);
  draft.updated_at = draft.created_at;
  for (const std::string& id : draft.attachment_ids) draft.attachments.push_back({.id = id});
  const bool inherits = !draft.wanted_sensitivity;
  return observation::SeededObservation{.observation = std::move(draft),
                                        .views = seed.stats.view_count,
                                        .inherits_sensitivity = inherits};
}

}  // namespace holdfast::app
