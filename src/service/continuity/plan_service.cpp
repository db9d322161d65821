#include "service/continuity/plan_service.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/trust.h"
#include "service/continuity/utc_time.h"
#include "service/continuity/work_store.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr int64_t kStaleDays = 30;
constexpr int64_t kRecentDays = 7;

struct RefreshRow {
  int priority = 2;
  Subject subject = {};
  Value value = {};
};

RefreshRow refresh_row(const StoredCapsule& stored, bool fallback_only, bool recent,
                       Timestamp now) {
  const Value& capsule = stored.capsule;
  RefreshRow row{.subject = stored.subject()};
  Value codes = Value::array();
  const std::string health = health_status(capsule);
  if (health != "healthy") {
    codes.push("health_" + health);
    row.priority = 0;
  }
  const std::string status = verification_status(capsule);
  if (status == "unverified" || status == "self_attested") {
    codes.push("verification_" + status);
    row.priority = std::min(row.priority, 1);
  }
  const auto verified = parse_iso(text_of(capsule, "verified_at"));
  if (!verified || to_micros(now) - to_micros(*verified) > kStaleDays * kDayMicros) {
    codes.push("stale_verified_at");
    row.priority = std::min(row.priority, 1);
  }
  if (recent) codes.push("recently_used");
  if (fallback_only) {
    codes.push("fallback_only");
    row.priority = 0;
  }
  constexpr std::array<const char*, 3> kPriorities = {"high", "medium", "low"};
  const Value* revalidated = find_path(capsule, "verification_state.last_revalidated_at");
  row.value =
      Value::object({{"subject_kind", stored.subject_kind},
                     {"subject_id", stored.subject_id},
                     {"path", active_path(stored.stem)},
                     {"health_status", health},
                     {"verification_status", status},
                     {"last_revalidated_at", revalidated != nullptr ? *revalidated : Value()},
                     {"updated_at", text_of(capsule, "updated_at")},
                     {"reason_codes", std::move(codes)},
                     {"recommended_priority", kPriorities.at(static_cast<size_t>(row.priority))}});
  return row;
}

ShelfQuery query_of(const Request& request, std::vector<ArtefactState> states) {
  ShelfQuery query{.states = std::move(states), .readable = readable_by(request.call)};
  if (const std::string kind = request.text("subject_kind"); !kind.empty())
    query.traits.push_back(trait(facet::kSubjectKind, kind));
  return query;
}

// By priority, the first `limit` subjects that need looking after; `all`: the others too.
Result<std::vector<ShelfEntry>> candidates_of(const Shelf& shelf, const Access& access,
                                              const Request& request, Timestamp now, size_t limit) {
  std::array<std::vector<ShelfEntry>, 3> found;
  const bool all = flag_of(request.args, "include_healthy");
  const int64_t stale = to_micros(now) - kStaleDays * kDayMicros;
  const ShelfQuery query = query_of(request, {ArtefactState::kActive, ArtefactState::kFallback});
  HOLDFAST_CHECK_OK(shelf.visit(access, query, request.call.deadline, [&](const ShelfEntry& entry) {
    const bool left_behind = entry.key.kind == fallback_noun().kind;
    if (entry.state == ArtefactState::kFallback && !left_behind) return;
    const bool urgent = left_behind || entry.health > 0;
    const bool due = !entry.attested || entry.verified < stale;
    if (!urgent && !due && !all) return;
    auto& bucket = found.at(urgent ? 0 : due ? 1 : 2);
    if (bucket.size() < limit || left_behind) bucket.push_back(entry);
  }));
  std::vector<ShelfEntry> out;
  for (auto& bucket : found) {
    std::ranges::sort(bucket, {}, [](const ShelfEntry& entry) {
      return std::tie(entry.subject.kind, entry.subject.id);
    });
    for (ShelfEntry& entry : bucket) {
      if (out.size() < limit) out.push_back(std::move(entry));
    }
  }
  return out;
}

}  // namespace

const Noun<Document>& plan_noun() {
  static const Codec<Document> codec = Codec<Document>().field("body", &Document::body);
  static const Noun<Document> noun{.kind = "continuity_plan",
                                   .codec = codec,
                                   .project = [](const Document&) { return Projection(); }};
  return noun;
}

Result<Value> PlanService::refresh(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kRefreshPath));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const Timestamp now = clock_.now();
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 25));
  HOLDFAST_TRY(const auto entries, candidates_of(shelf_, access, request, now, limit));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  std::vector<RefreshRow> rows;
  for (const ShelfEntry& entry : entries) {
    HOLDFAST_TRY(const auto objects, txn->get_many(access, {entry.number}));
    const auto loaded = objects.empty() ? std::nullopt : loaded_of(objects.front());
    if (!loaded || !loaded->valid()) continue;
    HOLDFAST_TRY(const bool recent, trail_.seen_since(*txn, access, loaded->stored.stem,
                                                      now - std::chrono::days(kRecentDays)));
    rows.push_back(
        refresh_row(loaded->stored, entry.key.kind == fallback_noun().kind, recent, now));
  }
  std::ranges::sort(rows, {}, [](const RefreshRow& row) {
    return std::tuple(row.priority, row.subject.kind, row.subject.id);
  });
  if (rows.size() > limit) rows.resize(limit);
  Value candidates = Value::array();
  for (RefreshRow& row : rows) candidates.push(std::move(row.value));
  HOLDFAST_TRY(
      const std::string commit,
      storage::write_returning<std::string>(store_, request.call, [&](storage::WriteTxn& write) {
        return put_document(write, access, plan_noun(), "refresh",
                            Value::object({{"schema_version", "1.0"},
                                           {"last_planned_at", format_exact(now)},
                                           {"last_run_at", Value()},
                                           {"last_run_count", 0},
                                           {"entries", candidates}}),
                            "continuity: refresh plan");
      }));
  return Value::object({{"ok", true},
                        {"count", rows.size()},
                        {"generated_at", format_exact(now)},
                        {"candidates", candidates},
                        {"durable", true},
                        {"latest_commit", commit},
                        {"warnings", Value::array()}});
}

Result<Value> PlanService::retention(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kRetentionPath));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const Timestamp now = clock_.now();
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 25));
  const int64_t stale = to_micros(now) - settings_.retention_days * kDayMicros;
  std::vector<ShelfEntry> entries;
  HOLDFAST_CHECK_OK(shelf_.visit(access, query_of(request, {ArtefactState::kArchived}),
                                 request.call.deadline, [&](const ShelfEntry& entry) {
                                   if (entry.archived < stale) entries.push_back(entry);
                                 }));
  std::ranges::sort(entries, {}, [](const ShelfEntry& entry) {
    return std::tie(entry.archived, entry.subject.kind, entry.path, entry.file);
  });
  size_t total = entries.size();
  std::vector<ObjectNumber> numbers;
  for (const ShelfEntry& entry : entries) {
    if (numbers.size() < limit) numbers.push_back(entry.number);
  }
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const auto objects, txn->get_many(access, numbers));
  Value candidates = Value::array();
  Value warnings = Value::array();
  for (const Object& object : objects) {
    const auto read = storage::value_of(archive_noun(), object);
    if (!read) {
      warnings.push("continuity_retention_skipped_invalid_archive:" + archive_path(object.key.id));
      --total;
      continue;
    }
    const StoredCapsule& stored = *read;
    const auto at = parse_iso(stored.archived_at);
    candidates.push(
        Value::object({{"subject_kind", stored.subject_kind},
                       {"subject_id", stored.subject_id},
                       {"source_archive_path", archive_path(stored.archive_stem)},
                       {"artifact_state", "archived"},
                       {"retention_class", "archive_stale"},
                       {"policy_action", "cold_store"},
                       {"archived_at", stored.archived_at},
                       {"age_days", at ? (to_micros(now) - to_micros(*at)) / kDayMicros : 0},
                       {"cold_storage_path", cold_path(stored.archive_stem)},
                       {"cold_stub_path", stub_path(stored.archive_stem)},
                       {"reason_codes", Value::array({"archive_stale"})}}));
  }
  HOLDFAST_TRY(
      const std::string commit,
      storage::write_returning<std::string>(store_, request.call, [&](storage::WriteTxn& write) {
        return put_document(write, access, plan_noun(), "retention",
                            Value::object({{"schema_version", "1.0"},
                                           {"last_planned_at", format_exact(now)},
                                           {"entries", candidates}}),
                            "continuity: retention plan");
      }));
  const size_t count = candidates.if_array()->size();
  return Value::object({{"ok", true},
                        {"count", count},
                        {"generated_at", format_exact(now)},
                        {"path", kRetentionPath},
                        {"durable", true},
                        {"latest_commit", commit},
                        {"warnings", std::move(warnings)},
                        {"candidates", candidates},
                        {"total_candidates", total},
                        {"has_more", total > count}});
}

}  // namespace holdfast::service::continuity
