#include "app/bootstrap_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "access/gatekeeper.h"
#include "app/bootstrap_registry.h"
#include "app/continuity_setup.h"
#include "app/terminal.h"
#include "service/native/sensitivity_names.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/registry_schemas.h"
#include "wire/issue_text.h"
#include "wire/schema.h"

namespace holdfast {

template <>
struct EnumNames<PrincipalKind> {
  // `system` is the contract's word for a service.
  static constexpr std::array<std::pair<PrincipalKind, std::string_view>, 3> kNames = {
      {{PrincipalKind::kHuman, "human"},
       {PrincipalKind::kAgent, "agent"},
       {PrincipalKind::kService, "system"}}};
};

template <>
struct EnumNames<PrincipalStatus> {
  static constexpr std::array<std::pair<PrincipalStatus, std::string_view>, 3> kNames = {
      {{PrincipalStatus::kActive, "active"},
       {PrincipalStatus::kSuspended, "suspended"},
       {PrincipalStatus::kDeleted, "deleted"}}};
};

namespace app {
namespace {

using service::Bootstrap;
using service::BootstrapToken;
using wire::each;
using wire::length;

constexpr size_t kMaxFileBytes = size_t{64} << 20U;

struct TokenForm {
  std::string token = {};
  PrincipalId principal_id = {};
  std::vector<std::string> scopes = {};
  Value subcortex_scope = {};
  Sensitivity sensitivity_clearance = Sensitivity::kNormal;
  std::optional<Timestamp> expires_at = std::nullopt;
  bool revoked = false;
  SpaceId space = {};
  std::string user_id = {};
  std::string peer_id = {};
  std::optional<std::vector<std::string>> read_namespaces = std::nullopt;
  std::optional<std::vector<std::string>> write_namespaces = std::nullopt;
};

struct FileForm {
  std::vector<Principal> principals = {};
  std::vector<TokenForm> tokens = {};
  std::vector<TokenForm> agent_keys = {};
  std::vector<WorkspaceForm> workspaces = {};
  std::vector<service::observation::Subcortex> subcortexes = {};
  std::vector<service::observation::Thread> threads = {};
  std::vector<service::observation::Task> tasks = {};
  std::vector<Value> observations = {};
};

bool is_token_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

// A token of the file serves every surface, so each may name the scopes of all of them.
std::vector<std::string> scopes_of_all_surfaces() {
  std::set<std::string> scopes = {std::string(access::kScopeRead), std::string(access::kScopeWrite),
                                  std::string(access::kScopeAdmin)};
  for (const auto& known : {surface::observations::known_scopes(), continuity_scopes()})
    scopes.insert(known.begin(), known.end());
  return {scopes.begin(), scopes.end()};
}

wire::Schema<Principal> principal_schema() {
  return wire::Schema<Principal>()
      .required("id", &Principal::id, length(1, 80))
      .required("handle", &Principal::handle, surface::observations::field::handle())
      .optional("display_name", &Principal::display_name, wire::max_length(100))
      .optional("kind", &Principal::kind)
      .optional("trust_tier", &Principal::trust_tier, wire::range(0, 4))
      .optional("sensitivity_clearance", &Principal::clearance)
      .optional("status", &Principal::status)
      .optional("owner_id", &Principal::owner);
}

wire::Schema<TokenForm> token_schema(const char* text_name) {
  return wire::Schema<TokenForm>()
      .required(text_name, &TokenForm::token, length(16, 200), wire::no_echo(),
                wire::matching("visible ASCII", is_token_text))
      .required("principal_id", &TokenForm::principal_id)
      .required("scopes", &TokenForm::scopes, each(wire::one_of(scopes_of_all_surfaces())))
      .optional("subcortex_scope", &TokenForm::subcortex_scope)
      .optional("sensitivity_clearance", &TokenForm::sensitivity_clearance)
      .optional("expires_at", &TokenForm::expires_at)
      .optional("revoked", &TokenForm::revoked)
      .optional("space", &TokenForm::space)
      .optional("user_id", &TokenForm::user_id)
      .optional("peer_id", &TokenForm::peer_id)
      .optional("read_namespaces", &TokenForm::read_namespaces)
      .optional("write_namespaces", &TokenForm::write_namespaces);
}

// "*" or absent: all; otherwise a list of names.
Result<std::optional<std::vector<std::string>>> compartments_of(const Value& scope) {
  if (scope.is_null() || scope == Value("*")) return std::optional<std::vector<std::string>>();
  const auto* list = scope.if_array();
  if (list == nullptr) return invalid_argument("subcortex_scope must be '*' or a list of names");
  std::vector<std::string> names;
  for (const Value& item : *list) {
    const auto* name = item.if_string();
    if (name == nullptr) return invalid_argument("subcortex_scope must be '*' or a list of names");
    names.push_back(*name);
  }
  return std::optional(std::move(names));
}

// Absent: all of them. In a stored token that is an empty list, so a list without names becomes one
// with a name that nothing has.
std::vector<std::string> namespaces_of(const std::optional<std::vector<std::string>>& given) {
  if (!given) return {};
  return given->empty() ? std::vector<std::string>{""} : *given;
}

Result<BootstrapToken> token_of(const TokenForm& form, std::string purpose, Timestamp now) {
  HOLDFAST_TRY(auto compartments, compartments_of(form.subcortex_scope));
  BootstrapToken out{.text = form.token,
                     .token = {.name = "bootstrap",
                               .principal = form.principal_id,
                               .space = form.space,
                               .scopes = form.scopes,
                               .clearance = form.sensitivity_clearance,
                               .compartments = std::move(compartments),
                               .user_id = form.user_id,
                               .peer_id = form.peer_id,
                               .read_namespaces = namespaces_of(form.read_namespaces),
                               .write_namespaces = namespaces_of(form.write_namespaces),
                               .purpose = std::move(purpose),
                               .expires_at = form.expires_at}};
  if (form.revoked) out.token.revoked_at = now;
  return out;
}

Status check_unique(const FileForm& form) {
  std::set<std::string> ids;
  std::set<std::string> handles;
  for (const Principal& principal : form.principals) {
    if (!ids.insert(principal.id.value).second) {
      return invalid_argument(fmt::format("the principal '{}' appears twice", principal.id.value));
    }
    if (!handles.insert(principal.handle).second) {
      return invalid_argument(fmt::format("the handle '{}' appears twice", principal.handle));
    }
  }
  std::set<std::string> texts;
  for (const auto* list : {&form.tokens, &form.agent_keys}) {
    for (const TokenForm& token : *list) {
      if (!texts.insert(token.token).second) {
        return invalid_argument(
            fmt::format("a token of '{}' appears twice", token.principal_id.value));
      }
    }
  }
  return {};
}

std::string first_issue(const Error& error, std::string_view owner);

// How people know the entry of the file: its id, or whose token it is.
std::string name_of(const Value& entry) {
  for (const char* member : {"id", "principal_id"}) {
    const Value* name = entry.find(member);
    if (name != nullptr && name->if_string() != nullptr) return *name->if_string();
  }
  return {};
}

Result<service::observation::RegistrySeeds> registry_of(FileForm& form, Timestamp now) {
  service::observation::RegistrySeeds out{.subcortexes = std::move(form.subcortexes),
                                          .threads = std::move(form.threads),
                                          .tasks = std::move(form.tasks)};
  for (const WorkspaceForm& workspace : form.workspaces)
    out.workspaces.push_back(workspace_of(workspace));
  for (const Value& value : form.observations) {
    auto observation = observation_of(value, now);
    if (!observation)
      return invalid_argument("an observation: " +
                              first_issue(observation.error(), name_of(value)));
    out.observations.push_back(std::move(*observation));
  }
  return out;
}

Result<BootstrapFile> bootstrap_of(FileForm form, Timestamp now) {
  HOLDFAST_CHECK_OK(check_unique(form));
  BootstrapFile file;
  HOLDFAST_TRY(file.registry, registry_of(form, now));
  Bootstrap& out = file.people;
  for (Principal& principal : form.principals) {
    if (principal.display_name.empty()) principal.display_name = principal.handle;
    principal.created_at = now;
    out.principals.push_back(std::move(principal));
  }
  for (const TokenForm& token : form.tokens) {
    HOLDFAST_TRY(out.tokens.emplace_back(), token_of(token, "access", now));
  }
  for (const TokenForm& key : form.agent_keys) {
    HOLDFAST_TRY(out.tokens.emplace_back(), token_of(key, "agent_key", now));
  }
  return file;
}

std::string first_issue(const Error& error, std::string_view owner) {
  if (error.issues.empty()) return error.message;
  const Issue& issue = error.issues.front();
  const std::string path = issue.path_text();
  const std::string demand = wire::issue_demand(issue);
  return fmt::format("{}{} {}", path.empty() ? "what it holds" : path,
                     owner.empty() ? "" : fmt::format(" of '{}'", owner),
                     demand.empty() ? fmt::format("breaks the rule '{}'", issue.rule) : demand);
}

// The entry that the first issue is about.
std::string owner_of_issue(const Value& file, const Error& error) {
  if (error.issues.empty() || error.issues.front().path.size() < 2) return {};
  const auto& path = error.issues.front().path;
  const Value* list = file.find(path[0].name);
  const size_t index = path[1].is_index ? std::stoul(path[1].name) : SIZE_MAX;
  const bool there = list != nullptr && list->is_array() && index < list->if_array()->size();
  return there ? name_of((*list->if_array())[index]) : std::string();
}

}  // namespace

Error wrong_file(const std::string& file, std::string_view why) {
  while (why.ends_with('.')) why.remove_suffix(1);
  return invalid_argument(
      fmt::format("The bootstrap file {} cannot be used: {}.", file, one_line(why)));
}

Result<BootstrapFile> read_bootstrap_file(const std::string& file, Timestamp now) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return wrong_file(file, "it cannot be read");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (text.size() > kMaxFileBytes) return wrong_file(file, "it is larger than 64 MiB");
  const auto value = parse_json(text);
  if (!value) return wrong_file(file, value.error().message);
  const auto schema = wire::Schema<FileForm>()
                          .optional("principals", &FileForm::principals, each(principal_schema()))
                          .optional("tokens", &FileForm::tokens, each(token_schema("token")))
                          .optional("agent_keys", &FileForm::agent_keys, each(token_schema("key")))
                          .optional("workspaces", &FileForm::workspaces, each(workspace_form()))
                          .optional("subcortexes", &FileForm::subcortexes, each(subcortex_form()))
                          .optional("threads", &FileForm::threads, each(thread_form()))
                          .optional("tasks", &FileForm::tasks, each(task_form()))
                          .optional("observations", &FileForm::observations);
  auto form = schema.read_body(*value, {.now = now});
  if (!form)
    return wrong_file(file, first_issue(form.error(), owner_of_issue(*value, form.error())));
  auto bootstrap = bootstrap_of(std::move(*form), now);
  if (!bootstrap) return wrong_file(file, bootstrap.error().message);
  return bootstrap;
}

}  // namespace app
}  // namespace holdfast
