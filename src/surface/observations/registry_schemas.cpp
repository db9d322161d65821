#include "surface/observations/registry_schemas.h"

#include <algorithm>

#include "surface/observations/observation_schemas.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their requests
using wire::each;
using wire::FieldOption;
using wire::items;
using wire::length;
using wire::no_controls;
using wire::Schema;

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_slug(std::string_view slug) {
  return !slug.empty() && is_lower(slug.front()) &&
         std::ranges::all_of(slug, [](char c) { return is_lower(c) || c == '-'; });
}

bool is_handle(std::string_view handle) {
  return !handle.empty() && is_lower(handle.front()) && std::ranges::all_of(handle, [](char c) {
    return is_lower(c) || c == '_' || c == '-';
  });
}

bool is_email(std::string_view text) {
  const size_t sign = text.find('@');
  return sign != std::string_view::npos && sign > 0 &&
         text.find('.', sign) != std::string_view::npos && text.find(' ') == std::string_view::npos;
}

FieldOption slug() {
  return FieldOption([](wire::FieldParts& parts) {
    length(3, 50).apply(parts);
    wire::matching("lower-case letters, digits and -", is_slug).apply(parts);
  });
}

FieldOption scopes() {
  return each(wire::one_of({"read", "write:observations", "write:drafts", "write:threads",
                            "write:tasks", "write:artifacts", "review", "admin"}));
}

Schema<Citation> citation_schema() {
  return Schema<Citation>()
      .required("type", &Citation::type,
                wire::one_of({"thread", "comment", "artifact", "observation", "url"}))
      .required("ref", &Citation::ref, length(1, 2000), no_controls())
      .optional("note", &Citation::note, wire::max_length(200));
}

Schema<WorkspaceSettings> settings_schema() {
  return Schema<WorkspaceSettings>()
      .optional("default_sensitivity", &WorkspaceSettings::default_sensitivity)
      .optional("max_attachment_size_mb", &WorkspaceSettings::max_attachment_size_mb,
                wire::range(1, 500))
      .optional("code_link_policy", &WorkspaceSettings::code_link_policy);
}

// "*" or a list of slugs.
void read_scope(const Value& value, std::vector<std::string>& out, wire::Reading& reading) {
  if (value == Value("*")) return out.emplace_back("*"), void();
  const auto* list = value.if_array();
  if (list == nullptr) return reading.add_type("array", value);
  for (size_t i = 0; i < list->size(); ++i) {
    const wire::Place place(reading, i);
    const auto* name = (*list)[i].if_string();
    if (name == nullptr) {
      reading.add_type("string", (*list)[i]);
    } else if (!is_slug(*name)) {
      reading.add(wire::rule::kPattern);
    } else {
      out.push_back(*name);
    }
  }
}

}  // namespace

const Schema<Workspace>& workspace_schema() {
  static const Schema<Workspace> schema =
      Schema<Workspace>()
          .required("slug", &Workspace::slug, slug())
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
          .required("slug", &Subcortex::slug, slug())
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
          .optional("citations", &ThreadBody::citations, items(0, 50), each(citation_schema()));
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
          .optional("citations", &Comment::citations, items(0, 20), each(citation_schema()));
  return schema;
}

const Schema<Artifact>& artifact_schema() {
  static const Schema<Artifact> schema =
      Schema<Artifact>()
          .required("workspace_id", &Artifact::workspace_id, field::id())
          .required("subcortex_id", &Artifact::subcortex_id, field::id())
          .required("type", &Artifact::type,
                    wire::one_of({"adr", "runbook", "report", "spec", "postmortem", "glossary",
                                  "other"}))
          .required("title", &Artifact::title, field::title(), length(10, 300))
          .required("body_md", &Artifact::body_md, field::markdown(),
                    field::markdown_length(50, 100000), wire::no_echo())
          .optional("evidence_links", &Artifact::evidence_links, items(0, 50),
                    each(citation_schema()));
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
                    field::markdown_length(0, 20000), wire::no_echo());
  return schema;
}

const Schema<PrincipalBody>& principal_schema() {
  static const Schema<PrincipalBody> schema =
      Schema<PrincipalBody>()
          .required("handle", &PrincipalBody::handle, length(3, 30),
                    wire::matching("lower-case letters, digits, _ and -", is_handle))
          .required("display_name", &PrincipalBody::display_name, wire::trimmed(), no_controls(),
                    length(1, 100))
          .required("kind", &PrincipalBody::kind, wire::one_of({"human", "agent"}))
          .optional("owner_id", &PrincipalBody::owner_id, field::id())
          .optional("email", &PrincipalBody::email, length(3, 254),
                    wire::matching("an address", is_email))
          .optional("password", &PrincipalBody::password, length(8, 128), wire::no_echo())
          .optional("trust_tier", &PrincipalBody::trust_tier, wire::range(0, 4))
          .optional("sensitivity_clearance", &PrincipalBody::clearance)
          .check([](const PrincipalBody& body, wire::Checks& checks) {
            if (!checks.ok({"kind"})) return;
            const auto need = [&](const char* name) {
              if (!checks.given(name)) checks.add(name, wire::rule::kRequired);
            };
            if (body.kind == "agent") need("owner_id");
            if (body.kind == "human") need("email"), need("password");
          });
  return schema;
}

// There is no way to sign in with a password here, so none is kept.
Principal principal_of(const PrincipalBody& body) {
  return {.handle = body.handle,
          .display_name = body.display_name,
          .kind = body.kind == "human" ? PrincipalKind::kHuman : PrincipalKind::kAgent,
          .trust_tier = body.trust_tier,
          .clearance = body.clearance,
          .owner = PrincipalId{body.owner_id.value_or("")}};
}

const Schema<PrincipalPatch>& principal_patch_schema() {
  static const Schema<PrincipalPatch> schema =
      Schema<PrincipalPatch>()
          .optional("trust_tier", &PrincipalPatch::trust_tier, wire::range(0, 4))
          .optional("status", &PrincipalPatch::status, wire::one_of({"active", "suspended"}));
  return schema;
}

PrincipalChange change_of(const PrincipalPatch& patch) {
  PrincipalChange change{.trust_tier = patch.trust_tier};
  if (patch.status) {
    change.status =
        *patch.status == "active" ? PrincipalStatus::kActive : PrincipalStatus::kSuspended;
  }
  return change;
}

const Schema<KeyBody>& key_schema() {
  static const Schema<KeyBody> schema =
      Schema<KeyBody>()
          .required("name", &KeyBody::name, wire::trimmed(), no_controls(), length(1, 100))
          .required("type", &KeyBody::type, wire::one_of({"pat", "agent_key"}))
          .required("scopes", &KeyBody::scopes, items(1, 8), scopes())
          .optional("expires_at", &KeyBody::expires_at)
          .optional("subcortex_scope", &KeyBody::subcortex_scope,
                    wire::read_by<std::vector<std::string>>(
                        read_scope, Value::object({{"description", "'*' or a list of slugs"}})))
          .optional("sensitivity_clearance", &KeyBody::clearance)
          .optional("principal_id", &KeyBody::principal_id, field::id());
  return schema;
}

ApiKey key_of(const KeyBody& body, const CallContext& call) {
  ApiKey key{.name = body.name,
             .type = body.type,
             .principal_id = body.principal_id,
             .scopes = body.scopes,
             .subcortex_scope = call.viewer.compartments,
             .clearance = body.clearance,
             .expires_at = body.expires_at};
  const auto& wanted = body.subcortex_scope;
  if (wanted && *wanted == std::vector<std::string>{"*"}) {
    key.subcortex_scope = std::nullopt;
  } else if (wanted) {
    key.subcortex_scope = wanted;
  }
  return key;
}

const Schema<MintRequest>& mint_schema() {
  static const Schema<MintRequest> schema =
      Schema<MintRequest>()
          .required("agent_key", &MintRequest::agent_key, length(1, 512), wire::no_echo())
          .optional("requested_scopes", &MintRequest::scopes, items(1, 8), scopes());
  return schema;
}

}  // namespace holdfast::surface::observations
