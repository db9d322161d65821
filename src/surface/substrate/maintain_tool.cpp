// memory_maintain: its modes.
#include "surface/substrate/encode_maintain.h"
#include "surface/substrate/maintain_modes.h"
#include "surface/substrate/shared_schemas.h"
#include "surface/substrate/tools.h"

namespace holdfast::surface::substrate {
namespace {

using namespace service::substrate;
using wire::Schema;

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
          request.wiki_path = from_caller(call, in.wiki_projection->path);
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
  std::vector<Mode> modes = {configure_mode(service), structure_mode(service), audit_mode(service),
                             reindex_mode(service), repair_mode(service)};
  for (Mode& mode : lifecycle_modes(service)) modes.push_back(std::move(mode));
  modes.push_back(render_mode(service));
  modes.push_back(reconcile_mode(service));
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
      .modes = std::move(modes)};
}

}  // namespace holdfast::surface::substrate
