#include "surface/continuity/help.h"

#include <algorithm>
#include <array>

#include "service/continuity/capsule.h"
#include "service/continuity/document.h"

namespace holdfast::surface::continuity {
namespace {

using service::continuity::text_of;

struct Text {
  const char* id;
  const char* title;
  const char* text;
};

constexpr std::array<Text, 8> kTopics = {{
    {"capsules", "Capsules",
     "A capsule keeps where a user, peer, thread or task stands. Write it with continuity.upsert, "
     "change lists with continuity.patch, read it with continuity.read."},
    {"timestamps", "Timestamps",
     "Every time is UTC and says so with Z or +00:00. A write must be newer than what is stored; "
     "an older one, or an equal one with other content, is refused with 409."},
    {"preserve", "Preserving what is not sent",
     "With merge_mode preserve, members that the request does not mention keep their stored "
     "value; an empty list in a required list keeps it too."},
    {"trust", "Trust signals",
     "Freshness, completeness, integrity and scope of a capsule as facts, without a score."},
    {"retrieval", "Context retrieval",
     "context.retrieve returns capsules within a token budget, documents of the search index, the "
     "graph around a thread or task, and its reminders."},
    {"schedule", "Reminders",
     "One-shot reminders. The same request creates one reminder only; expected_version guards "
     "every change."},
    {"coordination", "Coordination",
     "Handoffs, shared state and reconciliation between peers. Peers must be registered and not "
     "untrusted."},
    {"archives", "Archives and cold storage",
     "Archiving moves the active capsule away and leaves its fallback snapshot. Old archives can "
     "go cold and come back through ops.run."},
}};

constexpr std::array<Text, 4> kHooks = {{
    {"startup", "A session begins",
     "Read the capsule with view startup and allow_fallback, then retrieve the context."},
    {"interaction_boundary", "The person, thread or task changes",
     "Upsert with update_reason interaction_boundary and metadata.interaction_boundary_kind."},
    {"pre_compaction_or_handoff", "Context is about to be lost",
     "Upsert with a session_end_snapshot if nothing outside its fields changed, otherwise send "
     "the whole capsule."},
    {"post_resume", "Work goes on",
     "Compare what is believed with what is stored, then revalidate."},
}};

constexpr std::array<Text, 8> kErrors = {{
    {"400", "The request breaks a rule", "The text names the field and the rule."},
    {"401", "No valid credential", "Send Authorization: Bearer with a known token."},
    {"403", "Not allowed", "The token lacks a scope or a namespace; the text names it."},
    {"404", "Not there", "Check subject_kind and subject_id: they are compared exactly."},
    {"409", "Something newer is stored", "Read again, then write with a later updated_at."},
    {"413", "The body is too large", "Send less; the text names the limit."},
    {"422", "The shape is wrong", "Every violation is listed with its place."},
    {"429", "Too many calls", "Wait as many seconds as Retry-After says."},
}};

constexpr std::array<Text, 4> kSections = {{
    {"first_capsule", "The first capsule",
     "Send the six required members of continuity, source and confidence to continuity.upsert."},
    {"daily_use", "Daily use",
     "Read at the start, patch while working, upsert with a snapshot at the end."},
    {"trust", "Keeping it true", "Revalidate what was confirmed, and say so when it was not."},
    {"handing_over", "Handing over", "Register the peer, create a handoff, let it be consumed."},
}};

template <size_t N>
std::optional<Value> find_text(const std::array<Text, N>& texts, const std::string& id) {
  for (const Text& text : texts) {
    if (id == text.id)
      return Value::object(
          {{"ok", true}, {"id", text.id}, {"title", text.title}, {"text", text.text}});
  }
  return std::nullopt;
}

template <size_t N>
Value ids_of(const std::array<Text, N>& texts) {
  Value out = Value::array();
  for (const Text& text : texts) out.push(text.id);
  return out;
}

// Paths are given with or without what surrounds them.
std::string bare_path(std::string path) {
  for (size_t at = path.find("[]"); at != std::string::npos; at = path.find("[]"))
    path.erase(at, 2);
  for (const std::string_view prefix : {"capsule.", "continuity."}) {
    if (path.starts_with(prefix)) path.erase(0, prefix.size());
  }
  return path;
}

}  // namespace

const std::vector<Help::Page>& Help::pages() {
  static const std::vector<Page> all = {
      {"", "system.help", &Help::index},
      {"/tools/{name}", "system.tool_usage", &Help::tool},
      {"/topics/{name}", "system.topic_help", &Help::topic},
      {"/hooks", "system.hook_guide", &Help::hooks},
      {"/errors/{name}", "system.error_guide", &Help::error},
      {"/onboarding", "system.onboarding_index", &Help::onboarding},
      {"/onboarding/bootstrap", "system.onboarding_bootstrap", &Help::bootstrap},
      {"/onboarding/sections/{name}", "system.onboarding_section", &Help::section},
      {"/limits", "system.validation_limits", &Help::limits},
      {"/limits/{name}", "system.validation_limit", &Help::limit},
  };
  return all;
}

std::optional<Value> Help::find(std::string_view path, const std::string& name) const {
  for (const Page& page : pages()) {
    if (path == page.path) return (this->*page.make)(name);
  }
  return std::nullopt;
}

std::optional<Value> Help::index(const std::string&) const {
  Value tools = Value::array();
  for (const Operation& operation : operations_) tools.push(operation.name);
  Value paths = Value::array();
  for (const Page& page : pages()) paths.push(std::string("/v1/help") + page.path);
  return Value::object({{"ok", true},
                        {"paths", std::move(paths)},
                        {"tools", std::move(tools)},
                        {"topics", ids_of(kTopics)},
                        {"hooks", ids_of(kHooks)},
                        {"errors", ids_of(kErrors)},
                        {"onboarding_sections", ids_of(kSections)}});
}

std::optional<Value> Help::tool(const std::string& name) const {
  const auto found = std::ranges::find(operations_, name, &Operation::name);
  if (found == operations_.end()) return std::nullopt;
  Value required = Value::array();
  Value optional = Value::array();
  for (const auto& member : found->shape.members)
    (member.required ? required : optional).push(member.name);
  return Value::object({{"ok", true},
                        {"name", found->name},
                        {"description", found->description},
                        {"method", found->method},
                        {"path", found->path},
                        {"scopes", Value::array_of(found->scopes)},
                        {"idempotent", found->idempotent},
                        {"required", std::move(required)},
                        {"optional", std::move(optional)},
                        {"input_schema", input_schema(*found)}});
}

std::optional<Value> Help::topic(const std::string& name) const { return find_text(kTopics, name); }

std::optional<Value> Help::hooks(const std::string&) const {
  Value hooks = Value::array();
  for (const Text& hook : kHooks)
    hooks.push(Value::object({{"id", hook.id}, {"when", hook.title}, {"guide", hook.text}}));
  return Value::object({{"ok", true}, {"hooks", std::move(hooks)}});
}

std::optional<Value> Help::error(const std::string& name) const { return find_text(kErrors, name); }

std::optional<Value> Help::onboarding(const std::string&) const {
  Value sections = Value::array();
  for (const Text& section : kSections)
    sections.push(Value::object({{"id", section.id}, {"title", section.title}}));
  return Value::object(
      {{"ok", true}, {"bootstrap", "/v1/help/onboarding/bootstrap"}, {"sections", sections}});
}

std::optional<Value> Help::bootstrap(const std::string&) const {
  constexpr std::array<std::pair<const char*, const char*>, 4> kSteps = {{
      {"continuity.read", "Look whether a capsule exists, with view startup and allow_fallback."},
      {"context.retrieve", "Fetch what surrounds the task."},
      {"continuity.upsert", "Write the first capsule if there is none."},
      {"schedule.create", "Leave reminders for what must not be forgotten."},
  }};
  Value steps = Value::array();
  int64_t order = 0;
  for (const auto& [name, what] : kSteps)
    steps.push(Value::object({{"order", ++order}, {"tool", name}, {"what", what}}));
  return Value::object({{"ok", true}, {"steps", std::move(steps)}});
}

std::optional<Value> Help::section(const std::string& name) const {
  return find_text(kSections, name);
}

std::optional<Value> Help::limits(const std::string&) const {
  const std::vector<Value> rows = capsule_limits();
  return Value::object({{"ok", true},
                        {"max_capsule_bytes", service::continuity::kMaxCapsuleBytes},
                        {"count", rows.size()},
                        {"limits", Value::array_of(rows)}});
}

std::optional<Value> Help::limit(const std::string& name) const {
  for (const bool exact : {true, false}) {
    for (const Value& row : capsule_limits()) {
      const std::string path = text_of(row, "field_path");
      if (exact ? path != name : bare_path(path) != bare_path(name)) continue;
      Value out = Value::object({{"ok", true}});
      for (const auto& member : *row.if_object()) out.set(member.name, member.value);
      return out;
    }
  }
  return std::nullopt;
}

}  // namespace holdfast::surface::continuity
