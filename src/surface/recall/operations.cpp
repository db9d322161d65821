#include "surface/recall/operations.h"

#include "base/time_text.h"
#include "surface/recall/render.h"
#include "surface/recall/requests.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations

Value counts_of(const std::map<std::string, int64_t>& counts) {
  Value out = Value::object();
  for (const auto& [name, count] : counts) out.set(name, count);
  return out;
}

Value status_value(const ServiceStatus& status) {
  const ServiceFacts& facts = status.facts;
  return Value::object({{"status", "ok"},
                        {"version", facts.version},
                        {"started_at", format_micros(facts.started_at)},
                        {"uptime_seconds", status.uptime_seconds},
                        {"default_use_case", kUseCase},
                        {"extractor_mode", facts.extractor_mode},
                        {"vector_mode", facts.vector_mode},
                        {"retention_enabled", facts.retention},
                        {"status_counts", counts_of(status.items)},
                        {"memory_counts", counts_of(status.memories)}});
}

}  // namespace

Asks<ItemPath, ItemState> show_processing() {
  static const wire::Operation<ItemPath, ItemState> operation{
      .name = "recall_processing",
      .summary = "What happened to one item.",
      .request = wire::Schema<ItemPath>().path("source_item_id", &ItemPath::id),
      .encode = processing_value,
      .tags = {"recall"}};
  return operation;
}

Asks<Expand, Expanded> expand_memory() {
  static const wire::Operation<Expand, Expanded> operation{
      .name = "recall_expand",
      .summary = "A memory in full, with its evidence.",
      .request = expand_schema(),
      .encode = expand_value,
      .tags = {"recall"}};
  return operation;
}

Asks<FlagMemory, Flagged> flag_memory() {
  static const wire::Operation<FlagMemory, Flagged> operation{
      .name = "recall_flag",
      .summary = "Says that a memory is wrong; enough voices suppress it.",
      .request = flag_schema(),
      .encode = flag_value,
      .tags = {"recall"}};
  return operation;
}

Asks<wire::Nothing, QueueHealth> queue_health() {
  static const wire::Operation<wire::Nothing, QueueHealth> operation{
      .name = "recall_queue_health",
      .summary = "How the background work stands.",
      .encode = queue_value,
      .tags = {"recall"}};
  return operation;
}

Asks<ContextRequest, SourceContext> source_context() {
  static const wire::Operation<ContextRequest, SourceContext> operation{
      .name = "recall_source_context",
      .summary = "The turns around a piece of evidence.",
      .request = context_schema(),
      .encode = context_value,
      .tags = {"recall"}};
  return operation;
}

Asks<wire::Nothing, int64_t> retry_failed() {
  static const wire::Operation<wire::Nothing, int64_t> operation{
      .name = "recall_retry_failed",
      .summary = "Gives failed items all their attempts again.",
      .encode =
          [](const int64_t& count) {
            return Value::object({{"retried", count}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<wire::Nothing, ServiceStatus> show_status() {
  static const wire::Operation<wire::Nothing, ServiceStatus> operation{
      .name = "recall_status",
      .summary = "The service at a glance.",
      .encode = status_value,
      .tags = {"recall"}};
  return operation;
}

}  // namespace holdfast::surface::recall
