// memory_ingest of a repository: look at it, and write what changed in one patch.
#include <algorithm>

#include "base/log.h"
#include "service/substrate/idempotent.h"
#include "service/substrate/ingest_paths.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/ingest_write.h"
#include "service/substrate/page_count.h"
#include "service/substrate/repo_code.h"
#include "service/substrate/repo_objects.h"
#include "service/substrate/scan_record.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::ReadTxn;
using storage::WriteTxn;

constexpr std::string_view kMissingFromScan = "repo_ingest_missing_from_latest_scan";

std::vector<std::string> sorted(std::vector<std::string> list) {
  std::ranges::sort(list);
  return list;
}

// Include patterns may name files below a folder without naming the folder.
bool would_be_read(const RepoFolder& folder, const PathRules& rules, const std::string& path,
                   FolderEntry::Kind kind) {
  if (rules.counts(path)) return true;
  if (kind != FolderEntry::Kind::kFolder || rules.prunes(path)) return false;
  return std::ranges::any_of(folder.list(path), [&](const FolderEntry& entry) {
    return !PathRules::is_skipped_name(entry.name) &&
           would_be_read(folder, rules, path_below(path, entry.name), entry.kind);
  });
}

// Agent state at the top that nobody has decided about.
std::vector<std::string> preflight(const RepoFolder& folder, const PathRules& rules) {
  std::vector<std::string> found;
  for (const FolderEntry& entry : folder.list("")) {
    if (is_agent_state(entry.name) && would_be_read(folder, rules, entry.name, entry.kind))
      found.push_back(entry.name);
  }
  return found;
}

// The stored scan says the same of the same patterns.
bool is_unchanged(const Stored& stored, const RepoFacts& facts) {
  const DocumentView view = stored.view();
  const Value* metadata = stored.json.find("metadata");
  const Value* note = metadata != nullptr ? metadata->find("repo_ingest") : nullptr;
  if (note == nullptr) return false;
  const DocumentView patterns(ObjectType::kSource, *note);
  return view.text("status") == "active" && view.text("kind") == "repo" &&
         view.text("identity_key") == facts.source_key() &&
         view.text("fingerprint") == facts.fingerprint &&
         sorted(patterns.texts("include_patterns")) == sorted(facts.include_patterns) &&
         sorted(patterns.texts("exclude_patterns")) == sorted(facts.exclude_patterns);
}

Result<std::optional<Stored>> find_unchanged(ReadTxn& txn, const SpaceAccess& access,
                                             const RepoFacts& facts) {
  HOLDFAST_TRY(auto stored, find_stored(txn, access, stable_id("src", facts.source_key())));
  if (stored && !is_unchanged(*stored, facts)) stored.reset();
  return stored;
}

// Objects of an earlier scan of this repository that this one does not have.
Result<std::vector<Operation>> archive_missing(ReadTxn& txn, const SpaceAccess& access,
                                               const std::string& root,
                                               const std::vector<Operation>& present) {
  std::vector<Operation> operations;
  const Facet of_repo = Facet::of(std::string(shared_facet::kRepository), root);
  for (const ObjectType type : {ObjectType::kNode, ObjectType::kKnowledge}) {
    HOLDFAST_CHECK_OK(each_stored_with(txn, access, type, of_repo, [&](Stored& stored) -> Status {
      const bool kept = std::ranges::any_of(
          present, [&](const Operation& operation) { return operation.id == stored.id(); });
      if (!kept && stored.view().text("status") != "archived")
        operations.push_back(archive(type, stored.id(), kMissingFromScan));
      return {};
    }));
  }
  return operations;
}

Result<std::vector<Operation>> operations_of(ReadTxn& txn, const SpaceAccess& access,
                                             const std::string& root, const RepoObjects& made) {
  std::vector<Operation> operations;
  const auto add = [&](ObjectType type, const auto& value) -> Status {
    HOLDFAST_TRY(auto operation, upsert(txn, access, type, value));
    operations.push_back(std::move(operation));
    return {};
  };
  HOLDFAST_CHECK_OK(add(ObjectType::kSource, made.source));
  for (const Node& node : made.nodes) HOLDFAST_CHECK_OK(add(ObjectType::kNode, node));
  if (made.fact) HOLDFAST_CHECK_OK(add(ObjectType::kKnowledge, *made.fact));
  HOLDFAST_CHECK_OK(add(ObjectType::kActivity, made.activity));
  HOLDFAST_TRY(auto missing, archive_missing(txn, access, root, operations));
  for (Operation& operation : missing) operations.push_back(std::move(operation));
  return operations;
}

RepoIngestResponse response_of(const RepoObjects& made, IngestWrite written) {
  if (written.noop) return {.noop = true, .source_id = made.source.id};
  RepoIngestResponse response{
      .patch_id = std::move(written.patch_id),
      .source_id = made.source.id,
      .activity_id = made.activity.id,
      .applied_operations = static_cast<int64_t>(written.audit_event_ids.size()),
      .audit_event_ids = std::move(written.audit_event_ids)};
  for (const Node& node : made.nodes) response.node_ids.push_back(node.id);
  if (made.fact) response.knowledge_ids.push_back(made.fact->id);
  return response;
}

}  // namespace

// What a repository is made of, found before anything is written.
struct IngestService::RepoVisit {
  const CallContext& call;
  const SpaceAccess& access;
  const IngestWatch& watch;
  RepoFolder folder;
  RepoFacts facts = {};
  RepoScan scan = {};
  std::vector<std::string> agent_state = {};
  size_t known_files = 0;  // that the record of an earlier scan held

  std::string record() const { return write_known_files(scan, SystemClock().now()); }
};

Result<RepoIngestResponse> IngestService::repo(const CallContext& call,
                                               const RepoIngestRequest& request,
                                               const IngestWatch& watch) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  HOLDFAST_TRY(const std::string root, resolve_path(call, options_, request.path));
  HOLDFAST_TRY(RepoFolder folder, RepoFolder::open(root));
  RepoVisit visit{.call = call, .access = access, .watch = watch, .folder = std::move(folder)};
  HOLDFAST_CHECK_OK(look(visit, request));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto unchanged, find_unchanged(*txn, access, visit.facts));
  Result<RepoIngestResponse> response =
      unchanged ? repeat_repo(visit, *unchanged) : write_repo(visit);
  if (!response) return response;
  response->agent_state = visit.agent_state;
  response->agent_state_excluded = !request.force;
  return response;
}

Status IngestService::look(RepoVisit& visit, const RepoIngestRequest& request) {
  PathRules rules(request.include_patterns, request.exclude_patterns);
  visit.facts = {.root = visit.folder.root(),
                 .include_patterns = request.include_patterns,
                 .exclude_patterns = request.exclude_patterns};
  visit.agent_state = preflight(visit.folder, rules);
  if (!request.force) {
    for (const auto& name : visit.agent_state) {
      rules.exclude(name);
      visit.facts.exclude_patterns.push_back(name);
    }
    visit.facts.excluded_by_preflight = visit.agent_state;
  }
  const std::string source_id = stable_id("src", visit.facts.source_key());
  KnownFiles known;
  if (!request.force) {
    HOLDFAST_TRY(const auto txn, store_.begin_read(visit.call.deadline));
    HOLDFAST_TRY(known, read_scan_record(*txn, visit.access, source_id));
  }
  visit.known_files = known.size();
  HOLDFAST_TRY(visit.scan, scan_repo({.folder = visit.folder,
                                      .rules = rules,
                                      .known = known,
                                      .watch = visit.watch,
                                      .max_files = options_.limits.max_repo_files}));
  visit.facts.fingerprint = fingerprint_of(visit.scan);
  return {};
}

Result<RepoIngestResponse> IngestService::repeat_repo(const RepoVisit& visit,
                                                      const Stored& stored) {
  HOLDFAST_TRY(const Source source, struct_of<Source>(stored));
  RepoIngestResponse response{.noop = true, .source_id = source.id};
  // Files that were too fresh to be recorded the last time may be by now. No part of the memory:
  // failing costs the next scan some time.
  const std::string record = visit.record();
  if (read_known_files(record).size() > visit.known_files) {
    const auto kept = store_.write(visit.call, [&](WriteTxn& txn) {
      return write_scan_record(txn, visit.access, source.id, record);
    });
    if (!kept) log::warn("scan_record_not_kept", {{"cause", kept.error().message}});
  }
  HOLDFAST_TRY(response.suggestions, suggest(store_, visit.call, visit.access, source,
                                             stable_id("node", visit.facts.node_key())));
  return response;
}

Result<RepoIngestResponse> IngestService::write_repo(const RepoVisit& visit) {
  HOLDFAST_TRY(const RepoCode code, read_code(visit.folder, visit.scan, visit.watch));
  HOLDFAST_CHECK_OK(check_cancelled(visit.watch));
  const RepoObjects made = objects_of(visit.facts, visit.folder, visit.scan, code, clock_.now());
  const std::string record = visit.record();
  const auto act = [&](WriteTxn& txn) -> Result<IngestWrite> {
    // Another caller may have ingested the same state while we looked.
    HOLDFAST_TRY(const auto unchanged, find_unchanged(txn, visit.access, visit.facts));
    if (unchanged) return IngestWrite{.noop = true};
    HOLDFAST_TRY(auto operations, operations_of(txn, visit.access, visit.facts.root, made));
    HOLDFAST_TRY(auto written, write_operations(txn, visit.access, "repo", std::move(operations)));
    HOLDFAST_CHECK_OK(write_scan_record(txn, visit.access, made.source.id, record));
    return written;
  };
  HOLDFAST_TRY(
      IngestWrite written,
      write_once<IngestWrite>(store_, visit.call, visit.access, {.operation = "ingest"}, act,
                              [&](const IngestWrite&) {
                                return std::vector<ObjectKey>{
                                    {std::string(type_name(ObjectType::kSource)), made.source.id}};
                              }));
  RepoIngestResponse response = response_of(made, std::move(written));
  HOLDFAST_TRY(response.suggestions,
               suggest(store_, visit.call, visit.access, made.source, made.nodes.front().id));
  if (!response.noop) {
    HOLDFAST_TRY(response.projection_count, count_pages(index_, visit.access));
  }
  return response;
}

}  // namespace holdfast::service::substrate
