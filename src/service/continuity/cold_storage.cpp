// Archives that are no longer needed at hand. Cold ones keep their content; lists show no more of
// them than a stub.
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/time_text.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/trust.h"
#include "service/continuity/utc_time.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::string_view kArchiveFolder = "memory/continuity/archive/";
constexpr std::string_view kStubFolder = "memory/continuity/cold/index/";
constexpr const char* kNoEnvelope = "Continuity archive envelope not found";
constexpr const char* kNoStub = "Continuity cold stub not found";
constexpr size_t kLongestPath = 400;

// kind-slug-time of a path below a folder; empty if it is not one.
std::string stem_of(std::string_view path, std::string_view folder, std::string_view ending) {
  if (!path.starts_with(folder) || !path.ends_with(ending) || path.size() > kLongestPath ||
      path.size() <= folder.size() + ending.size())
    return {};
  return std::string(path.substr(folder.size(), path.size() - folder.size() - ending.size()));
}

Result<StoredCapsule> find_archive(storage::ReadTxn& txn, const Access& access,
                                   const std::string& stem, const char* missing) {
  const auto object = txn.get(access, {.kind = archive_noun().kind, .id = stem});
  if (object) return storage::value_of(archive_noun(), *object);
  if (object.error().code != ErrorCode::kNotFound) return object.error();
  return absent(missing);
}

Result<StoredCapsule> require_archive(storage::ReadTxn& txn, const Access& access,
                                      const std::string& stem, bool cold, const char* missing) {
  HOLDFAST_TRY(StoredCapsule stored, find_archive(txn, access, stem, missing));
  if (stored.cold_stored_at.empty() == cold) return absent(missing);
  return stored;
}

Status check_identity(const StoredCapsule& stored) {
  if (stored.archive_stem == stored.stem + "-" + compact_time(stored.archived_at)) return {};
  return bad_request("Continuity archive envelope identity does not match source_archive_path");
}

Value paths(std::initializer_list<std::string> names) {
  Value out = Value::array();
  for (const std::string& name : names) out.push(name);
  return out;
}

const char* failure_status(const Error& error) {
  switch (error.code) {
    case ErrorCode::kPermissionDenied: return "failed_authorization";
    case ErrorCode::kConflict: return "failed_conflict";
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kCorrupted: return "failed_invalid_archive";
    default: return "failed_internal";
  }
}

}  // namespace

// A dry run does everything and keeps nothing of it.
Result<Value> PlanService::change(const Request& request, const Closure& closure) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const bool dry = flag_of(request.args, "dry_run");
  std::optional<Value> tried;
  auto done = storage::write_returning<Value>(store_, request.call,
                                              [&](storage::WriteTxn& txn) -> Result<Value> {
                                                HOLDFAST_TRY(Value result, closure(txn, access));
                                                if (!dry) return result;
                                                tried = std::move(result);
                                                return unavailable("This was a dry run.");
                                              });
  if (!tried) return done;
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const std::string position, position_text(*txn));
  tried->set("latest_commit", position);
  return std::move(*tried);
}

Result<Value> PlanService::cold_store(const Request& request, const std::string& path) {
  const std::string stem = stem_of(path, kArchiveFolder, ".json");
  if (stem.empty())
    return bad_request("source_archive_path must be under memory/continuity/archive/");
  return change(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(StoredCapsule stored, require_archive(txn, access, stem, false, kNoEnvelope));
    HOLDFAST_CHECK_OK(check_identity(stored));
    HOLDFAST_CHECK_OK(require_write(request.call, path));
    stored.cold_stored_at = format_seconds(clock_.now());
    stored.cold_phase = freshness_of(stored.capsule, clock_.now()).phase;
    const std::string message =
        fmt::format("continuity: cold-store {} {}", stored.subject_kind, stored.subject_id);
    HOLDFAST_CHECK_OK(put_archive(txn, access, stored, message));
    HOLDFAST_CHECK_OK(note_change(txn, access, request.call, stored.subject(), message));
    HOLDFAST_TRY(const std::string commit, position_text(txn));
    return Value::object({{"ok", true},
                          {"artifact_state", "cold"},
                          {"source_archive_path", path},
                          {"cold_storage_path", cold_path(stem)},
                          {"cold_stub_path", stub_path(stem)},
                          {"cold_stored_at", stored.cold_stored_at},
                          {"committed_files", paths({cold_path(stem), stub_path(stem), path})},
                          {"durable", true},
                          {"latest_commit", commit},
                          {"warnings", Value::array()},
                          {"recovery_warnings", Value::array()}});
  });
}

Result<Value> PlanService::rehydrate(const Request& request, const Value& arguments) {
  const std::string source = text_of(arguments, "source_archive_path");
  const std::string stub = text_of(arguments, "cold_stub_path");
  if (source.empty() == stub.empty())
    return bad_request("exactly one of source_archive_path and cold_stub_path is required");
  const std::string stem =
      source.empty() ? stem_of(stub, kStubFolder, ".md") : stem_of(source, kArchiveFolder, ".json");
  if (stem.empty())
    return bad_request(source.empty()
                           ? "cold_stub_path must be under memory/continuity/cold/index/"
                           : "source_archive_path must be under memory/continuity/archive/");
  return change(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(StoredCapsule stored, require_archive(txn, access, stem, true, kNoStub));
    HOLDFAST_CHECK_OK(require_write(request.call, archive_path(stem)));
    stored.cold_stored_at.clear();
    stored.cold_phase.clear();
    const std::string message =
        fmt::format("continuity: cold-rehydrate {} {}", stored.subject_kind, stored.subject_id);
    HOLDFAST_CHECK_OK(put_archive(txn, access, stored, message));
    HOLDFAST_CHECK_OK(note_change(txn, access, request.call, stored.subject(), message));
    HOLDFAST_TRY(const std::string commit, position_text(txn));
    const std::string path = archive_path(stem);
    return Value::object({{"ok", true},
                          {"artifact_state", "archived"},
                          {"source_archive_path", path},
                          {"restored_archive_path", path},
                          {"cold_storage_path", cold_path(stem)},
                          {"cold_stub_path", stub_path(stem)},
                          {"rehydrated_at", format_seconds(clock_.now())},
                          {"committed_files", paths({path, cold_path(stem), stub_path(stem)})},
                          {"durable", true},
                          {"latest_commit", commit},
                          {"warnings", Value::array()},
                          {"recovery_warnings", Value::array()}});
  });
}

// What becomes of one archive; an Error says why nothing did.
Result<std::string> PlanService::retire_one(const Request& request, const std::string& path) {
  const std::string stem = stem_of(path, kArchiveFolder, ".json");
  if (stem.empty())
    return bad_request("source_archive_path must be under memory/continuity/archive/");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  const auto stored = find_archive(*txn, access, stem, kNoEnvelope);
  if (!stored && stored.error().code == ErrorCode::kNotFound) return "skipped_missing";
  if (!stored) return stored.error();
  if (!stored->cold_stored_at.empty()) return "skipped_already_cold";
  const auto at = parse_iso(stored->archived_at);
  const int64_t limit = settings_.retention_days * kDayMicros;
  if (!at || to_micros(clock_.now()) - to_micros(*at) <= limit) return "skipped_not_stale";
  HOLDFAST_CHECK_OK(cold_store(request, path));
  return "cold_stored";
}

Result<Value> PlanService::apply_retention(const Request& request, const Value& arguments) {
  const Value::Array& wanted = list_of(arguments, "source_archive_paths");
  if (wanted.empty() || wanted.size() > 100)
    return bad_request("source_archive_paths must have 1 to 100 entries");
  Value results = Value::array();
  Value warnings = Value::array();
  std::set<std::string> seen;
  size_t stored_count = 0;
  size_t failed = 0;
  for (const Value& one : wanted) {
    const std::string path = one.is_string() ? *one.if_string() : std::string();
    if (!seen.insert(path).second) {
      warnings.push("duplicate_source_archive_path:" + path);
      continue;
    }
    const auto status = retire_one(request, path);
    const std::string stem = stem_of(path, kArchiveFolder, ".json");
    stored_count += status && *status == "cold_stored" ? 1 : 0;
    failed += status ? 0 : 1;
    results.push(
        Value::object({{"source_archive_path", path},
                       {"ok", status.has_value()},
                       {"status", status ? *status : failure_status(status.error())},
                       {"detail", status ? Value() : Value(status.error().message)},
                       {"cold_storage_path", stem.empty() ? Value() : Value(cold_path(stem))},
                       {"cold_stub_path", stem.empty() ? Value() : Value(stub_path(stem))}}));
  }
  return Value::object({{"ok", failed == 0},
                        {"requested", wanted.size()},
                        {"unique_requested", seen.size()},
                        {"processed", seen.size()},
                        {"cold_stored", stored_count},
                        {"failed", failed},
                        {"durable", true},
                        {"results", std::move(results)},
                        {"warnings", std::move(warnings)}});
}

Result<Value> PlanService::run_job(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kAdminPeers));
  if (!is_local_address(request.call.peer_address))
    return denied("Host ops endpoints are local-only");
  const std::string job = request.text("job_id");
  const Value& arguments = *request.args.find("arguments");
  const RunningJob running(*this, job);
  if (!running.first() && !flag_of(request.args, "force"))
    return clash("Ops job already running: " + job);
  Result<Value> result = absent("Unknown ops job: " + job);
  if (job == "continuity_cold_store")
    result = cold_store(request, text_of(arguments, "source_archive_path"));
  if (job == "continuity_cold_rehydrate") result = rehydrate(request, arguments);
  if (job == "continuity_retention_apply") result = apply_retention(request, arguments);
  if (!result) return result.error();
  const std::string run =
      fmt::format("ops_{}_{}", compact_time(format_seconds(clock_.now())), to_hex(random_bytes(4)));
  return Value::object({{"ok", true},
                        {"run_id", run},
                        {"job_id", job},
                        {"status", "succeeded"},
                        {"local_only", true},
                        {"job_result", std::move(*result)}});
}

PlanService::RunningJob::RunningJob(PlanService& service, std::string job)
    : service_(service), job_(std::move(job)) {
  const MutexLock lock(service_.mutex_);
  first_ = ++service_.running_[job_] == 1;
}

PlanService::RunningJob::~RunningJob() {
  const MutexLock lock(service_.mutex_);
  if (--service_.running_[job_] == 0) service_.running_.erase(job_);
}

}  // namespace holdfast::service::continuity
