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

using search::Filter;
using search::SortKey;

constexpr int64_t kDay = 86'400'000'000;
constexpr int64_t kStaleDays = 30;
constexpr int64_t kRecentDays = 7;

struct Row {
  int priority = 2;
  Subject subject = {};
  Value value = {};
};

Row refresh_row(const StoredCapsule& stored, bool fallback_only, bool recent, Timestamp now) {
  const Value& capsule = stored.capsule;
  Row row{.subject = stored.subject()};
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
  if (!verified || to_micros(now) - to_micros(*verified) > kStaleDays * kDay) {
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

std::vector<SortKey> by_subject() {
  return {{.by = SortKey::By::kTextFacet, .facet = facet::kSubjectKind, .descending = false},
          {.by = SortKey::By::kTextFacet, .facet = facet::kSubject, .descending = false}};
}

Filter base_filter(const Request& request, const std::string& kind) {
  Filter filter{.kinds = {kind}};
  if (const std::string subject = request.text("subject_kind"); !subject.empty())
    filter.facets.push_back(has(facet::kSubjectKind, subject));
  return filter;
}

// The questions whose answers together are every candidate; each has its first `limit` by subject.
std::vector<Filter> refresh_questions(const Request& request, Timestamp now) {
  const Filter active = base_filter(request, capsule_noun().kind);
  std::vector<Filter> out = {base_filter(request, fallback_noun().kind)};
  Filter ill = active;
  ill.ranges.push_back({.name = facet::kHealthRank, .from = 1});
  out.push_back(ill);
  Filter unattested = active;
  unattested.facets.push_back({.name = facet::kAttested, .any_of = {"yes"}, .negated = true});
  out.push_back(unattested);
  Filter stale = active;
  stale.ranges.push_back({.name = facet::kVerified, .to = to_micros(now) - kStaleDays * kDay - 1});
  out.push_back(stale);
  if (flag_of(request.args, "include_healthy")) out.push_back(active);
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
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  const Timestamp now = clock_.now();
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 25));
  std::vector<Row> rows;
  for (const Filter& filter : refresh_questions(request, now)) {
    HOLDFAST_TRY(const auto found,
                 index_.list(access, {.filter = filter, .sort = by_subject(), .limit = limit}));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn->get_many(access, numbers));
    for (const Object& object : objects) {
      const auto loaded = loaded_of(object);
      const auto known = [&](const Row& row) { return row.subject == loaded->stored.subject(); };
      if (!loaded->valid() || std::ranges::any_of(rows, known) ||
          !may_read(request.call, active_path(loaded->stored.stem)))
        continue;
      const bool recent =
          trail_.seen_since(loaded->stored.subject().name(), now - std::chrono::days(kRecentDays));
      rows.push_back(
          refresh_row(loaded->stored, object.key.kind == fallback_noun().kind, recent, now));
    }
  }
  std::ranges::sort(rows, {}, [](const Row& row) {
    return std::tuple(row.priority, row.subject.kind, row.subject.id);
  });
  if (rows.size() > limit) rows.resize(limit);
  Value candidates = Value::array();
  for (Row& row : rows) candidates.push(std::move(row.value));
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
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  const Timestamp now = clock_.now();
  Filter filter = base_filter(request, archive_noun().kind);
  filter.facets.push_back(has(facet::kArtifact, "archived"));
  filter.ranges.push_back(
      {.name = facet::kArchived, .to = to_micros(now) - settings_.retention_days * kDay - 1});
  std::vector<SortKey> order = by_subject();
  order.insert(order.begin(),
               {.by = SortKey::By::kNumberFacet, .facet = facet::kArchived, .descending = false});
  HOLDFAST_TRY(
      const auto found,
      index_.list(access, {.filter = filter,
                           .sort = order,
                           .limit = static_cast<size_t>(integer_of(request.args, "limit", 25))}));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn->get_many(access, numbers));
  Value candidates = Value::array();
  for (const Object& object : objects) {
    HOLDFAST_TRY(const StoredCapsule stored, storage::value_of(archive_noun(), object));
    const auto at = parse_iso(stored.archived_at);
    candidates.push(Value::object({{"subject_kind", stored.subject_kind},
                                   {"subject_id", stored.subject_id},
                                   {"source_archive_path", archive_path(stored.archive_stem)},
                                   {"artifact_state", "archived"},
                                   {"retention_class", "archive_stale"},
                                   {"policy_action", "cold_store"},
                                   {"archived_at", stored.archived_at},
                                   {"age_days", at ? (to_micros(now) - to_micros(*at)) / kDay : 0},
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
                        {"warnings", Value::array()},
                        {"candidates", candidates},
                        {"total_candidates", found.total},
                        {"has_more", found.total > count}});
}

}  // namespace holdfast::service::continuity
