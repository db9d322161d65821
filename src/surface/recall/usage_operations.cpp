// What people and agents thought of memory, and whether it was used.
#include "base/time_text.h"
#include "surface/recall/operations.h"
#include "surface/recall/render.h"
#include "wire/reading.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations
using wire::length;
using wire::one_of;
using wire::Schema;

constexpr size_t kMostRemark = 2000;
constexpr int64_t kMostTurns = 1000;

Value row_value(const UsageRow& row) {
  return Value::object(
      {{"id", row.id},
       {"query_audit_log_id", row.lookup_id},
       {"memory_object_id", row.memory_id},
       {"memory_type", row.memory_type},
       {"container_ref", row.container_ref},
       {"thread_ref", or_null(row.thread_ref)},
       {"trigger_origin", row.trigger_origin},
       {"referenced_in_next_turn", row.referenced ? Value(*row.referenced) : Value()},
       {"reference_kind", or_null(row.reference_kind)},
       {"observation_window_turns", row.window_turns ? Value(*row.window_turns) : Value()},
       {"rating", or_null(row.rating)},
       {"created_at", format_micros(row.created_at)},
       {"populated_at", or_null(row.populated_at)}});
}

void check_filter(const UsageFilter& filter, wire::Checks& checks) {
  if (!filter.lookup_id && !filter.memory_id && !filter.thread_ref && !filter.container_ref)
    checks.add("query_audit_log_id", wire::rule::kRequired);
}

void check_observation(const ObserveUsage& request, wire::Checks& checks) {
  if (request.referenced && !request.reference_kind)
    checks.add("reference_kind", wire::rule::kRequired);
}

}  // namespace

Asks<GiveFeedback, Feedback> give_feedback() {
  static const wire::Operation<GiveFeedback, Feedback> operation{
      .name = "recall_feedback",
      .summary = "Says whether a memory was relevant.",
      .request =
          Schema<GiveFeedback>()
              .path("memory_object_id", &GiveFeedback::memory_id)
              .required("rating", &GiveFeedback::rating, one_of({"relevant", "not_relevant"}))
              .optional("reason", &GiveFeedback::reason, length(0, kMostRemark))
              .optional("query_context", &GiveFeedback::query_context, length(0, kMostRemark))
              .optional("query_audit_log_id", &GiveFeedback::lookup_id)
              .optional("rater_ref", &GiveFeedback::rater_ref)
              .optional("thread_ref", &GiveFeedback::thread_ref)
              .optional("container_ref", &GiveFeedback::container_ref),
      .encode =
          [](const Feedback& said) {
            return Value::object({{"memory_object_id", said.memory_id},
                                  {"rating", said.rating},
                                  {"recorded", true}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<UsageFilter, std::vector<UsageRow>> list_usage() {
  static const wire::Operation<UsageFilter, std::vector<UsageRow>> operation{
      .name = "recall_usage_audit",
      .summary = "Memory that was injected, query by query.",
      .request = Schema<UsageFilter>()
                     .query("query_audit_log_id", &UsageFilter::lookup_id)
                     .query("memory_object_id", &UsageFilter::memory_id)
                     .query("thread_ref", &UsageFilter::thread_ref)
                     .query("container_ref", &UsageFilter::container_ref)
                     .query("limit", &UsageFilter::limit, wire::range(1, kMostUsageRows))
                     .check(check_filter),
      .encode =
          [](const std::vector<UsageRow>& rows) {
            Value out = Value::array();
            for (const UsageRow& row : rows) out.push(row_value(row));
            return Value::object({{"rows", std::move(out)}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<ObserveUsage, ObservedUsage> observe_usage() {
  static const wire::Operation<ObserveUsage, ObservedUsage> operation{
      .name = "recall_observe_usage",
      .summary = "Says whether the next turns made use of an injected memory.",
      .request = Schema<ObserveUsage>()
                     .path("audit_row_id", &ObserveUsage::row_id)
                     .required("referenced_in_next_turn", &ObserveUsage::referenced)
                     .optional("reference_kind", &ObserveUsage::reference_kind,
                               one_of({"id_quote", "verbatim_snippet", "entity_match"}))
                     .optional("observation_window_turns", &ObserveUsage::window_turns,
                               wire::range(0, kMostTurns))
                     .check(check_observation),
      .encode =
          [](const ObservedUsage& observed) {
            return Value::object(
                {{"audit_row_id", observed.row_id}, {"updated", observed.updated}});
          },
      .tags = {"recall"}};
  return operation;
}

}  // namespace holdfast::surface::recall
