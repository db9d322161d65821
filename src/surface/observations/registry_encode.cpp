// The registry as clients see it.
#include "base/time_text.h"
#include "surface/observations/encode.h"

namespace holdfast::surface::observations {
namespace {

using namespace observation;  // NOLINT(google-build-using-namespace): their encoders

Value citations_value(const std::vector<Citation>& citations) {
  Value list = Value::array();
  for (const Citation& citation : citations) {
    Value entry = Value::object({{"type", citation.type}, {"ref", citation.ref}});
    if (citation.note) entry.set("note", *citation.note);
    list.push(std::move(entry));
  }
  return list;
}

Value settings_value(const WorkspaceSettings& settings) {
  return Value::object(
      {{"default_sensitivity",
        enum_name(settings.default_sensitivity.value_or(Sensitivity::kNormal))},
       {"max_attachment_size_mb", settings.max_attachment_size_mb.value_or(50)},
       {"code_link_policy", enum_name(settings.code_link_policy.value_or(CodeLinkPolicy::kOpen))}});
}

template <typename T>
void add_making(Value& value, const T& made) {
  value.set("created_by_id", made.created_by);
  value.set("created_at", format_millis(made.created_at));
}

}  // namespace

Value scope_value(const std::optional<std::vector<std::string>>& scope) {
  return scope ? Value::array_of(*scope) : Value("*");
}

Value value_of(const PrincipalCard& card) {
  return Value::object({{"id", card.id},
                        {"handle", card.handle},
                        {"display_name", card.display_name},
                        {"kind", card.kind}});
}

Value value_of(const Workspace& workspace) {
  return Value::object({{"id", workspace.id},
                        {"slug", workspace.slug},
                        {"name", workspace.name},
                        {"visibility", enum_name(workspace.visibility)},
                        {"settings", settings_value(workspace.settings)},
                        {"owner_id", workspace.owner_id},
                        {"created_at", format_millis(workspace.created_at)}});
}

Value value_of(const Member& member) {
  return Value::object({{"workspace_id", member.workspace_id},
                        {"principal_id", member.principal_id},
                        {"role", enum_name(member.role)},
                        {"permissions", Value::array_of(member.permissions)}});
}

Value value_of(const Repositories& repositories) {
  return Value::object({{"workspace_id", repositories.workspace_id},
                        {"repos", Value::array_of(repositories.repos)}});
}

Value value_of(const Subcortex& subcortex) {
  Value value = Value::object({{"id", subcortex.id},
                               {"slug", subcortex.slug},
                               {"workspace_id", subcortex.workspace_id},
                               {"name", subcortex.name},
                               {"status", enum_name(subcortex.status)},
                               {"sensitivity", enum_name(subcortex.sensitivity)}});
  add_making(value, subcortex);
  return value;
}

Value value_of(const Thread& thread) {
  Value value =
      Value::object({{"id", thread.id},
                     {"workspace_id", thread.workspace_id},
                     {"subcortex_id", thread.subcortex_id},
                     {"type", thread.type},
                     {"title", thread.title},
                     {"body_md", thread.body_md},
                     {"status", enum_name(thread.status)},
                     {"sensitivity", enum_name(thread.sensitivity)},
                     {"linked_observation_ids", Value::array_of(thread.linked_observation_ids)},
                     {"citations", citations_value(thread.citations)}});
  add_making(value, thread);
  value.set("updated_at", format_millis(thread.updated_at));
  return value;
}

Value value_of(const Comment& comment) {
  Value value = Value::object({{"id", comment.id}, {"thread_id", comment.thread_id}});
  if (comment.parent_id) value.set("parent_id", *comment.parent_id);
  value.set("body_md", comment.body_md);
  value.set("citations", citations_value(comment.citations));
  add_making(value, comment);
  return value;
}

Value value_of(const Artifact& artifact) {
  Value value = Value::object({{"id", artifact.id},
                               {"workspace_id", artifact.workspace_id},
                               {"subcortex_id", artifact.subcortex_id},
                               {"type", artifact.type},
                               {"title", artifact.title},
                               {"body_md", artifact.body_md},
                               {"evidence_links", citations_value(artifact.evidence_links)}});
  add_making(value, artifact);
  value.set("updated_at", format_millis(artifact.updated_at));
  return value;
}

Value value_of(const Task& task) {
  Value value = Value::object({{"id", task.id}, {"workspace_id", task.workspace_id}});
  if (task.subcortex_id) value.set("subcortex_id", *task.subcortex_id);
  value.set("title", task.title);
  value.set("description_md", task.description_md);
  value.set("status", task.status);
  add_making(value, task);
  return value;
}

Value value_of(const Principal& principal) {
  Value value = value_of(card_of(principal));
  value.set("trust_tier", principal.trust_tier);
  value.set("status", status_name(principal.status));
  if (!principal.owner.empty()) value.set("owner_id", principal.owner.value);
  value.set("sensitivity_clearance", enum_name(principal.clearance));
  value.set("created_at", format_millis(principal.created_at));
  return value;
}

Value value_of(const ApiKey& key) {
  return Value::object(
      {{"id", key.id},
       {"name", key.name},
       {"type", key.type},
       {"principal_id", key.principal_id},
       {"scopes", Value::array_of(key.scopes)},
       {"subcortex_scope", scope_value(key.subcortex_scope)},
       {"sensitivity_clearance", enum_name(key.clearance)},
       {"expires_at", key.expires_at ? Value(format_millis(*key.expires_at)) : Value()},
       {"key_preview", key.preview},
       {"created_at", format_millis(key.created_at)}});
}

}  // namespace holdfast::surface::observations
