#include "surface/observations/registry_schemas.h"

#include <algorithm>

#include "surface/observations/observation_schemas.h"
#include "surface/observations/schema_words.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their requests

Schema<Citation> citation_schema() {
  return Schema<Citation>()
      .required("type", &Citation::type,
                wire::one_of({"thread", "comment", "artifact", "observation", "url"}))
      .required("ref", &Citation::ref, length(1, 2000), no_controls())
      .optional("note", &Citation::note, wire::max_length(200), no_controls());
}

}  // namespace

Schema<WorkspaceSettings> settings_schema() {
  return Schema<WorkspaceSettings>()
      .optional("default_sensitivity", &WorkspaceSettings::default_sensitivity)
      .optional("max_attachment_size_mb", &WorkspaceSettings::max_attachment_size_mb,
                wire::range(1, 500))
      .optional("code_link_policy", &WorkspaceSettings::code_link_policy);
}

const Schema<Workspace>& workspace_schema() {
  static const Schema<Workspace> schema =
      Schema<Workspace>()
          .required("slug", &Workspace::slug, field::slug())
          .required("name", &Workspace::name, wire::trimmed(), no_controls(), length(1, 100))
          .optional("visibility", &Workspace::visibility)
          .optional("settings", &Workspace::settings, settings_schema())
          .read_only({"id", "owner_id", "created_at"});
  return schema;
}

const Schema<Member>& member_schema() {
  static const Schema<Member> schema =
      Schema<Member>()
          .required("principal_id", &Member::principal_id, field::id())
          .optional("role", &Member::role)
          .optional("permissions", &Member::permissions, items(0, 4),
                    each(wire::one_of({"read", "write", "review", "admin"})));
  return schema;
}

const Schema<Repositories>& repositories_schema() {
  static const Schema<Repositories> schema = Schema<Repositories>().required(
      "repos", &Repositories::repos, items(0, 1000),
      each(length(1, 200), wire::matching("segments joined by /", field::is_repository)));
  return schema;
}

const Schema<Subcortex>& subcortex_schema() {
  static const Schema<Subcortex> schema =
      Schema<Subcortex>()
          .required("slug", &Subcortex::slug, field::slug())
          .required("workspace_id", &Subcortex::workspace_id, field::id())
          .required("name", &Subcortex::name, wire::trimmed(), no_controls(), length(1, 100))
          .optional("status", &Subcortex::status)
          .optional("sensitivity", &Subcortex::sensitivity)
          .read_only({"id", "created_at", "created_by_id"})
          .check([](const Subcortex& subcortex, wire::Checks& checks) {
            if (subcortex.status == SubcortexStatus::kArchived)
              checks.add("status", wire::rule::kOneOf,
                         {{"allowed", "proposed"}, {"allowed", "active"}});
          });
  return schema;
}

const Schema<ThreadBody>& thread_schema() {
  static const Schema<ThreadBody> schema =
      Schema<ThreadBody>()
          .required("subcortex_id", &ThreadBody::subcortex_id, field::id())
          .required("title", &ThreadBody::title, field::title(), length(5, 300))
          .required("body_md", &ThreadBody::body_md, field::markdown(),
                    field::markdown_length(10, 50000), wire::no_echo())
          .optional("type", &ThreadBody::type, length(1, 50), no_controls())
          .optional("sensitivity", &ThreadBody::sensitivity)
          .optional("linked_observation_ids", &ThreadBody::linked_observation_ids, items(0, 50),
                    each(field::id()))
          .optional("citations", &ThreadBody::citations, items(0, 50), each(citation_schema()))
          .read_only({"id", "created_by_id", "created_at", "updated_at"});
  return schema;
}

Thread thread_of(const ThreadBody& body) {
  return {.subcortex_id = body.subcortex_id,
          .type = body.type,
          .title = body.title,
          .body_md = body.body_md,
          .sensitivity = body.sensitivity.value_or(Sensitivity::kNormal),
          .linked_observation_ids = body.linked_observation_ids,
          .citations = body.citations};
}

const Schema<StatusBody>& status_schema() {
  static const Schema<StatusBody> schema =
      Schema<StatusBody>().required("status", &StatusBody::status);
  return schema;
}

const Schema<Comment>& comment_schema() {
  static const Schema<Comment> schema =
      Schema<Comment>()
          .required("body_md", &Comment::body_md, field::markdown(),
                    field::markdown_length(1, 20000), wire::no_echo())
          .optional("parent_id", &Comment::parent_id, field::id())
          .optional("citations", &Comment::citations, items(0, 20), each(citation_schema()))
          .read_only({"id", "created_by_id", "created_at"});
  return schema;
}

const Schema<Artifact>& artifact_schema() {
  static const Schema<Artifact> schema =
      Schema<Artifact>()
          .required("workspace_id", &Artifact::workspace_id, field::id())
          .required("subcortex_id", &Artifact::subcortex_id, field::id())
          .required(
              "type", &Artifact::type,
              wire::one_of({"adr", "runbook", "report", "spec", "postmortem", "glossary", "other"}))
          .required("title", &Artifact::title, field::title(), length(10, 300))
          .required("body_md", &Artifact::body_md, field::markdown(),
                    field::markdown_length(50, 100000), wire::no_echo())
          .optional("evidence_links", &Artifact::evidence_links, items(0, 50),
                    each(citation_schema()))
          .read_only({"id", "created_by_id", "created_at", "updated_at"});
  return schema;
}

const Schema<EvidenceBody>& evidence_schema() {
  static const Schema<EvidenceBody> schema = Schema<EvidenceBody>().required(
      "evidence_links", &EvidenceBody::evidence_links, items(1, 20), each(citation_schema()));
  return schema;
}

const Schema<Task>& task_schema() {
  static const Schema<Task> schema =
      Schema<Task>()
          .required("workspace_id", &Task::workspace_id, field::id())
          .required("title", &Task::title, field::title(), length(5, 300))
          .optional("subcortex_id", &Task::subcortex_id, field::id())
          .optional("description_md", &Task::description_md, field::markdown(),
                    field::markdown_length(0, 20000), wire::no_echo())
          .read_only({"id", "created_by_id", "created_at"});
  return schema;
}

}  // namespace holdfast::surface::observations
