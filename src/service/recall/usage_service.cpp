#include "service/recall/usage_service.h"

#include "service/recall/barrier.h"
#include "service/recall/ingest_service.h"
#include "service/recall/kin.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

constexpr size_t kSweptAtOnce = 20;
constexpr size_t kUsagePage = 200;
constexpr size_t kMostPages = 10;
constexpr std::string_view kNobody = "local";

Label label_of_row(const UsageRow& row) {
  return {.visibility = Visibility::kContainer, .container = row.container_ref};
}

Status save(WriteTxn& txn, const SpaceAccess& all, const UsageRow& row) {
  return txn.add(all, storage::put_of(usage_noun(), row.id, row, label_of_row(row)));
}

// Each write takes some old rows with it, so that there are never many.
Status sweep(WriteTxn& txn, const SpaceAccess& all) {
  HOLDFAST_TRY(const auto page,
               txn.scan(all, {.kind = usage_noun().kind,
                              .range = storage::Scan::Range{.name = std::string(facet::kExpires),
                                                            .to = to_micros(txn.now())},
                              .limit = kSweptAtOnce}));
  for (const Object& object : page.objects)
    HOLDFAST_CHECK_OK(txn.erase(all, object.key, "retention"));
  return {};
}

bool is_wanted(const UsageFilter& filter, const UsageRow& row) {
  return (!filter.lookup_id || *filter.lookup_id == row.lookup_id) &&
         (!filter.memory_id || *filter.memory_id == row.memory_id) &&
         (!filter.thread_ref || filter.thread_ref == row.thread_ref) &&
         (!filter.container_ref || canonical_container(*filter.container_ref) == row.container_ref);
}

// The facet that leaves the fewest.
Facet narrowest(const UsageFilter& filter) {
  if (filter.lookup_id) return Facet::of(std::string(facet::kLookup), *filter.lookup_id);
  if (filter.memory_id) return Facet::of(std::string(facet::kAbout), *filter.memory_id);
  if (filter.thread_ref) return Facet::of(std::string(facet::kUsedThread), *filter.thread_ref);
  return Facet::of(std::string(facet::kUsedIn),
                   canonical_container(filter.container_ref.value_or("")));
}

Text without_secrets_in(const Text& text) {
  return text ? Text(without_secrets(*text)) : std::nullopt;
}

}  // namespace

Result<std::string> UsageService::record(const CallContext& call, const Run& run) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  const std::string lookup = derived_id({"lookup", ids_.next()});
  std::vector<UsageRow> rows;
  for (const Candidate* candidate : run.blocks) {
    if (!candidate->is_memory()) continue;
    rows.push_back({.id = derived_id({"usage", lookup, candidate->id()}),
                    .lookup_id = lookup,
                    .memory_id = candidate->id(),
                    .memory_type = candidate->memory->type,
                    .container_ref = run.query.container_ref.value_or(""),
                    .thread_ref = run.query.thread_ref,
                    .trigger_origin = run.query.trigger_origin.value_or("")});
  }
  if (rows.empty()) return std::string();
  HOLDFAST_CHECK_OK(store_.write(call, [&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(sweep(txn, all));
    for (UsageRow& row : rows) {
      row.created_at = txn.now();
      HOLDFAST_CHECK_OK(save(txn, all, row));
    }
    return {};
  }));
  return lookup;
}

Result<std::vector<UsageRow>> UsageService::list(const CallContext& call,
                                                 const UsageFilter& filter) const {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  std::vector<UsageRow> out;
  storage::Scan scan{.kind = usage_noun().kind,
                     .equal = narrowest(filter),
                     .descending = true,
                     .limit = kUsagePage};
  for (size_t pages = 0; pages < kMostPages; ++pages) {
    HOLDFAST_TRY(const auto page, txn->scan(access, scan));
    for (const Object& object : page.objects) {
      HOLDFAST_TRY(UsageRow row, storage::value_of(usage_noun(), object));
      if (is_wanted(filter, row)) out.push_back(std::move(row));
      if (out.size() == static_cast<size_t>(filter.limit)) return out;
    }
    if (!page.next) break;
    scan.after = page.next;
  }
  return out;
}

Result<ObservedUsage> UsageService::observe(const CallContext& call, const ObserveUsage& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  return storage::write_returning<ObservedUsage>(
      store_, call, [&](WriteTxn& txn) -> Result<ObservedUsage> {
        auto object = txn.get(access, {.kind = usage_noun().kind, .id = request.row_id});
        if (!object) {
          Error error = std::move(object).error();
          if (error.code == ErrorCode::kNotFound) error.reason = std::string(reason::kUnknownRow);
          return error;
        }
        HOLDFAST_TRY(UsageRow row, storage::value_of(usage_noun(), *object));
        if (row.populated_at) return ObservedUsage{.row_id = row.id, .updated = false};
        row.referenced = request.referenced;
        row.reference_kind = request.reference_kind;
        row.window_turns = request.window_turns;
        row.populated_at = txn.now();
        HOLDFAST_CHECK_OK(save(txn, gatekeeper_.engine_access(access.space()), row));
        return ObservedUsage{.row_id = row.id};
      });
}

Result<Feedback> UsageService::feedback(const CallContext& call, const GiveFeedback& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  return storage::write_returning<Feedback>(store_, call, [&](WriteTxn& txn) -> Result<Feedback> {
    HOLDFAST_TRY(const Memory memory, read_memory(txn, all, request.memory_id));
    const bool here = !request.container_ref ||
                      canonical_container(*request.container_ref) == memory.container_ref ||
                      memory.visibility == Scope::kPublic || memory.visibility == Scope::kGlobal;
    if (!here || !may_reach(access, memory.container_ref))
      return not_found(memory_noun().kind, request.memory_id);
    const Feedback said{.memory_id = memory.id,
                        .rating = request.rating,
                        .reason = without_secrets_in(request.reason),
                        .query_context = without_secrets_in(request.query_context),
                        .lookup_id = request.lookup_id,
                        .rater_ref = request.rater_ref.value_or(std::string(kNobody)),
                        .thread_ref = request.thread_ref,
                        .created_at = txn.now()};
    const std::string lookup = said.lookup_id.value_or("");
    HOLDFAST_CHECK_OK(
        txn.put(all, storage::put_of(feedback_noun(),
                                     derived_id({"feedback", memory.id, said.rater_ref, lookup}),
                                     said, label_of(memory))));
    const std::string row_id = derived_id({"usage", lookup, memory.id});
    if (const auto object = txn.get(all, {.kind = usage_noun().kind, .id = row_id})) {
      HOLDFAST_TRY(UsageRow row, storage::value_of(usage_noun(), *object));
      row.rating = said.rating;
      HOLDFAST_CHECK_OK(save(txn, all, row));
    }
    return said;
  });
}

}  // namespace holdfast::service::recall
