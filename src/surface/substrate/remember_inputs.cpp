#include "surface/substrate/remember_inputs.h"

namespace holdfast::surface::substrate {
namespace {

using namespace service::substrate;
using wire::Schema;

wire::FieldOption memory_sources() {
  return wire::one_of(
      {"user_declared", "human_curated", "agent_inferred", "system_generated", "imported"});
}

// The members of DeclaredInput, as members of what inherits them.
template <typename T>
Schema<T> declared_schema() {
  const auto member = [](auto DeclaredInput::*pointer) {
    using M = std::remove_reference_t<decltype(std::declval<DeclaredInput>().*pointer)>;
    return static_cast<M T::*>(pointer);
  };
  return Schema<T>()
      .required("kind", member(&DeclaredInput::kind), "fact, decision, procedure, task, ...")
      .required("title", member(&DeclaredInput::title), "One line.")
      .required("summary", member(&DeclaredInput::summary), "What is worth knowing, in full.")
      .required("reason", member(&DeclaredInput::reason), "Why this should survive.")
      .required("memory_source", member(&DeclaredInput::memory_source), memory_sources(),
                "Who stands for it.")
      .required("scope_refs", member(&DeclaredInput::scope_refs), wire::items(1, SIZE_MAX),
                "Where it holds: scope:..., a node, a project.")
      .optional("actor", member(&DeclaredInput::actor), actor_schema(), "Who writes.");
}

void set_text(NullableText& to, const std::optional<std::string>& from) {
  if (from) to.text = *from;
}

}  // namespace

Declared DeclaredInput::declared() const {
  return {.kind = kind,
          .title = title,
          .summary = summary,
          .reason = reason,
          .memory_source = memory_source,
          .scope_refs = scope_refs,
          .actor = actor_value(actor)};
}

RememberKnowledge KnowledgeInput::request() const {
  return {.declared = declared(),
          .subject_refs = subject_refs,
          .evidence_refs = evidence_refs,
          .payload = payload.members(),
          .status = status,
          .confidence = confidence,
          .valid_from = valid_from,
          .valid_until = valid_until,
          .last_verified_at = last_verified_at,
          .allow_duplicate = allow_duplicate,
          .source_text = source_text,
          .source_title = source_title,
          .lifecycle_state = lifecycle_state,
          .expires_at = expires_at};
}

RememberActivity ActivityInput::request() const {
  RememberActivity out{.declared = declared()};
  Activity& activity = out.activity;
  if (status) activity.status = *status;
  set_text(activity.started_at, started_at);
  set_text(activity.ended_at, ended_at);
  activity.related_node_refs = related_node_refs;
  activity.related_work_item_refs = related_work_item_refs;
  activity.source_refs = source_refs;
  activity.produced_object_refs = produced_object_refs;
  activity.artifact_refs = artifact_refs;
  return out;
}

RememberWorkItem WorkItemInput::request() const {
  RememberWorkItem out{.declared = declared()};
  WorkItem& item = out.work_item;
  if (status) item.status = *status;
  if (lifecycle_state) item.lifecycle_state = *lifecycle_state;
  if (priority) item.priority = *priority;
  item.owner_refs = owner_refs;
  item.related_node_refs = related_node_refs;
  item.related_knowledge_refs = related_knowledge_refs;
  item.source_refs = source_refs;
  item.depends_on = depends_on;
  item.blocked_by = blocked_by;
  set_text(item.parent_ref, parent_ref);
  item.child_refs = child_refs;
  set_text(item.resolution, resolution);
  set_text(item.due_at, due_at);
  set_text(item.opened_at, opened_at);
  return out;
}

ChangeWorkItemStatus StatusInput::request() const {
  return {.work_item_id = work_item_id,
          .status = status,
          .reason = reason,
          .memory_source = memory_source,
          .actor = actor_value(actor),
          .resolution = resolution};
}

JudgeKnowledge JudgeInput::request() const {
  return {.knowledge_id = knowledge_id, .actor = actor_value(actor), .reason = reason};
}

SupersedeKnowledge SupersedeInput::request() const {
  return {.old_knowledge_id = old_knowledge_id,
          .new_knowledge_id = new_knowledge_id,
          .actor = actor_value(actor),
          .reason = reason};
}

const Schema<KnowledgeInput>& knowledge_schema() {
  using In = KnowledgeInput;
  static const auto schema =
      declared_schema<In>()
          .optional("subject_refs", &In::subject_refs, "What it is about.")
          .optional("evidence_refs", &In::evidence_refs, evidence_schema(),
                    "Segments that show it.")
          .optional("payload", &In::payload, payload_schema(),
                    "The structured claim; leave out for plain text.")
          .optional("status", &In::status, "candidate unless said otherwise.")
          .optional("confidence", &In::confidence, "0 to 1.")
          .optional("valid_from", &In::valid_from, "ISO 8601.")
          .optional("valid_until", &In::valid_until, "ISO 8601.")
          .optional("last_verified_at", &In::last_verified_at, "ISO 8601.")
          .optional("allow_duplicate", &In::allow_duplicate, "Store an equal claim again.")
          .optional("source_text", &In::source_text, "The words it was declared in.")
          .optional("source_title", &In::source_title)
          .optional("lifecycle_state", &In::lifecycle_state,
                    "temporary, scratch or evaluation hide it from searches.")
          .optional("expires_at", &In::expires_at, "ISO 8601.");
  return schema;
}

const Schema<ActivityInput>& activity_schema() {
  using In = ActivityInput;
  static const auto schema =
      declared_schema<In>()
          .optional("status", &In::status, "finalized unless said otherwise.")
          .optional("started_at", &In::started_at, "ISO 8601; now.")
          .optional("ended_at", &In::ended_at, "ISO 8601; now.")
          .optional("related_node_refs", &In::related_node_refs)
          .optional("related_work_item_refs", &In::related_work_item_refs)
          .optional("source_refs", &In::source_refs)
          .optional("produced_object_refs", &In::produced_object_refs)
          .optional("artifact_refs", &In::artifact_refs, "Files, URLs, commits.");
  return schema;
}

const Schema<WorkItemInput>& work_item_schema() {
  using In = WorkItemInput;
  static const auto schema =
      declared_schema<In>()
          .optional("status", &In::status, "open unless said otherwise.")
          .optional("lifecycle_state", &In::lifecycle_state)
          .optional("priority", &In::priority, "medium unless said otherwise.")
          .optional("owner_refs", &In::owner_refs)
          .optional("related_node_refs", &In::related_node_refs)
          .optional("related_knowledge_refs", &In::related_knowledge_refs)
          .optional("source_refs", &In::source_refs)
          .optional("depends_on", &In::depends_on)
          .optional("blocked_by", &In::blocked_by)
          .optional("parent_ref", &In::parent_ref)
          .optional("child_refs", &In::child_refs)
          .optional("resolution", &In::resolution)
          .optional("due_at", &In::due_at)
          .optional("opened_at", &In::opened_at, "ISO 8601; now.");
  return schema;
}

const Schema<StatusInput>& status_schema() {
  using In = StatusInput;
  static const auto schema =
      Schema<In>()
          .required("work_item_id", &In::work_item_id, "Which one.")
          .required(
              "status", &In::status,
              wire::one_of({"open", "in_progress", "blocked", "resolved", "closed", "cancelled"}))
          .required("reason", &In::reason, wire::min_length(1), "Why it changes.")
          .required("memory_source", &In::memory_source, memory_sources())
          .optional("actor", &In::actor, actor_schema())
          .optional("resolution", &In::resolution, "How it ended.");
  return schema;
}

const Schema<JudgeInput>& judge_schema() {
  using In = JudgeInput;
  static const auto schema = Schema<In>()
                                 .required("knowledge_id", &In::knowledge_id, "Which knowledge.")
                                 .optional("actor", &In::actor, actor_schema())
                                 .optional("reason", &In::reason, "Why.");
  return schema;
}

const Schema<SupersedeInput>& supersede_schema() {
  using In = SupersedeInput;
  static const auto schema =
      Schema<In>()
          .required("old_knowledge_id", &In::old_knowledge_id, "What no longer holds.")
          .required("new_knowledge_id", &In::new_knowledge_id, "What holds instead.")
          .optional("actor", &In::actor, actor_schema())
          .optional("reason", &In::reason, "Why.");
  return schema;
}

}  // namespace holdfast::surface::substrate
