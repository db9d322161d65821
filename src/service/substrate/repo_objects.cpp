#include "service/substrate/repo_objects.h"

#include <fmt/format.h>

#include "service/substrate/document_source.h"
#include "service/substrate/ids.h"
#include "service/substrate/repo_intelligence.h"
#include "service/substrate/repo_payload.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kEntryNodes = 10;
constexpr size_t kModuleNodes = 120;
constexpr size_t kNodeSymbols = 8;
constexpr size_t kFactEvidence = 3;
constexpr double kFactConfidence = 0.65;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

Value ingest_note(const RepoFacts& facts) {
  Value pending = Value::array();
  for (const auto& path : facts.excluded_by_preflight) {
    pending.push(Value::object({{"path", path},
                                {"kind", kAgentStateKind},
                                {"reason", kAgentStateReason},
                                {"suggested_action", "exclude"}}));
  }
  return Value::object({{"include_patterns", Value::array_of(facts.include_patterns)},
                        {"exclude_patterns", Value::array_of(facts.exclude_patterns)},
                        {"pending_decisions", std::move(pending)},
                        {"excluded_by_preflight", Value::array_of(facts.excluded_by_preflight)}});
}

Node node_of(std::string kind, const std::string& name, const std::string& key) {
  return {.id = stable_id("node", key),
          .kind = std::move(kind),
          .name = name,
          .slug = slug(name),
          .identity_key = key};
}

Node entry_node(const RepoFacts& facts, const TopLevelEntry& entry) {
  const bool document = lower(entry.name).ends_with(".md");
  Node node = node_of(entry.is_folder ? "module"
                      : document      ? "document"
                                      : "component",
                      entry.name, fmt::format("node|repo_entry|{}|{}", facts.root, entry.name));
  node.aliases = {entry.name};
  node.summary = fmt::format("Top-level {} of repository {}.", entry.is_folder ? "folder" : "file",
                             facts.name());
  return node;
}

// src/app/cache.py is src.app.cache.
std::string dotted(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  std::string name = dot != std::string::npos && (slash == std::string::npos || dot > slash)
                         ? path.substr(0, dot)
                         : path;
  for (char& c : name) c = c == '/' ? '.' : c;
  return name;
}

Node module_node(const RepoFacts& facts, const RepoModule& module) {
  Node node = node_of("module", dotted(module.path),
                      fmt::format("node|module|{}|{}", facts.root, module.path));
  std::vector<std::string> symbols;
  for (const auto& symbol : first(module.code.symbols, kNodeSymbols))
    symbols.push_back(symbol.name);
  node.aliases = {module.path};
  node.summary = fmt::format("{} module with {} classes and {} functions.", module.language,
                             module.code.classes.size(), module.code.functions.size());
  if (!symbols.empty()) node.summary += " Symbols: " + joined(symbols) + ".";
  return node;
}

std::vector<Node> nodes_of(const RepoFacts& facts, const RepoScan& scan, const RepoCode& code) {
  Node repo = node_of("repo", facts.name(), facts.node_key());
  repo.aliases = {facts.root};
  repo.summary = fmt::format("Repository {} with {} files.", facts.name(), scan.files.size());
  std::vector<Node> nodes = {std::move(repo)};
  for (const auto& entry : first(scan.top_level, kEntryNodes))
    nodes.push_back(entry_node(facts, entry));
  for (const auto& module : first(code.modules, kModuleNodes))
    nodes.push_back(module_node(facts, module));
  return nodes;
}

Source source_of(const RepoFacts& facts, const RepoFolder& folder, const RepoScan& scan,
                 const RepoCode& code, Timestamp now) {
  Source source{.id = stable_id("src", facts.source_key()),
                .kind = "repo",
                .origin = Value::object({{"path", facts.root}}),
                .title = facts.name(),
                .identity_key = facts.source_key(),
                .fingerprint = facts.fingerprint,
                .content_type = "repo_map",
                .payload = repo_payload(facts.name(), scan, code),
                .segments = repo_segments(folder, scan, code)};
  source.metadata = source_metadata(
      {.name = "repo",
       .version = "repo-adapter.v1",
       .mode = "repo",
       .supported_modes = {"repo"},
       .transformations = {"repo_map", "code_index", "document_sections", "source_segments"},
       .privacy_class = "local_repo",
       .origin_class = "local_repo"},
      facts.fingerprint, now);
  source.metadata.set("repo_ingest", ingest_note(facts));
  return source;
}

Knowledge fact_of(const RepoFacts& facts, const RepoScan& scan, const Source& source,
                  const std::string& repo_node, Timestamp now) {
  const std::string key = fmt::format("knowledge|repo|{}|source_roots", facts.root);
  Knowledge fact{
      .id = stable_id("know", key),
      .kind = "fact",
      .title = facts.name() + " source roots",
      .summary = fmt::format("Primary source roots detected: {}.", joined(scan.source_roots)),
      .identity_key = key,
      .subject_refs = {repo_node},
      .status = "candidate",
      .confidence = kFactConfidence,
      .valid_from = time_text(now),
      .last_verified_at = time_text(now)};
  fact.payload = Value::object({{"subject", repo_node},
                                {"predicate", "source_roots"},
                                {"value", Value::array_of(scan.source_roots)}});
  for (const auto& segment : first(source.segments, kFactEvidence))
    fact.evidence_refs.push_back({.source_id = source.id, .segment_id = segment.segment_id});
  return fact;
}

}  // namespace

std::string RepoFacts::name() const {
  const std::string name = root.substr(root.rfind('/') + 1);
  return name.empty() ? root : name;
}

RepoObjects objects_of(const RepoFacts& facts, const RepoFolder& folder, const RepoScan& scan,
                       const RepoCode& code, Timestamp now) {
  RepoObjects made{.source = source_of(facts, folder, scan, code, now),
                   .nodes = nodes_of(facts, scan, code)};
  const std::string& repo_node = made.nodes.front().id;
  if (!scan.source_roots.empty()) made.fact = fact_of(facts, scan, made.source, repo_node, now);
  const std::string key = fmt::format("activity|repo_ingest|{}|{}", facts.root, facts.fingerprint);
  made.activity = {.id = stable_id("act", key),
                   .kind = "research",
                   .title = "Initial repo ingest: " + facts.name(),
                   .summary = fmt::format("Captured repository {} with {} files and {} modules.",
                                          facts.name(), scan.files.size(), code.modules.size()),
                   .identity_key = key,
                   .status = "finalized",
                   .started_at = time_text(now),
                   .ended_at = time_text(now),
                   .source_refs = {made.source.id},
                   .artifact_refs = {facts.root}};
  for (const Node& node : made.nodes) made.activity.related_node_refs.push_back(node.id);
  if (made.fact) made.activity.produced_object_refs = {made.fact->id};
  return made;
}

}  // namespace holdfast::service::substrate
