#include "surface/substrate/shared_schemas.h"

#include <algorithm>

#include "surface/substrate/mode_tool.h"

namespace holdfast::surface::substrate {
namespace {

using service::substrate::EvidenceRef;
using service::substrate::Filters;
using wire::Schema;

template <typename T>
void add_given(Value& to, std::string_view name, const std::optional<T>& value) {
  if (value) to.set(name, Value(*value));
}

std::vector<std::string> united(const std::optional<std::string>& one,
                                const std::vector<std::string>& many) {
  std::vector<std::string> out;
  if (one) out.push_back(*one);
  for (const std::string& value : many) {
    if (std::ranges::find(out, value) == out.end()) out.push_back(value);
  }
  return out;
}

}  // namespace

Value ActorInput::value() const {
  Value out = Value::object({{"type", type}, {"id", id}});
  add_given(out, "name", name);
  add_given(out, "metadata", metadata);
  return out;
}

std::optional<Value> actor_value(const std::optional<ActorInput>& actor) {
  return actor ? std::optional(actor->value()) : std::nullopt;
}

const Schema<ActorInput>& actor_schema() {
  static const auto schema =
      Schema<ActorInput>()
          .required("type", &ActorInput::type, "user, agent, system, ...")
          .required("id", &ActorInput::id, "Who, in the caller's own terms.")
          .optional("name", &ActorInput::name, "For people.")
          .optional("metadata", &ActorInput::metadata, free_form(), "Kept as given.");
  return schema;
}

Value PayloadInput::members() const {
  Value out = Value::object();
  add_given(out, "subject", subject);
  add_given(out, "predicate", predicate);
  add_given(out, "value", value);
  add_given(out, "object", object);
  add_given(out, "metadata", metadata);
  return out;
}

const Schema<PayloadInput>& payload_schema() {
  static const auto schema =
      Schema<PayloadInput>()
          .optional("subject", &PayloadInput::subject, "What the claim is about, as an id.")
          .optional("predicate", &PayloadInput::predicate, "What is claimed of it.")
          .optional("value", &PayloadInput::value, "The value claimed, any JSON.")
          .optional("object", &PayloadInput::object, "The other end of a relation, as an id.")
          .optional("metadata", &PayloadInput::metadata, free_form(), "Kept as given.");
  return schema;
}

const Schema<EvidenceRef>& evidence_schema() {
  static const auto schema =
      Schema<EvidenceRef>()
          .required("source_id", &EvidenceRef::source_id, "The source that was ingested.")
          .required("segment_id", &EvidenceRef::segment_id, "A segment of that source.")
          .optional("locator", &EvidenceRef::locator, free_form(),
                    "Must equal the stored locator where given.")
          .optional("hash", &EvidenceRef::hash, "Must equal the stored hash where given.");
  return schema;
}

Filters FiltersInput::filters() const {
  return {.object_types = united(object_type, object_types),
          .kinds = united(kind, kinds),
          .statuses = united(status, statuses),
          .node_ids = united(node_id, node_ids),
          .source_ids = united(source_id, source_ids),
          .include_temporary = include_temporary};
}

const Schema<FiltersInput>& filters_schema() {
  using In = FiltersInput;
  static const auto schema =
      Schema<In>()
          .optional("object_type", &In::object_type, "source, node, knowledge, activity, work_item")
          .optional("object_types", &In::object_types, "Any of these types.")
          .optional("kind", &In::kind, "decision, procedure, fact, task, repo, ...")
          .optional("kinds", &In::kinds, "Any of these kinds.")
          .optional("status", &In::status, "active, candidate, open, ...")
          .optional("statuses", &In::statuses, "Any of these statuses.")
          .optional("node_id", &In::node_id, "That node, or what refers to it.")
          .optional("node_ids", &In::node_ids, "Any of these nodes, or what refers to them.")
          .optional("source_id", &In::source_id, "That source, or what refers to it.")
          .optional("source_ids", &In::source_ids, "Any of these sources, or what refers to them.")
          .optional("include_temporary", &In::include_temporary,
                    "Also what was stored as temporary, scratch or evaluation.");
  return schema;
}

wire::FieldOption graph_backends() { return wire::one_of({"file", "kuzu"}); }
wire::FieldOption semantic_backends() { return wire::one_of({"lancedb"}); }

}  // namespace holdfast::surface::substrate
