// memory_remember: its modes.
#include <variant>

#include <fmt/format.h>

#include "surface/substrate/remember_inputs.h"
#include "surface/substrate/tools.h"
#include "surface/substrate/validation_text.h"

namespace holdfast::surface::substrate {
namespace {

using service::substrate::Remembered;
using service::substrate::RememberOptions;
using service::substrate::RememberService;
using wire::Schema;

struct WriteOptions {
  std::optional<std::string> graph_backend = std::nullopt;
};

const Schema<WriteOptions>& write_options_schema() {
  static const auto schema = Schema<WriteOptions>().optional(
      "graph_backend", &WriteOptions::graph_backend, graph_backends(),
      "Also report what the write added to the graph.");
  return schema;
}

Value encode_duplicates(const Remembered& answer) {
  Value out = Value::array();
  for (const auto& one : answer.possible_duplicates) {
    out.push(Value::object({{"object_id", one.object_id},
                            {"score", one.score},
                            {"reasons", Value::array_of(one.reasons)},
                            {"title", one.title},
                            {"kind", one.kind},
                            {"status", one.status}}));
  }
  return out;
}

Value encode_remembered(const Remembered& answer) {
  Value out = Value::object({{"result_type", "remember_result"},
                             {"object_type", answer.object_type},
                             {"object_id", answer.object_id},
                             {"status", answer.status},
                             {"patch_id", answer.patch_id},
                             {answer.object_type + "_id", answer.object_id},
                             {"applied_operations", answer.audit_event_ids.size()},
                             {"audit_event_ids", Value::array_of(answer.audit_event_ids)},
                             {"projection_count", answer.projection_count}});
  if (answer.old_status) out.set("old_status", *answer.old_status);
  if (answer.old_knowledge_id) {
    out.set("old_knowledge_id", *answer.old_knowledge_id);
    out.set("new_knowledge_id", answer.object_id);
  }
  if (const auto& contract = answer.evidence_contract) {
    out.set("possible_duplicates", encode_duplicates(answer));
    out.set("evidence_contract",
            Value::object({{"provenance", contract->provenance},
                           {"generated_source_id", or_null(contract->generated_source_id)},
                           {"evidence_ref_count", contract->evidence_ref_count},
                           {"requires_review", contract->requires_review}}));
  }
  if (const auto& sync = answer.graph_sync) {
    out.set("graph_sync", Value::object({{"status", "completed"},
                                         {"synced_objects", sync->synced_objects},
                                         {"synced_relations", sync->synced_relations},
                                         {"backend", sync->backend}}));
  }
  return out;
}

// A mode whose input becomes one request of the service.
template <typename Input, typename Request>
Mode write_mode(const std::string& name, const Schema<Input>& input, RememberService& service,
                Request (Input::*request)() const,
                Result<Remembered> (RememberService::*write)(const CallContext&, const Request&,
                                                             const RememberOptions&)) {
  return make_mode(name, input, write_options_schema(),
                   [&service, request, write](const ModeCall& call, const Input& in,
                                              const WriteOptions& options) -> Result<Value> {
                     HOLDFAST_TRY(const Remembered answer,
                                  (service.*write)(call.call, (in.*request)(),
                                                   {.graph_backend = options.graph_backend}));
                     return encode_remembered(answer);
                   });
}

// One entry of a batch: a mode and its input, like a call of its own.
struct BatchEntry {
  std::variant<KnowledgeInput, ActivityInput, WorkItemInput> input = {};
};

template <typename Input>
struct EntryArgs {
  std::string mode = {};
  Input input_data = {};
};

template <typename Input>
Schema<EntryArgs<Input>> entry_schema(const std::string& mode, const Schema<Input>& input) {
  using Args = EntryArgs<Input>;
  return Schema<Args>()
      .required("mode", &Args::mode, wire::one_of({mode}))
      .required("input_data", &Args::input_data, input);
}

struct EntryKind {
  std::string mode;
  Value schema;
  std::function<void(const Value&, BatchEntry&, wire::Reading&)> read;
};

template <typename Input>
EntryKind entry_kind(const std::string& mode, const Schema<Input>& input) {
  const auto schema = entry_schema(mode, input);
  return {.mode = mode,
          .schema = schema.json_schema(strictness()),
          .read = [schema](const Value& value, BatchEntry& out, wire::Reading& reading) {
            EntryArgs<Input> args;
            schema.read_into(value, args, reading);
            out.input = std::move(args.input_data);
          }};
}

const std::vector<EntryKind>& entry_kinds() {
  static const std::vector<EntryKind> kinds = {entry_kind("activity", activity_schema()),
                                               entry_kind("knowledge", knowledge_schema()),
                                               entry_kind("work_item", work_item_schema())};
  return kinds;
}

void read_entry(const Value& value, BatchEntry& out, wire::Reading& reading) {
  if (!value.is_object()) return reading.add_type("object", value);
  const Value* mode = value.find("mode");
  const auto* name = mode != nullptr ? mode->if_string() : nullptr;
  if (name == nullptr) return reading.add(rule::kTagMissing);
  std::vector<Issue::Param> params = {{"tag", *name}};
  for (const EntryKind& kind : entry_kinds()) {
    if (kind.mode == *name) {
      const wire::Place place(reading, std::string_view(kind.mode));
      return kind.read(value, out, reading);
    }
    params.push_back({"expected", kind.mode});
  }
  reading.add(rule::kTagUnknown, std::move(params));
}

Value entry_json_schema() {
  Value choices = Value::array();
  for (const EntryKind& kind : entry_kinds()) choices.push(kind.schema);
  return Value::object({{"oneOf", std::move(choices)},
                        {"discriminator", Value::object({{"propertyName", "mode"}})}});
}

struct BatchInput {
  std::vector<BatchEntry> entries = {};
  std::optional<ActorInput> actor = std::nullopt;
};

// Writes one entry under the batch's actor.
struct WriteEntry {
  RememberService& service;
  const CallContext& call;
  const RememberOptions& options;
  std::optional<Value> actor;

  Result<Remembered> operator()(const KnowledgeInput& in) const {
    auto request = in.request();
    request.declared.actor = actor;
    return service.knowledge(call, request, options);
  }
  Result<Remembered> operator()(const ActivityInput& in) const {
    auto request = in.request();
    request.declared.actor = actor;
    return service.activity(call, request, options);
  }
  Result<Remembered> operator()(const WorkItemInput& in) const {
    auto request = in.request();
    request.declared.actor = actor;
    return service.work_item(call, request, options);
  }
};

Mode batch_mode(RememberService& service) {
  return make_mode(
      "batch",
      Schema<BatchInput>()
          .required("entries", &BatchInput::entries,
                    wire::read_by<BatchEntry>(read_entry, entry_json_schema()),
                    "Creations, made one after the other; those before a failing one stay.")
          .optional("actor", &BatchInput::actor, actor_schema(), "Who writes, for all entries."),
      write_options_schema(),
      [&service](const ModeCall& call, const BatchInput& in,
                 const WriteOptions& options) -> Result<Value> {
        Value results = Value::array();
        for (size_t i = 0; i < in.entries.size(); ++i) {
          const RememberOptions how{.graph_backend = options.graph_backend,
                                    .part = fmt::format("#{}", i)};
          HOLDFAST_TRY(const Remembered answer,
                       std::visit(WriteEntry{service, call.call, how, actor_value(in.actor)},
                                  in.entries[i].input));
          results.push(encode_remembered(answer));
        }
        return Value::object({{"status", "completed"},
                              {"created", in.entries.size()},
                              {"results", std::move(results)}});
      });
}

}  // namespace

ModeTool remember_tool(const Services& services) {
  RememberService& service = services.remember;
  return {
      .name = "memory_remember",
      .title = "Remember",
      .description =
          "Store durable memory after review: knowledge (facts, decisions, procedures, "
          "preferences), "
          "activity (what was done) or work_item (what is to be done). Query first, say why with "
          "reason, memory_source and scope_refs, and cite evidence_refs of ingested sources. What "
          "you "
          "infer yourself is stored as a candidate; repeats are refused, contradictions are stored "
          "as "
          "contested, similar items come back as possible_duplicates. promote, contest, supersede "
          "and "
          "work_item_status change what is there.",
      .hints = {.read_only = false, .destructive = false, .open_world = false},
      .scope = "write",
      .modes = {write_mode("activity", activity_schema(), service, &ActivityInput::request,
                           &RememberService::activity),
                write_mode("knowledge", knowledge_schema(), service, &KnowledgeInput::request,
                           &RememberService::knowledge),
                write_mode("work_item", work_item_schema(), service, &WorkItemInput::request,
                           &RememberService::work_item),
                write_mode("work_item_status", status_schema(), service, &StatusInput::request,
                           &RememberService::work_item_status),
                write_mode("promote", judge_schema(), service, &JudgeInput::request,
                           &RememberService::promote),
                write_mode("supersede", supersede_schema(), service, &SupersedeInput::request,
                           &RememberService::supersede),
                write_mode("contest", judge_schema(), service, &JudgeInput::request,
                           &RememberService::contest),
                batch_mode(service)}};
}

}  // namespace holdfast::surface::substrate
