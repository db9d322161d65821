// What operators look at: how many artefacts there are, and which.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/read_service.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<ArtefactState, kArtefactStates> kAllStates = {
    ArtefactState::kActive, ArtefactState::kFallback, ArtefactState::kArchived,
    ArtefactState::kCold};

// In the order of ShelfEntry::health.
constexpr std::array<std::string_view, 3> kHealths = {"healthy", "degraded", "conflicted"};

std::vector<ArtefactState> states_named(const std::string& name) {
  std::vector<ArtefactState> out;
  for (const ArtefactState state : kAllStates) {
    if (name.empty() || name == name_of(state)) out.push_back(state);
  }
  return out;
}

}  // namespace

Result<Value> ReadService::counts(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  Value counts = Value::object();
  for (const ArtefactState state : kAllStates) {
    Value row = Value::object();
    ShelfQuery query{.states = {state}, .readable = readable_by(request.call)};
    HOLDFAST_TRY(const size_t total, shelf_.count(access, query, request.call.deadline));
    row.set("total", total);
    for (const std::string& kind : subject_kinds()) {
      query.traits = {trait(facet::kSubjectKind, kind)};
      HOLDFAST_TRY(const size_t number, shelf_.count(access, query, request.call.deadline));
      row.set(kind, number);
    }
    counts.set(name_of(state), std::move(row));
  }
  return Value::object({{"ok", true}, {"counts", std::move(counts)}});
}

Result<Value> ReadService::browse(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 200));
  ShelfQuery query{.states = states_named(request.text("artifact_state")),
                   .limit = limit,
                   .most_looked_at = kMostLookedAt};
  if (const std::string kind = request.text("subject_kind"); !kind.empty())
    query.traits.push_back(trait(facet::kSubjectKind, kind));
  const std::string part = fold_case(trim_space(request.text("q")));
  const std::string health = request.text("health_status");
  size_t looked_at = 0;
  query.readable = [&, allowed = readable_by(request.call)](const ShelfEntry& entry) {
    ++looked_at;
    if (allowed && !allowed(entry)) return false;
    if (!health.empty() && kHealths.at(static_cast<size_t>(entry.health)) != health) return false;
    return part.empty() || fold_case(entry.subject.id).find(part) != std::string::npos;
  };
  HOLDFAST_TRY(const auto entries, shelf_.list(access, query, request.call.deadline));
  HOLDFAST_TRY(Value answer, rows_of(request, access, entries, limit));
  answer.set("complete", looked_at < kMostLookedAt);
  return answer;
}

Result<Value> ReadService::artefacts(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 200));
  HOLDFAST_TRY(auto entries,
               shelf_.of_subject(access, request.subject(), {.readable = readable_by(request.call)},
                                 request.call.deadline));
  if (entries.size() > limit) entries.resize(limit);
  return rows_of(request, access, entries, limit);
}

Result<Value> ReadService::rows_of(const Request& request, const Access& access,
                                   const std::vector<ShelfEntry>& entries, size_t limit) const {
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const auto listed, read_entries(access, *txn, entries, limit));
  Value rows = Value::array();
  for (const Listed& one : listed) rows.push(row_of(one.stored, one.state, clock_.now()));
  return Value::object({{"ok", true}, {"count", listed.size()}, {"capsules", std::move(rows)}});
}

}  // namespace holdfast::service::continuity
