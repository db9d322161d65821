// memory_maintain: its modes.
#include <fmt/format.h>

#include "surface/substrate/encode_maintain.h"
#include "surface/substrate/shared_schemas.h"
#include "surface/substrate/tools.h"
#include "surface/substrate/validation_text.h"

namespace holdfast::surface::substrate {
namespace {

using namespace service::substrate;
using wire::Schema;

struct ApplyOptions {
  std::optional<bool> apply = std::nullopt;
};

const Schema<ApplyOptions>& apply_schema() {
  static const auto schema =
      Schema<ApplyOptions>().optional("apply", &ApplyOptions::apply,
                                      wire::rule_of(
                                          [](const Value& value, wire::Reading& reading) {
                                            const auto* given = value.if_bool();
                                            if (given == nullptr || !*given)
                                              reading.add(rule::kMustBeTrue, {}, &value);
                                          },
                                          [](Value& described) { described.set("const", true); }),
                                      "Must be true: the mode changes memory.");
  return schema;
}

// A mode that changes memory only when told to.
template <typename Input, typename Answer>
Mode changing_mode(const std::string& name, const Schema<Input>& input, Answer answer) {
  return make_mode(name, input, apply_schema(),
                   [name, answer](const ModeCall& call, const Input& in,
                                  const ApplyOptions& options) -> Result<Value> {
                     if (!options.apply) {
                       return invalid_argument(
                           fmt::format("memory_maintain mode '{}' mutates memory and requires "
                                       "options.apply=true",
                                       name));
                     }
                     return answer(call, in);
                   });
}

template <typename Input, typename Answer>
Mode reading_mode(const std::string& name, const Schema<Input>& input, Answer answer) {
  return make_mode(name, input, Schema<NoOptions>(),
                   [answer](const ModeCall& call, const Input& in, const NoOptions&) {
                     return answer(call, in);
                   });
}

struct WikiInput {
  std::string path = {};
  std::string format = "obsidian";
};
struct ConfigureInput {
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
  std::optional<WikiInput> wiki_projection = std::nullopt;
};

Mode configure_mode(MaintainService& service) {
  return changing_mode(
      "configure",
      Schema<ConfigureInput>()
          .optional("graph_backend", &ConfigureInput::graph_backend, graph_backends())
          .optional("semantic_backend", &ConfigureInput::semantic_backend, semantic_backends())
          .optional("wiki_projection", &ConfigureInput::wiki_projection,
                    Schema<WikiInput>()
                        .required("path", &WikiInput::path, "A folder for pages.")
                        .optional("format", &WikiInput::format, "obsidian")),
      [&](const ModeCall& call, const ConfigureInput& in) -> Result<Value> {
        ConfigureRequest request{.graph_backend = in.graph_backend,
                                 .semantic_backend = in.semantic_backend};
        if (in.wiki_projection) {
          request.wiki_path = in.wiki_projection->path;
          request.wiki_format = in.wiki_projection->format;
        }
        HOLDFAST_TRY(const Config config, service.configure(call.call, request));
        return encode_config(config);
      });
}

Mode structure_mode(MaintainService& service) {
  return reading_mode("structure", Schema<NoInput>(),
                      [&](const ModeCall& call, const NoInput&) -> Result<Value> {
                        HOLDFAST_TRY(const auto issues, service.structure(call.call));
                        return encode_structure(issues);
                      });
}

struct AuditOptions {
  int64_t max_items = 100;
};

Mode audit_mode(MaintainService& service) {
  return make_mode(
      "audit", Schema<NoInput>(),
      Schema<AuditOptions>().optional("max_items", &AuditOptions::max_items, wire::at_least(1)),
      [&](const ModeCall& call, const NoInput&, const AuditOptions& options) -> Result<Value> {
        HOLDFAST_TRY(const auto events, service.audit(call.call, options.max_items));
        return encode_audit(events);
      });
}

Mode reindex_mode(MaintainService& service) {
  return make_mode(
      "reindex", Schema<NoInput>(),
      Schema<ReindexRequest>()
          .optional("graph_backend", &ReindexRequest::graph_backend, graph_backends())
          .optional("semantic_backend", &ReindexRequest::semantic_backend, semantic_backends()),
      [&](const ModeCall& call, const NoInput&, const ReindexRequest& options) -> Result<Value> {
        HOLDFAST_TRY(const auto answer, service.reindex(call.call, options));
        return encode_reindexed(answer);
      });
}

Mode repair_mode(MaintainService& service) {
  return changing_mode("repair", Schema<NoInput>(),
                       [&](const ModeCall& call, const NoInput&) -> Result<Value> {
                         HOLDFAST_TRY(const auto answer, service.repair(call.call));
                         return encode_repaired(answer);
                       });
}

Schema<LifecycleParams> promote_schema() {
  return Schema<LifecycleParams>()
      .optional("min_confidence", &LifecycleParams::min_confidence)
      .optional("min_evidence", &LifecycleParams::min_evidence);
}

Schema<LifecycleParams> decay_schema() {
  return Schema<LifecycleParams>()
      .optional("reference_time", &LifecycleParams::reference_time, "ISO 8601; now.")
      .optional("stale_after_days", &LifecycleParams::stale_after_days);
}

Schema<LifecycleParams> all_params_schema() {
  return promote_schema()
      .optional("reference_time", &LifecycleParams::reference_time, "ISO 8601; now.")
      .optional("stale_after_days", &LifecycleParams::stale_after_days);
}

using Lifecycle = Result<Maintained> (MaintainService::*)(const CallContext&,
                                                          const LifecycleParams&);

Mode lifecycle_mode(const std::string& name, const Schema<LifecycleParams>& input,
                    MaintainService& service, Lifecycle act, const std::string& count) {
  return changing_mode(
      name, input,
      [&service, act, count](const ModeCall& call, const LifecycleParams& in) -> Result<Value> {
        HOLDFAST_TRY(const Maintained answer, (service.*act)(call.call, in));
        Value out = encode_maintained(answer);
        out.set(count, answer.changed);
        return out;
      });
}

Mode merge_mode(MaintainService& service) {
  return changing_mode("merge_duplicates", Schema<NoInput>(),
                       [&](const ModeCall& call, const NoInput&) -> Result<Value> {
                         HOLDFAST_TRY(const auto answer, service.merge_duplicates(call.call));
                         Value out = encode_maintained(answer);
                         out.set("merged", answer.changed);
                         return out;
                       });
}

const Schema<ResolveUpdate>& update_schema() {
  static const auto schema = Schema<ResolveUpdate>()
                                 .required("knowledge_id", &ResolveUpdate::knowledge_id)
                                 .optional("summary", &ResolveUpdate::summary)
                                 .optional("scope_refs", &ResolveUpdate::scope_refs);
  return schema;
}

Mode resolve_mode(MaintainService& service) {
  return changing_mode(
      "resolve_duplicates",
      Schema<ResolveRequest>()
          .required("outcome", &ResolveRequest::outcome)
          .required("knowledge_ids", &ResolveRequest::knowledge_ids, wire::items(2, SIZE_MAX))
          .required("reason", &ResolveRequest::reason, wire::min_length(1))
          .optional("canonical_knowledge_id", &ResolveRequest::canonical_knowledge_id,
                    "The one to keep, with supersede.")
          .optional("updates", &ResolveRequest::updates, update_schema(),
                    "What tells them apart, with keep_both."),
      [&](const ModeCall& call, const ResolveRequest& in) -> Result<Value> {
        HOLDFAST_TRY(const Maintained answer, service.resolve_duplicates(call.call, in));
        Value out = encode_maintained(answer);
        out.set("outcome", enum_name(in.outcome));
        out.set("resolved", answer.changed);
        out.set("knowledge_ids", Value::array_of(in.knowledge_ids));
        return out;
      });
}

Schema<ArchiveRequest> archive_schema(const std::string& id) {
  return Schema<ArchiveRequest>()
      .required(id, &ArchiveRequest::id)
      .required("reason", &ArchiveRequest::reason, wire::min_length(1));
}

Mode archive_source_mode(MaintainService& service) {
  return changing_mode(
      "archive_source", archive_schema("source_id"),
      [&](const ModeCall& call, const ArchiveRequest& in) -> Result<Value> {
        HOLDFAST_TRY(const Maintained answer, service.archive_source(call.call, in));
        Value out = encode_maintained(answer);
        out.set("archived_source_id", in.id);
        out.set("stale_knowledge_ids", Value::array_of(answer.stale_knowledge_ids));
        out.set("partially_affected_knowledge_ids",
                Value::array_of(answer.partially_affected_knowledge_ids));
        return out;
      });
}

Mode archive_knowledge_mode(MaintainService& service) {
  return changing_mode("archive_knowledge", archive_schema("knowledge_id"),
                       [&](const ModeCall& call, const ArchiveRequest& in) -> Result<Value> {
                         HOLDFAST_TRY(const auto answer, service.archive_knowledge(call.call, in));
                         Value out = encode_maintained(answer);
                         out.set("result_type", "archive_knowledge_result");
                         out.set("archived_knowledge_id", in.id);
                         return out;
                       });
}

Mode cycle_mode(MaintainService& service) {
  return changing_mode("cycle", all_params_schema(),
                       [&](const ModeCall& call, const LifecycleParams& in) -> Result<Value> {
                         HOLDFAST_TRY(const auto answer, service.cycle(call.call, in));
                         return encode_cycled(answer);
                       });
}

Mode report_mode(MaintainService& service) {
  return reading_mode("report", all_params_schema(),
                      [&](const ModeCall& call, const LifecycleParams& in) -> Result<Value> {
                        HOLDFAST_TRY(const auto report, service.report(call.call, in));
                        return encode_report(report);
                      });
}

Mode render_mode(MaintainService& service) {
  return changing_mode("render_projection", Schema<NoInput>(),
                       [&](const ModeCall& call, const NoInput&) -> Result<Value> {
                         HOLDFAST_TRY(const auto answer, service.render_projection(call.call));
                         return encode_rendered(answer);
                       });
}

Mode reconcile_mode(MaintainService& service) {
  return reading_mode("reconcile_projection", Schema<NoInput>(),
                      [&](const ModeCall& call, const NoInput&) -> Result<Value> {
                        HOLDFAST_TRY(const auto answer, service.reconcile_projection(call.call));
                        return encode_reconciled(answer);
                      });
}

}  // namespace

ModeTool maintain_tool(const Services& services) {
  MaintainService& service = services.maintain;
  return {
      .name = "memory_maintain",
      .title = "Maintain memory",
      .description =
          "Look after memory. report lists what deserves attention (candidates to promote, stale "
          "or "
          "duplicate knowledge, concept candidates, contradictions); structure checks references; "
          "audit shows who changed what; both change nothing. Modes that change memory (promote_"
          "candidates, merge_duplicates, resolve_duplicates, archive_source, archive_knowledge, "
          "decay_stale, cycle, repair, configure, render_projection) need options.apply=true.",
      .hints = {.read_only = false, .destructive = true, .open_world = false},
      .scope = "read",
      .modes = {configure_mode(service), structure_mode(service), audit_mode(service),
                reindex_mode(service), repair_mode(service),
                lifecycle_mode("promote_candidates", promote_schema(), service,
                               &MaintainService::promote_candidates, "promoted"),
                merge_mode(service), resolve_mode(service), archive_source_mode(service),
                archive_knowledge_mode(service),
                lifecycle_mode("decay_stale", decay_schema(), service,
                               &MaintainService::decay_stale, "decayed"),
                cycle_mode(service), report_mode(service), render_mode(service),
                reconcile_mode(service)}};
}

}  // namespace holdfast::surface::substrate
