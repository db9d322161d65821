// Archives that are no longer needed at hand. Cold ones keep their content; lists show no more of
// them than a stub.
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/time_text.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/utc_time.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::string_view kArchiveFolder = "memory/continuity/archive/";
constexpr std::string_view kStubFolder = "memory/continuity/cold/index/";
constexpr const char* kNoEnvelope = "Continuity archive envelope not found";
constexpr int64_t kDay = 86'400'000'000;

// kind-slug-time of a path below a folder; empty if it is not one.
std::string stem_of(std::string_view path, std::string_view folder, std::string_view ending) {
  if (!path.starts_with(folder) || !path.ends_with(ending) ||
      path.size() <= folder.size() + ending.size())
    return {};
  return std::string(path.substr(folder.size(), path.size() - folder.size() - ending.size()));
}

Result<StoredCapsule> require_archive(storage::ReadTxn& txn, const Access& access,
                                      const std::string& stem, bool cold, const char* missing) {
  const auto object = txn.get(access, {.kind = archive_noun().kind, .id = stem});
  if (!object) {
    if (object.error().code != ErrorCode::kNotFound) return object.error();
    return absent(missing);
  }
  HOLDFAST_TRY(StoredCapsule stored, storage::value_of(archive_noun(), *object));
  const bool is_cold = !stored.cold_stored_at.empty();
  if (is_cold == cold) return stored;
  if (cold) return clash("Continuity archive envelope already exists");
  return absent(missing);
}

Value paths(std::initializer_list<std::string> names) {
  Value out = Value::array();
  for (const std::string& name : names) out.push(name);
  return out;
}

}  // namespace

Result<Value> PlanService::cold_store(const Request& request, const std::string& path) {
  const std::string stem = stem_of(path, kArchiveFolder, ".json");
  if (stem.empty())
    return bad_request("source_archive_path must be under memory/continuity/archive/");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        HOLDFAST_TRY(StoredCapsule stored, require_archive(txn, access, stem, false, kNoEnvelope));
        stored.cold_stored_at = format_seconds(clock_.now());
        HOLDFAST_CHECK_OK(put_archive(
            txn, access, stored,
            fmt::format("continuity: cold-store {} {}", stored.subject_kind, stored.subject_id)));
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
  if (stem.empty()) return absent("Continuity cold stub not found");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        HOLDFAST_TRY(StoredCapsule stored,
                     require_archive(txn, access, stem, true, "Continuity cold stub not found"));
        stored.cold_stored_at.clear();
        HOLDFAST_CHECK_OK(put_archive(txn, access, stored,
                                      fmt::format("continuity: cold-rehydrate {} {}",
                                                  stored.subject_kind, stored.subject_id)));
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

Result<Value> PlanService::apply_retention(const Request& request, const Value& arguments) {
  const Value::Array& wanted = list_of(arguments, "source_archive_paths");
  if (wanted.empty() || wanted.size() > 100)
    return bad_request("source_archive_paths must have 1 to 100 entries");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  Value results = Value::array();
  Value warnings = Value::array();
  std::set<std::string> seen;
  int64_t stored_count = 0;
  int64_t failed = 0;
  for (const Value& one : wanted) {
    const std::string path = one.is_string() ? *one.if_string() : std::string();
    if (!seen.insert(path).second) {
      warnings.push("duplicate_source_archive_path:" + path);
      continue;
    }
    const std::string stem = stem_of(path, kArchiveFolder, ".json");
    HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
    const auto object = txn->get(access, {.kind = archive_noun().kind, .id = stem});
    const auto stored =
        object ? storage::value_of(archive_noun(), *object) : Result<StoredCapsule>(object.error());
    std::string status = "skipped_missing";
    if (stored && !stored->cold_stored_at.empty()) status = "skipped_already_cold";
    if (stored && stored->cold_stored_at.empty()) {
      const auto at = parse_iso(stored->archived_at);
      const bool stale =
          at && to_micros(clock_.now()) - to_micros(*at) > settings_.retention_days * kDay;
      status = "skipped_not_stale";
      if (stale) status = cold_store(request, path) ? "cold_stored" : "failed_internal";
    }
    if (stem.empty()) status = "failed_invalid_archive";
    const bool ok = !status.starts_with("failed");
    stored_count += status == "cold_stored" ? 1 : 0;
    failed += ok ? 0 : 1;
    results.push(Value::object({{"source_archive_path", path},
                                {"ok", ok},
                                {"status", status},
                                {"detail", Value()},
                                {"cold_storage_path", cold_path(stem)},
                                {"cold_stub_path", stub_path(stem)}}));
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
  const std::string& address = request.call.peer_address;
  const bool local = address.empty() || address == "::1" || address.starts_with("127.") ||
                     address == "unix" || address == "in-process";
  if (!local) return denied("Host ops endpoints are local-only");
  const std::string job = request.text("job_id");
  const Value& arguments = *request.args.find("arguments");
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

}  // namespace holdfast::service::continuity
