// Spaces and tokens from a shell.
#include <fmt/format.h>

#include "app/command.h"
#include "app/terminal.h"

namespace holdfast::app {
namespace {

Status token_create(CommandRun& run) {
  Value body = Value::object({{"name", run.text("<name>")}});
  if (const auto scopes = run.list("scope"); !scopes.empty())
    body.set("scopes", Value::array_of(scopes));
  for (const auto& [option, member] : {std::pair{"principal", "principal"},
                                       {"fixed-space", "space"},
                                       {"expires", "expires_at"},
                                       {"user", "user_id"},
                                       {"peer", "peer_id"}}) {
    if (const auto value = run.given(option)) body.set(member, *value);
  }
  if (run.flag("sensitive")) body.set("sensitive", true);
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/tokens", &body));
  run.print(answer, [](const Value& value) {
    return fmt::format(
        "{}\nThis text is shown once. Its id is {}; revoke it with 'holdfast token revoke {}'.\n",
        member_text(value, "token"), member_text(value, "id"), member_text(value, "id"));
  });
  return {};
}

std::string show_tokens(const Value& answer) {
  Table table({"ID", "NAME", "SPACE", "EXPIRES", "REVOKED", "SCOPES"});
  for (const Value& token : *answer.find("tokens")->if_array()) {
    std::string scopes;
    for (const Value& scope : *token.find("scopes")->if_array())
      scopes += (scopes.empty() ? "" : " ") + *scope.if_string();
    table.add({member_text(token, "id"), one_line(member_text(token, "name")),
               member_text(token, "space"), member_text(token, "expires_at"),
               member_text(token, "revoked_at"), one_line(scopes)});
  }
  return table.text(terminal_width());
}

Status token_list(CommandRun& run) {
  HOLDFAST_TRY(const Value answer, run.call("GET", "/holdfast/v1/tokens"));
  run.print(answer, show_tokens);
  return {};
}

Status token_revoke(CommandRun& run) {
  HOLDFAST_TRY(const Value answer,
               run.call("DELETE", "/holdfast/v1/tokens/" + encode_component(run.text("<id>"))));
  run.print(answer, [](const Value& value) {
    return fmt::format("revoked {}\n", member_text(value, "id"));
  });
  return {};
}

Status space_create(CommandRun& run) {
  const Value body = Value::object({{"name", run.text("<name>")}});
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/spaces", &body));
  run.print(answer, [](const Value& value) {
    return fmt::format("space {} is there\n", member_text(value, "name"));
  });
  return {};
}

Status space_list(CommandRun& run) {
  HOLDFAST_TRY(const Value answer, run.call("GET", "/holdfast/v1/spaces"));
  run.print(answer, [](const Value& value) {
    Table table({"SPACE", "CREATED"});
    for (const Value& space : *value.find("spaces")->if_array()) {
      table.add({member_text(space, "name"), member_text(space, "created_at")});
    }
    return table.text(terminal_width());
  });
  return {};
}

Status space_erase(CommandRun& run) {
  const std::string name = run.text("<name>");
  if (run.text("confirm") != name) {
    return invalid_argument(
        fmt::format("This erases the space '{0}' for good. Say so with --confirm {0}.", name));
  }
  HOLDFAST_TRY(const Value answer,
               run.call("DELETE", "/holdfast/v1/spaces/" + encode_component(name)));
  run.print(answer, [](const Value& value) {
    return fmt::format("erased space {}\n", member_text(value, "name"));
  });
  return {};
}

}  // namespace

std::vector<CommandSpec> admin_commands() {
  const OptionSpec space_name{.name = "<name>", .help = "the space's name", .required = true};
  return {
      {.name = "token create",
       .summary = "Make a bearer token; its text is shown once.",
       .teach = "  holdfast token create ci --scope read --scope write --fixed-space team-a\n"
                "  holdfast token create ops --scope admin --expires 2027-01-01",
       .options = {{.name = "<name>", .help = "a label for people", .required = true},
                   {.name = "scope",
                    .help = "read, write, admin or a surface's own; may be repeated [read write]",
                    .repeated = true},
                   {.name = "principal", .help = "handle of the principal it names [the name]"},
                   {.name = "fixed-space", .help = "the only space it works in"},
                   {.name = "expires", .help = "when it ends (2027-01-01 or RFC 3339)"},
                   {.name = "user", .help = "the user it stands for"},
                   {.name = "peer", .help = "the peer it stands for"},
                   {.name = "sensitive", .help = "may see sensitive objects", .is_flag = true},
                   json_option()},
       .run = token_create},
      {.name = "token list",
       .summary = "All tokens, without their texts.",
       .options = {json_option()},
       .run = token_list},
      {.name = "token revoke",
       .summary = "End a token at once.",
       .options = {{.name = "<id>", .help = "the id that 'token list' shows", .required = true},
                   json_option()},
       .run = token_revoke},
      {.name = "space create",
       .summary = "Make a space.",
       .options = {space_name, json_option()},
       .run = space_create},
      {.name = "space list",
       .summary = "The spaces of this memory.",
       .options = {json_option()},
       .run = space_list},
      {.name = "space erase",
       .summary = "Erase a space and everything in it, for good.",
       .options = {space_name,
                   {.name = "confirm", .help = "the space's name once more"},
                   json_option()},
       .run = space_erase},
  };
}

}  // namespace holdfast::app
