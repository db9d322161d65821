#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/letters.h"
#include "service/continuity/normalise.h"
#include "service/continuity/read_service.h"
#include "service/continuity/trust.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

// Read beyond the limit, so that a page stays full where some cannot be read.
constexpr size_t kSpare = 20;

using Change = std::string (*)(std::string_view);
struct DescriptorFilter {
  const char* member;
  const char* facet;
  Change change;  // of what is asked for, as descriptors are indexed; nullptr: none
};
constexpr std::array<DescriptorFilter, 4> kFilters = {{
    {"lifecycle", facet::kLifecycle, nullptr},
    {"scope_anchor", facet::kScopeAnchor, fold_case},
    {"keyword", facet::kKeyword, lower_case},
    {"label_exact", facet::kLabel, nullptr},
}};

// What every wanted row has; `filtered` tells whether a descriptor is asked for.
std::vector<std::string> traits_of(const Request& request, bool& filtered) {
  std::vector<std::string> out;
  if (present(request.args, "subject_kind") != nullptr)
    out.push_back(trait(facet::kSubjectKind, request.text("subject_kind")));
  const size_t plain = out.size();
  for (const DescriptorFilter& one : kFilters) {
    if (present(request.args, one.member) == nullptr) continue;
    const std::string text = request.text(one.member);
    out.push_back(trait(one.facet, one.change != nullptr ? one.change(trim_space(text)) : text));
  }
  if (present(request.args, "anchor_kind") != nullptr) {
    const std::string kind = lower_case(trim_space(request.text("anchor_kind")));
    // No kind has a slash, which parts it from the value: who asks for one finds nothing.
    if (present(request.args, "anchor_value") != nullptr && kind.find('/') == std::string::npos) {
      out.push_back(trait(facet::kAnchor, kind + "/" + request.text("anchor_value")));
    } else {
      out.push_back(trait(facet::kAnchorKind, kind));
    }
  }
  filtered = out.size() > plain;
  return out;
}

std::vector<ArtefactState> states_of(const Request& request, bool filtered) {
  std::vector<ArtefactState> out = {ArtefactState::kActive};
  if (flag_of(request.args, "include_fallback")) out.push_back(ArtefactState::kFallback);
  if (flag_of(request.args, "include_archived")) out.push_back(ArtefactState::kArchived);
  // Cold rows show no descriptor, so nothing is known of it.
  if (flag_of(request.args, "include_cold") && !filtered) out.push_back(ArtefactState::kCold);
  return out;
}

Value nullable(const Value* value) { return value != nullptr ? *value : Value(); }

}  // namespace

std::function<bool(const ShelfEntry&)> readable_by(const CallContext& call) {
  if (may_read(call, kContinuityFolder)) return {};
  return [&call](const ShelfEntry& entry) { return may_read(call, entry.file); };
}

Value ReadService::row_of(const StoredCapsule& stored, ArtefactState state, Timestamp now) const {
  const Value& capsule = stored.capsule;
  const bool cold = state == ArtefactState::kCold;
  const bool archived = state == ArtefactState::kArchived;
  Value row =
      Value::object({{"subject_kind", stored.subject_kind},
                     {"subject_id", stored.subject_id},
                     {"path", cold                                ? stub_path(stored.archive_stem)
                              : state == ArtefactState::kFallback ? fallback_path(stored.stem)
                                                                  : active_path(stored.stem)}});
  if (cold) row.set("source_archive_path", archive_path(stored.archive_stem));
  row.set("updated_at", cold ? Value() : Value(text_of(capsule, "updated_at")));
  row.set("verified_at", cold ? Value() : Value(text_of(capsule, "verified_at")));
  row.set("verification_kind", nullable(capsule.find("verification_kind")));
  row.set("freshness_class", nullable(find_path(capsule, "freshness.freshness_class")));
  row.set("phase", cold ? stored.cold_phase : freshness_of(capsule, now).phase);
  row.set("verification_status", verification_status(capsule));
  row.set("health_status", health_status(capsule));
  row.set("health_reasons", cold ? Value::array() : health_reasons(capsule));
  row.set("artifact_state", name_of(state));
  const auto at = parse_iso(stored.archived_at);
  const bool stale =
      archived && at && to_micros(now) - to_micros(*at) > settings_.retention_days * kDayMicros;
  row.set("retention_class", !archived ? name_of(state)
                             : stale   ? "archive_stale"
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
  if (archived) {
    row.set("archive_path", archive_path(stored.archive_stem));
    row.set("archived_at", stored.archived_at);
  }
  return row;
}

// What of these can be read, as it is stored, at most `limit`.
Result<std::vector<ReadService::Listed>> ReadService::read_entries(
    const Access& access, storage::ReadTxn& txn, const std::vector<ShelfEntry>& entries,
    size_t limit) {
  std::vector<ObjectNumber> numbers;
  for (const ShelfEntry& entry : entries) numbers.push_back(entry.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  std::unordered_map<ObjectNumber, const Object*> by_number;
  for (const Object& object : objects) by_number.emplace(object.number, &object);
  std::vector<Listed> out;
  for (const ShelfEntry& entry : entries) {
    // Objects that went meanwhile are left out; an active capsule and its snapshot are one object.
    const auto found = by_number.find(entry.number);
    if (found == by_number.end() || out.size() == limit) continue;
    auto loaded = loaded_of(*found->second);
    if (loaded->valid()) out.push_back({.state = entry.state, .stored = std::move(loaded->stored)});
  }
  return out;
}

Result<Value> ReadService::list(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 50));
  const bool salience = request.text("sort") == "salience";
  const Timestamp now = clock_.now();
  bool filtered = false;
  ShelfQuery query{.traits = traits_of(request, filtered), .readable = readable_by(request.call)};
  query.states = states_of(request, filtered);
  query.limit = limit + kSpare;

  std::vector<ShelfEntry> entries;
  if (salience) {
    HOLDFAST_TRY(entries, shelf_.by_salience(access, query, now, request.call.deadline));
    ShelfQuery others = query;
    others.states.erase(others.states.begin());
    HOLDFAST_TRY(auto rest, shelf_.list(access, others, request.call.deadline));
    entries.insert(entries.end(), rest.begin(), rest.end());
  } else {
    HOLDFAST_TRY(entries, shelf_.list(access, query, request.call.deadline));
  }
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(auto listed, read_entries(access, *txn, entries, std::max<size_t>(limit, 2)));
  const bool unique = filtered && listed.size() == 1;
  if (listed.size() > limit) listed.resize(limit);

  Value rows = Value::array();
  std::vector<SalienceKey> keys;
  for (const Listed& one : listed) {
    Value row = row_of(one.stored, one.state, now);
    const bool ranked = salience && one.state == ArtefactState::kActive;
    if (ranked) {
      keys.push_back(salience_of(one.stored.capsule, one.stored.subject(), now));
      row.set("salience_rank", keys.size());
      row.set("salience", salience_block(keys.back(), static_cast<int64_t>(keys.size()) - 1));
    } else if (salience) {
      row.set("salience_rank", Value());
      row.set("salience", Value());
    }
    rows.push(std::move(row));
  }
  Value answer = Value::object({{"ok", true},
                                {"count", listed.size()},
                                {"capsules", std::move(rows)},
                                {"unique_match", unique}});
  if (salience) answer.set("salience_metadata", salience_metadata(keys));
  return answer;
}

}  // namespace holdfast::service::continuity
