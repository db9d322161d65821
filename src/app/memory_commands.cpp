// The memory from a shell.
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "app/command.h"
#include "app/terminal.h"

namespace holdfast::app {
namespace {

constexpr size_t kMaxStandardInput = size_t{4} << 20U;

std::string object_target(const std::string& kind, const std::string& id,
                          std::string_view rest = "") {
  return fmt::format("/holdfast/v1/objects/{}/{}{}", encode_component(kind), encode_component(id),
                     rest);
}

// "kind/id", or an id alone, which is a memory's.
std::pair<std::string, std::string> split_name(const std::string& name) {
  const size_t slash = name.find('/');
  if (slash == std::string::npos) return {"memory", name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

// All words joined; a single "-" means standard input.
Result<std::string> text_of(const CommandRun& run) {
  std::string joined;
  for (const auto& word : run.list("<text>")) joined += (joined.empty() ? "" : " ") + word;
  if (joined != "-") return joined;
  std::string input(std::istreambuf_iterator<char>(std::cin), {});
  if (input.size() > kMaxStandardInput)
    return invalid_argument("Standard input is larger than 4 MiB.");
  return input;
}

void set_if_given(Value& body, const CommandRun& run, std::string_view option,
                  std::string_view member) {
  if (const auto value = run.given(option); value && !value->empty()) body.set(member, *value);
}

Value scope_of(const CommandRun& run) {
  Value scope = Value::object();
  for (const char* name : {"container", "thread", "task", "repository"})
    set_if_given(scope, run, name, name);
  if (const auto refs = run.list("work-ref"); !refs.empty())
    scope.set("work_refs", Value::array_of(refs));
  return scope;
}

Status remember(CommandRun& run) {
  HOLDFAST_TRY(const std::string text, text_of(run));
  Value body = Value::object({{"text", text}});
  set_if_given(body, run, "kind", "kind");
  set_if_given(body, run, "id", "id");
  set_if_given(body, run, "title", "title");
  set_if_given(body, run, "visibility", "visibility");
  set_if_given(body, run, "valid-until", "valid_until");
  set_if_given(body, run, "due", "due_at");
  set_if_given(body, run, "reason", "reason");
  if (const auto tags = run.list("tag"); !tags.empty()) body.set("tags", Value::array_of(tags));
  body.set("scope", scope_of(run));
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/remember", &body));
  run.print(answer, [](const Value& value) {
    return fmt::format("{} {}/{} in space {}\n",
                       member_text(value, "created") == "true" ? "remembered" : "updated",
                       member_text(value, "object.kind"), member_text(value, "object.id"),
                       member_text(value, "space"));
  });
  return {};
}

std::string object_name(const Value& hit) {
  return fmt::format("{}/{}", member_text(hit, "kind"), member_text(hit, "id"));
}

std::string show_hits(const Value& answer) {
  const Value* hits = answer.find("hits");
  if (hits == nullptr || !hits->is_array() || hits->if_array()->empty()) return "nothing found\n";
  Table table({"SCORE", "OBJECT", "WHEN", "TEXT"});
  for (const Value& hit : *hits->if_array()) {
    const std::string title = member_text(hit, "title");
    const std::string snippet = member_text(hit, "snippet");
    table.add(
        {fmt::format("{:.2f}", hit.find("score") != nullptr ? hit.find("score")->to_double() : 0),
         object_name(hit), member_text(hit, "at").substr(0, 10),
         one_line(title.empty() ? snippet : fmt::format("{}: {}", title, snippet))});
  }
  return table.text(terminal_width());
}

Status search(CommandRun& run) {
  HOLDFAST_TRY(const std::string query, text_of(run));
  HOLDFAST_TRY(const int64_t limit, run.integer("limit", 1, 100));
  Value body = Value::object({{"query", query}, {"limit", limit}});
  if (const auto kinds = run.list("kind"); !kinds.empty())
    body.set("kinds", Value::array_of(kinds));
  if (const auto tags = run.list("tag"); !tags.empty()) body.set("tags", Value::array_of(tags));
  for (const char* name : {"container", "thread"}) set_if_given(body, run, name, name);
  set_if_given(body, run, "since", "since");
  set_if_given(body, run, "until", "until");
  set_if_given(body, run, "as-of", "as_of");
  if (run.flag("explain")) body.set("explain", true);
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/search", &body));
  run.print(answer, show_hits);
  return {};
}

std::string show_context(const Value& answer) {
  std::string out = fmt::format("space {}, about {} of {} tokens\n", member_text(answer, "space"),
                                member_text(answer, "tokens"), member_text(answer, "token_budget"));
  const Value* sections = answer.find("sections");
  if (sections == nullptr || !sections->is_array()) return out;
  for (const Value& section : *sections->if_array()) {
    const Value* entries = section.find("entries");
    if (entries == nullptr || !entries->is_array() || entries->if_array()->empty()) continue;
    out += fmt::format("\n{}\n", member_text(section, "name"));
    for (const Value& entry : *entries->if_array()) {
      out += fmt::format("  - {}  [{}/{}]\n", one_line(member_text(entry, "text")),
                         member_text(entry, "kind"), member_text(entry, "id"));
    }
  }
  return out;
}

Status context(CommandRun& run) {
  HOLDFAST_TRY(const std::string query, text_of(run));
  HOLDFAST_TRY(const int64_t budget, run.integer("budget", 50, 100'000));
  Value body = Value::object({{"token_budget", budget}});
  if (!query.empty()) body.set("query", query);
  for (const char* name : {"container", "thread", "task", "repository"})
    set_if_given(body, run, name, name);
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/context", &body));
  run.print(answer, show_context);
  return {};
}

std::string show_object(const Value& answer) {
  const Value* object = answer.find("object");
  if (object == nullptr) return "\n";
  std::string out;
  for (const char* name : {"kind", "id", "revision", "state", "created_at", "updated_at"}) {
    out += fmt::format("{:12} {}\n", name, member_text(*object, name));
  }
  const Value* body = object->find("body");
  if (body == nullptr || !body->is_object()) return out;
  for (const auto& member : *body->if_object()) {
    const std::string text = member_text(*body, member.name);
    const bool empty = text.empty() || text == "[]" || text == "{}";
    if (!empty && member.name != "text")
      out += fmt::format("{:12} {}\n", member.name, one_line(text));
  }
  const std::string text = member_text(*body, "text");
  return text.empty() ? out : out + "\n" + text + "\n";
}

Status show(CommandRun& run) {
  const auto [kind, id] = split_name(run.text("<object>"));
  const auto as_of = run.given("as-of");
  HOLDFAST_TRY(
      const Value answer,
      run.call("GET", object_target(kind, id, as_of ? "?as_of=" + encode_component(*as_of) : "")));
  run.print(answer, show_object);
  return {};
}

std::string show_history(const Value& answer) {
  Table table({"REVISION", "WHEN", "WHO", "THROUGH", "ACTION", "WHY"});
  const Value* revisions = answer.find("revisions");
  if (revisions == nullptr || !revisions->is_array()) return "";
  for (const Value& revision : *revisions->if_array()) {
    table.add({member_text(revision, "revision"), member_text(revision, "at"),
               member_text(revision, "principal"), member_text(revision, "surface"),
               member_text(revision, "action"), one_line(member_text(revision, "message"))});
  }
  return table.text(terminal_width());
}

Status history(CommandRun& run) {
  const auto [kind, id] = split_name(run.text("<object>"));
  HOLDFAST_TRY(const int64_t limit, run.integer("limit", 1, 500));
  HOLDFAST_TRY(const Value answer,
               run.call("GET", object_target(kind, id, fmt::format("/history?limit={}", limit))));
  run.print(answer, show_history);
  return {};
}

Status forget(CommandRun& run) {
  const auto [kind, id] = split_name(run.text("<object>"));
  const auto reason = run.given("reason");
  HOLDFAST_TRY(
      const Value answer,
      run.call("DELETE",
               object_target(kind, id, reason ? "?reason=" + encode_component(*reason) : "")));
  run.print(answer, [](const Value& value) {
    return fmt::format("forgot {}/{}\n", member_text(value, "kind"), member_text(value, "id"));
  });
  return {};
}

const std::vector<OptionSpec>& scope_options() {
  static const std::vector<OptionSpec> options = {
      {.name = "container", .help = "channel, room or repository it belongs to"},
      {.name = "thread", .help = "conversation inside the container"},
      {.name = "task", .help = "task it is about"},
      {.name = "repository", .help = "repository it is about"},
  };
  return options;
}

std::vector<OptionSpec> with_scope(std::vector<OptionSpec> options) {
  options.insert(options.end(), scope_options().begin(), scope_options().end());
  options.push_back(space_option());
  options.push_back(json_option());
  return options;
}

}  // namespace

std::vector<CommandSpec> memory_commands() {
  const OptionSpec object{.name = "<object>",
                          .help = "kind/id as search shows it, or the id of a memory",
                          .required = true};
  return {
      {.name = "remember",
       .summary = "Store one memory or one piece of evidence.",
       .teach =
           "  holdfast remember \"The staging database is read-only on Fridays\" --tag ops\n"
           "  git log -1 --format=%B | holdfast remember - --kind evidence --repository acme/core\n"
           "  holdfast remember --id deploy-day \"We deploy on Tuesdays\" --reason \"moved from "
           "Monday\"",
       .options = with_scope(
           {{.name = "<text>",
             .help = "what to remember; - reads standard input",
             .required = true,
             .repeated = true},
            {.name = "kind",
             .help = "memory (believed, may be corrected) or evidence (observed, never changes)"},
            {.name = "id", .help = "an id of your own, or the one to correct"},
            {.name = "title", .help = "one line; weighs most in search"},
            {.name = "tag", .help = "a word to filter by; may be repeated", .repeated = true},
            {.name = "work-ref",
             .help = "a ticket or pull request; may be repeated",
             .repeated = true},
            {.name = "visibility", .help = "public, container or private"},
            {.name = "valid-until",
             .help = "believed true until this time (2026-12-31 or RFC 3339)"},
            {.name = "due", .help = "a reminder: shown by 'context' when due"},
            {.name = "reason", .help = "why, for the history"}}),
       .run = remember},
      {.name = "search",
       .summary = "Search everything you may see.",
       .teach = "  holdfast search when do we deploy\n"
                "  holdfast search '\"read-only\" -friday' --tag ops --limit 3\n"
                "  holdfast search deploy --as-of 2026-01-31 --explain --json",
       .options = {{.name = "<text>",
                    .help = "words, \"phrases\" and -excluded words; - reads standard input",
                    .required = true,
                    .repeated = true},
                   {.name = "limit", .help = "how many (1 to 100)", .default_value = "10"},
                   {.name = "kind", .help = "only this kind; may be repeated", .repeated = true},
                   {.name = "tag",
                    .help = "only with this tag; may be repeated (any of them)",
                    .repeated = true},
                   {.name = "container", .help = "only from this container"},
                   {.name = "thread", .help = "only from this thread"},
                   {.name = "since", .help = "not before this time"},
                   {.name = "until", .help = "before this time"},
                   {.name = "as-of", .help = "as the memory was at this time or journal position"},
                   {.name = "explain",
                    .help = "say why each was found (with --json)",
                    .is_flag = true},
                   space_option(),
                   json_option()},
       .run = search},
      {.name = "context",
       .summary = "What to know at the start of a turn: due reminders, open work, relevant and "
                  "recent memory.",
       .teach = "  holdfast context \"release checklist\" --repository acme/core --budget 1500",
       .options = with_scope(
           {{.name = "<text>", .help = "what the turn is about", .repeated = true},
            {.name = "budget", .help = "how many tokens it may take", .default_value = "2000"}}),
       .run = context},
      {.name = "show",
       .summary = "One object, now or as it was.",
       .teach = "  holdfast show memory/deploy-day\n  holdfast show deploy-day --as-of 2026-01-31",
       .options = {object,
                   {.name = "as-of", .help = "a time or journal position of the past"},
                   space_option(),
                   json_option()},
       .run = show},
      {.name = "history",
       .summary = "An object's revisions: who, when, through what, why.",
       .options = {object,
                   {.name = "limit", .help = "how many (1 to 500)", .default_value = "50"},
                   space_option(),
                   json_option()},
       .run = history},
      {.name = "forget",
       .summary = "Erase an object for good, with its history.",
       .teach = "  holdfast forget memory/deploy-day --reason \"asked by Ann\"",
       .options = {object,
                   {.name = "reason", .help = "why; kept in the journal"},
                   space_option(),
                   json_option()},
       .run = forget},
  };
}

}  // namespace holdfast::app
