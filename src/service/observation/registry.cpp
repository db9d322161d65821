#include "service/observation/registry.h"

#include "base/sorted.h"
#include "service/observation/observation.h"

namespace holdfast {

using service::observation::Citation;
using service::observation::WorkspaceSettings;

template <>
const Codec<WorkspaceSettings>& codec_of() {
  static const Codec<WorkspaceSettings> codec =
      Codec<WorkspaceSettings>()
          .field("default_sensitivity", &WorkspaceSettings::default_sensitivity)
          .field("max_attachment_size_mb", &WorkspaceSettings::max_attachment_size_mb)
          .field("code_link_policy", &WorkspaceSettings::code_link_policy);
  return codec;
}

template <>
const Codec<Citation>& codec_of() {
  static const Codec<Citation> codec = Codec<Citation>()
                                           .field("type", &Citation::type)
                                           .field("ref", &Citation::ref)
                                           .field("note", &Citation::note)
                                           .field("at", &Citation::at);
  return codec;
}

namespace service::observation {
namespace {

void add_text(Projection& projection, std::string_view name, std::string text) {
  projection.facets.push_back(Facet::of(std::string(name), std::move(text)));
}

void add_citations(Projection& projection, const std::vector<std::string>& observations) {
  for (const std::string& id : observations) {
    projection.links.push_back({.relation = std::string(relation::kCites),
                                .target = {.kind = "observation", .id = id},
                                .provenance = "declared"});
  }
}

Projection project_workspace(const Workspace& workspace) {
  Projection out;
  add_text(out, facet::kSlug, workspace.slug);
  out.text = {.title = workspace.name, .ids = {workspace.slug}, .at = workspace.created_at};
  return out;
}

Projection project_member(const Member& member) {
  Projection out;
  if (member.closed) add_text(out, facet::kClosedMember, member.principal_id);
  return out;
}

Projection project_subcortex(const Subcortex& subcortex) {
  Projection out;
  add_text(out, facet::kSlug, subcortex.workspace_id + "/" + subcortex.slug);
  out.text = {.title = subcortex.name, .ids = {subcortex.slug}, .at = subcortex.created_at};
  return out;
}

Projection project_thread(const Thread& thread) {
  Projection out;
  add_text(out, facet::kSubcortex, thread.subcortex_id);
  add_citations(out, cited_observations(thread.citations, thread.linked_observation_ids));
  out.text = {.title = thread.title, .body = thread.body_md, .at = thread.created_at};
  return out;
}

Projection project_comment(const Comment& comment) {
  Projection out;
  add_text(out, shared_facet::kThread, comment.thread_id);
  add_citations(out, cited_observations(comment.citations));
  out.text = {.body = comment.body_md, .at = comment.created_at};
  return out;
}

Projection project_artifact(const Artifact& artifact) {
  Projection out;
  add_text(out, facet::kSubcortex, artifact.subcortex_id);
  add_citations(out, cited_observations(artifact.evidence_links));
  out.text = {.title = artifact.title, .body = artifact.body_md, .at = artifact.created_at};
  return out;
}

Projection project_task(const Task& task) {
  Projection out;
  add_text(out, shared_facet::kTask, task.id);
  out.text = {.title = task.title, .body = task.description_md, .at = task.created_at};
  return out;
}

template <typename T>
Projection project_nothing(const T&) {
  return {};
}

template <typename T>
Codec<T> made_by(Codec<T> codec) {
  return std::move(codec).field("created_by", &T::created_by).field("created_at", &T::created_at);
}

}  // namespace

std::vector<std::string> cited_observations(const std::vector<Citation>& citations,
                                            const std::vector<std::string>& more) {
  std::vector<std::string> ids = more;
  for (const Citation& citation : citations) {
    if (citation.type == "observation") ids.push_back(citation.ref);
  }
  sort_once(ids);
  return ids;
}

const Noun<Workspace>& workspace_noun() {
  static const Codec<Workspace> codec = Codec<Workspace>()
                                            .field("id", &Workspace::id)
                                            .field("slug", &Workspace::slug)
                                            .field("name", &Workspace::name)
                                            .field("visibility", &Workspace::visibility)
                                            .field("settings", &Workspace::settings)
                                            .field("owner_id", &Workspace::owner_id)
                                            .field("created_at", &Workspace::created_at);
  static const Noun<Workspace> noun{
      .kind = "workspace", .codec = codec, .project = project_workspace};
  return noun;
}

const Noun<Member>& member_noun() {
  static const Codec<Member> codec = Codec<Member>()
                                         .field("workspace_id", &Member::workspace_id)
                                         .field("principal_id", &Member::principal_id)
                                         .field("role", &Member::role)
                                         .field("permissions", &Member::permissions)
                                         .field("closed", &Member::closed);
  static const Noun<Member> noun{
      .kind = "workspace_member", .codec = codec, .project = project_member};
  return noun;
}

const Noun<Repositories>& repositories_noun() {
  static const Codec<Repositories> codec = Codec<Repositories>()
                                               .field("workspace_id", &Repositories::workspace_id)
                                               .field("repos", &Repositories::repos);
  static const Noun<Repositories> noun{
      .kind = "workspace_repositories", .codec = codec, .project = project_nothing<Repositories>};
  return noun;
}

const Noun<Subcortex>& subcortex_noun() {
  static const Codec<Subcortex> codec = made_by(Codec<Subcortex>()
                                                    .field("id", &Subcortex::id)
                                                    .field("slug", &Subcortex::slug)
                                                    .field("workspace_id", &Subcortex::workspace_id)
                                                    .field("name", &Subcortex::name)
                                                    .field("status", &Subcortex::status)
                                                    .field("sensitivity", &Subcortex::sensitivity));
  static const Noun<Subcortex> noun{
      .kind = "subcortex", .codec = codec, .project = project_subcortex};
  return noun;
}

const Noun<Thread>& thread_noun() {
  static const Codec<Thread> codec =
      made_by(Codec<Thread>()
                  .field("id", &Thread::id)
                  .field("workspace_id", &Thread::workspace_id)
                  .field("subcortex_id", &Thread::subcortex_id)
                  .field("type", &Thread::type)
                  .field("title", &Thread::title)
                  .field("body_md", &Thread::body_md)
                  .field("status", &Thread::status)
                  .field("sensitivity", &Thread::sensitivity)
                  .field("linked_observation_ids", &Thread::linked_observation_ids)
                  .field("citations", &Thread::citations)
                  .field("updated_at", &Thread::updated_at));
  static const Noun<Thread> noun{.kind = "thread", .codec = codec, .project = project_thread};
  return noun;
}

const Noun<Comment>& comment_noun() {
  static const Codec<Comment> codec = made_by(Codec<Comment>()
                                                  .field("id", &Comment::id)
                                                  .field("thread_id", &Comment::thread_id)
                                                  .field("parent_id", &Comment::parent_id)
                                                  .field("body_md", &Comment::body_md)
                                                  .field("citations", &Comment::citations));
  static const Noun<Comment> noun{.kind = "comment", .codec = codec, .project = project_comment};
  return noun;
}

const Noun<Artifact>& artifact_noun() {
  static const Codec<Artifact> codec =
      made_by(Codec<Artifact>()
                  .field("id", &Artifact::id)
                  .field("workspace_id", &Artifact::workspace_id)
                  .field("subcortex_id", &Artifact::subcortex_id)
                  .field("type", &Artifact::type)
                  .field("title", &Artifact::title)
                  .field("body_md", &Artifact::body_md)
                  .field("evidence_links", &Artifact::evidence_links)
                  .field("updated_at", &Artifact::updated_at));
  static const Noun<Artifact> noun{.kind = "artifact", .codec = codec, .project = project_artifact};
  return noun;
}

// "task" is the kind of tasks of the continuity surface.
const Noun<Task>& task_noun() {
  static const Codec<Task> codec = made_by(Codec<Task>()
                                               .field("id", &Task::id)
                                               .field("workspace_id", &Task::workspace_id)
                                               .field("subcortex_id", &Task::subcortex_id)
                                               .field("title", &Task::title)
                                               .field("description_md", &Task::description_md)
                                               .field("status", &Task::status));
  static const Noun<Task> noun{.kind = "workspace_task", .codec = codec, .project = project_task};
  return noun;
}

const Noun<Attachment>& attachment_noun() {
  static const Codec<Attachment> codec =
      made_by(Codec<Attachment>()
                  .field("id", &Attachment::id)
                  .field("workspace_id", &Attachment::workspace_id)
                  .field("filename", &Attachment::filename)
                  .field("content_type", &Attachment::content_type)
                  .field("size_bytes", &Attachment::size_bytes)
                  .field("ready", &Attachment::ready)
                  .field("blob_id", &Attachment::blob_id)
                  .field("sha256", &Attachment::sha256)
                  .field("expires_at", &Attachment::expires_at));
  static const Noun<Attachment> noun{
      .kind = "attachment", .codec = codec, .project = project_nothing<Attachment>};
  return noun;
}

}  // namespace service::observation
}  // namespace holdfast
