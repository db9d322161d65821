// What requests about principals and keys may contain.
#include "surface/observations/observation_schemas.h"
#include "surface/observations/registry_schemas.h"
#include "surface/observations/schema_words.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their requests

bool is_email(std::string_view text) {
  const size_t sign = text.find('@');
  return sign != std::string_view::npos && sign > 0 &&
         text.find('.', sign) != std::string_view::npos && text.find(' ') == std::string_view::npos;
}

FieldOption scopes() { return each(wire::one_of(known_scopes())); }

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
    } else if (!field::is_slug(*name)) {
      reading.add(wire::rule::kPattern);
    } else {
      out.push_back(*name);
    }
  }
}

}  // namespace

std::vector<std::string> known_scopes() {
  return {"read",        "write:observations", "write:drafts", "write:threads",
          "write:tasks", "write:artifacts",    "review",       "admin"};
}

const Schema<PrincipalBody>& principal_schema() {
  static const Schema<PrincipalBody> schema =
      Schema<PrincipalBody>()
          .required("handle", &PrincipalBody::handle, field::handle())
          .required("display_name", &PrincipalBody::display_name, wire::trimmed(), no_controls(),
                    length(1, 100))
          .required("kind", &PrincipalBody::kind, wire::one_of({"human", "agent"}))
          .optional("owner_id", &PrincipalBody::owner_id, field::id())
          .optional("email", &PrincipalBody::email, length(3, 254), no_controls(),
                    wire::matching("an address", is_email))
          .optional("password", &PrincipalBody::password, length(8, 128), wire::no_echo())
          .optional("trust_tier", &PrincipalBody::trust_tier, wire::range(0, 4))
          .optional("sensitivity_clearance", &PrincipalBody::clearance)
          .read_only({"id", "created_at"})
          .check([](const PrincipalBody& body, wire::Checks& checks) {
            if (!checks.ok({"kind"})) return;
            const auto need = [&](const char* name, const std::optional<std::string>& value) {
              if (!value && checks.ok({name})) checks.add(name, wire::rule::kRequired);
            };
            if (body.kind == "agent") need("owner_id", body.owner_id);
            if (body.kind == "human") need("email", body.email), need("password", body.password);
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
          .optional("principal_id", &KeyBody::principal_id, field::id())
          .read_only({"id", "key", "key_preview", "created_at"});
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
