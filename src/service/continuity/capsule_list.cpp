#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/normalise.h"
#include "service/continuity/read_service.h"
#include "service/continuity/trust.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

using search::Filter;
using search::SortKey;

constexpr size_t kPage = 200;
constexpr int64_t kDayMicros = 86'400'000'000;

struct DescriptorFilter {
  const char* member;
  const char* facet;
  bool folded;
};
constexpr std::array<DescriptorFilter, 4> kFilters = {{
    {"lifecycle", facet::kLifecycle, false},
    {"scope_anchor", facet::kScopeAnchor, true},
    {"keyword", facet::kKeyword, true},
    {"label_exact", facet::kLabel, false},
}};

// What every wanted row has; `filtered` tells whether a descriptor is asked for.
Filter filter_of(const Request& request, bool& filtered) {
  Filter filter;
  const auto add = [&](const char* name, std::string value) {
    filter.facets.push_back({.name = name, .any_of = {std::move(value)}});
  };
  if (present(request.args, "subject_kind") != nullptr)
    add(facet::kSubjectKind, request.text("subject_kind"));
  const size_t plain = filter.facets.size();
  for (const DescriptorFilter& one : kFilters) {
    if (present(request.args, one.member) == nullptr) continue;
    const std::string text = request.text(one.member);
    add(one.facet, one.folded ? fold_case(trim_space(text)) : text);
  }
  if (present(request.args, "anchor_kind") != nullptr) {
    const std::string kind = fold_case(trim_space(request.text("anchor_kind")));
    if (present(request.args, "anchor_value") != nullptr) {
      add(facet::kAnchor, kind + "/" + request.text("anchor_value"));
    } else {
      add(facet::kAnchorKind, kind);
    }
  }
  filtered = filter.facets.size() > plain;
  return filter;
}

std::vector<SortKey> default_order() {
  return {{.by = SortKey::By::kTextFacet, .facet = facet::kSubjectKind, .descending = false},
          {.by = SortKey::By::kTextFacet, .facet = facet::kSubject, .descending = false},
          {.by = SortKey::By::kNumberFacet, .facet = facet::kOrder, .descending = false},
          {.by = SortKey::By::kTextFacet, .facet = facet::kPath, .descending = false}};
}

std::vector<SortKey> salience_order() {
  return {{.by = SortKey::By::kNumberFacet, .facet = facet::kInadequate, .descending = false},
          {.by = SortKey::By::kNumberFacet, .facet = facet::kVerification, .descending = true},
          {.by = SortKey::By::kNumberFacet, .facet = facet::kUpdated, .descending = true},
          {.by = SortKey::By::kTextFacet, .facet = facet::kSubjectKind, .descending = false},
          {.by = SortKey::By::kTextFacet, .facet = facet::kSubject, .descending = false}};
}

// The capsules that are in one phase of freshness now.
void add_phase(Filter& filter, int severity, int64_t now) {
  if (severity == kExpired) {
    filter.ranges.push_back({.name = facet::kExpires, .to = now - 1});
    return;
  }
  filter.ranges.push_back({.name = facet::kExpires, .from = now});
  constexpr std::array<const char*, 3> kUntil = {facet::kFreshUntil, facet::kSoftUntil,
                                                 facet::kHardUntil};
  const auto at = static_cast<size_t>(severity);
  if (severity > 0) filter.ranges.push_back({.name = kUntil.at(at - 1), .to = now - 1});
  if (severity < 3) filter.ranges.push_back({.name = kUntil.at(at), .from = now});
}

Value nullable(const Value* value) { return value != nullptr ? *value : Value(); }

}  // namespace

Value ReadService::row_of(const StoredCapsule& stored, const std::string& state,
                          Timestamp now) const {
  const Value& capsule = stored.capsule;
  const bool cold = state == "cold";
  Value row = Value::object({{"subject_kind", stored.subject_kind},
                             {"subject_id", stored.subject_id},
                             {"path", cold                  ? stub_path(stored.archive_stem)
                                      : state == "fallback" ? fallback_path(stored.stem)
                                                            : active_path(stored.stem)}});
  if (cold) row.set("source_archive_path", archive_path(stored.archive_stem));
  row.set("updated_at", cold ? Value() : Value(text_of(capsule, "updated_at")));
  row.set("verified_at", cold ? Value() : Value(text_of(capsule, "verified_at")));
  row.set("verification_kind", nullable(capsule.find("verification_kind")));
  row.set("freshness_class", nullable(find_path(capsule, "freshness.freshness_class")));
  row.set("phase", freshness_of(capsule, now).phase);
  row.set("verification_status", verification_status(capsule));
  row.set("health_status", health_status(capsule));
  row.set("health_reasons", cold ? Value::array() : health_reasons(capsule));
  row.set("artifact_state", state);
  const auto archived = parse_iso(stored.archived_at);
  const bool stale = state == "archived" && archived &&
                     to_micros(now) - to_micros(*archived) > settings_.retention_days * kDayMicros;
  row.set("retention_class", state != "archived" ? state
                             : stale             ? "archive_stale"
                                                 : "archive_recent");
  if (cold) {
    row.set("cold_stub_path", stub_path(stored.archive_stem));
    row.set("cold_storage_path", cold_path(stored.archive_stem));
    row.set("archived_at", stored.archived_at);
    row.set("cold_stored_at", stored.cold_stored_at);
    for (const char* name :
         {"stable_preference_count", "rationale_entry_count", "thread_descriptor"})
      row.set(name, Value());
    return row;
  }
  row.set("stable_preference_count", list_of(capsule, "stable_preferences").size());
  row.set("rationale_entry_count",
          list_of(*capsule.find("continuity"), "rationale_entries").size());
  row.set("thread_descriptor", nullable(capsule.find("thread_descriptor")));
  row.set("resume_adequate", is_adequate(capsule));
  if (state == "archived") {
    row.set("archive_path", archive_path(stored.archive_stem));
    row.set("archived_at", stored.archived_at);
  }
  return row;
}

// Rows of what the index lists, page by page until there are enough; unreadable ones are skipped.
// An active capsule with a snapshot of its own is two rows where both are asked for.
Status ReadService::collect(const Request& request, const Access& access, storage::ReadTxn& txn,
                            const search::ListRequest& wanted, size_t limit,
                            std::vector<Value>& rows) const {
  const Timestamp now = clock_.now();
  const bool fallback_too = flag_of(request.args, "include_fallback");
  const bool salience = request.text("sort") == "salience";
  const bool active_only = wanted.filter.kinds == std::vector{capsule_noun().kind} && salience;
  search::ListRequest page = wanted;
  page.limit = std::min(kPage, limit + 1);
  while (rows.size() < limit) {
    HOLDFAST_TRY(const auto found, index_.list(access, page));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
    for (const Object& object : objects) {
      const auto loaded = loaded_of(object);
      if (!loaded->valid()) continue;
      const StoredCapsule& stored = loaded->stored;
      const std::string state = stored.artifact_state(object.key.kind);
      const std::string file = state == "active"     ? active_path(stored.stem)
                               : state == "fallback" ? fallback_path(stored.stem)
                               : state == "archived" ? archive_path(stored.archive_stem)
                                                     : stub_path(stored.archive_stem);
      const bool wants_own = !(salience && state == "active" && !active_only);
      if (wants_own && may_read(request.call, file)) rows.push_back(row_of(stored, state, now));
      if (state == "active" && fallback_too && stored.has_fallback && !active_only &&
          may_read(request.call, fallback_path(stored.stem)))
        rows.push_back(row_of(stored, "fallback", now));
    }
    if (!found.has_more || found.hits.empty()) break;
    page.after = found.hits.back().position;
  }
  if (rows.size() > limit) rows.resize(limit);
  return {};
}

Result<int64_t> ReadService::count(const Access& access, const Filter& filter,
                                   bool fallback_too) const {
  HOLDFAST_TRY(const auto all, index_.list(access, {.filter = filter, .limit = 0}));
  auto total = static_cast<int64_t>(all.total);
  if (fallback_too) {
    Filter twice = filter;
    twice.kinds = {capsule_noun().kind};
    twice.facets.push_back({.name = facet::kHasFallback, .any_of = {"yes"}});
    HOLDFAST_TRY(const auto doubled, index_.list(access, {.filter = twice, .limit = 0}));
    total += static_cast<int64_t>(doubled.total);
  }
  return total;
}

// Lifecycle, health and freshness are few: one list for each, in order, until there are enough.
Result<Value> ReadService::rows_by_salience(const Request& request, const Access& access,
                                            storage::ReadTxn& txn, size_t limit,
                                            std::vector<Value>& rows) const {
  bool filtered = false;
  const Filter base = filter_of(request, filtered);
  const int64_t now = to_micros(clock_.now());
  for (const int lifecycle : {0, 1, 2, 3, 99}) {
    Filter of_lifecycle = base;
    of_lifecycle.kinds = {capsule_noun().kind};
    of_lifecycle.ranges.push_back(
        {.name = facet::kLifecycleRank, .from = lifecycle, .to = lifecycle});
    HOLDFAST_TRY(const int64_t any, count(access, of_lifecycle, false));
    if (any == 0) continue;
    for (int health = 0; health <= 2; ++health) {
      for (int severity = 0; severity <= kExpired && rows.size() < limit; ++severity) {
        Filter filter = of_lifecycle;
        filter.ranges.push_back({.name = facet::kHealthRank, .from = health, .to = health});
        add_phase(filter, severity, now);
        HOLDFAST_CHECK_OK(collect(request, access, txn,
                                  {.filter = filter, .sort = salience_order()}, limit, rows));
      }
    }
  }
  std::vector<SalienceKey> keys;
  for (Value& row : rows) {
    const Subject subject{.kind = text_of(row, "subject_kind"), .id = text_of(row, "subject_id")};
    HOLDFAST_TRY(const auto loaded, load_active(txn, access, subject));
    if (!loaded || !loaded->valid()) continue;
    keys.push_back(salience_of(loaded->stored.capsule, subject, clock_.now()));
    row.set("salience_rank", keys.size());
    row.set("salience", salience_block(keys.back(), static_cast<int64_t>(keys.size()) - 1));
  }
  return salience_metadata(keys);
}

Result<Value> ReadService::list(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 50));
  const bool salience = request.text("sort") == "salience";
  const bool fallback = flag_of(request.args, "include_fallback");
  bool filtered = false;
  Filter filter = filter_of(request, filtered);
  std::vector<std::string> states = {"active"};
  if (fallback) states.emplace_back("fallback");
  if (flag_of(request.args, "include_archived")) states.emplace_back("archived");
  if (flag_of(request.args, "include_cold") && !filtered) states.emplace_back("cold");
  filter.facets.push_back({.name = facet::kArtifact, .any_of = states});
  filter.kinds = {capsule_noun().kind, fallback_noun().kind, archive_noun().kind};

  std::vector<Value> rows;
  Value metadata;
  if (salience) {
    HOLDFAST_TRY(metadata, rows_by_salience(request, access, *txn, limit, rows));
    std::vector<Value> others;
    if (states.size() > 1 && rows.size() < limit)
      HOLDFAST_CHECK_OK(collect(request, access, *txn, {.filter = filter, .sort = default_order()},
                                limit - rows.size(), others));
    for (Value& row : others) {
      row.set("salience_rank", Value());
      row.set("salience", Value());
      rows.push_back(std::move(row));
    }
  } else {
    HOLDFAST_CHECK_OK(
        collect(request, access, *txn, {.filter = filter, .sort = default_order()}, limit, rows));
  }
  bool unique = false;
  if (filtered) {
    HOLDFAST_TRY(const int64_t matches, count(access, filter, fallback));
    unique = matches == 1;
  }
  Value answer = Value::object({{"ok", true},
                                {"count", rows.size()},
                                {"capsules", Value::array_of(rows)},
                                {"unique_match", unique}});
  if (salience) answer.set("salience_metadata", std::move(metadata));
  return answer;
}

}  // namespace holdfast::service::continuity
