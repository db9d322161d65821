#include "surface/substrate/maintain_modes.h"

#include "surface/substrate/encode_maintain.h"
#include "surface/substrate/validation_text.h"

namespace holdfast::surface::substrate {
namespace {

using namespace service::substrate;
using wire::Schema;

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

}  // namespace

const wire::Schema<ApplyOptions>& apply_schema() {
  static const auto schema = wire::Schema<ApplyOptions>().optional(
      "apply", &ApplyOptions::apply,
      wire::rule_of(
          [](const Value& value, wire::Reading& reading) {
            const auto* given = value.if_bool();
            if (given == nullptr || !*given) reading.add(rule::kMustBeTrue, {}, &value);
          },
          [](Value& described) { described.set("const", true); }),
      "Must be true: the mode changes memory.");
  return schema;
}

std::vector<Mode> lifecycle_modes(MaintainService& service) {
  return {lifecycle_mode("promote_candidates", promote_schema(), service,
                         &MaintainService::promote_candidates, "promoted"),
          merge_mode(service),
          resolve_mode(service),
          archive_source_mode(service),
          archive_knowledge_mode(service),
          lifecycle_mode("decay_stale", decay_schema(), service, &MaintainService::decay_stale,
                         "decayed"),
          cycle_mode(service),
          report_mode(service)};
}

}  // namespace holdfast::surface::substrate
