#include "app/recall_parts.h"

namespace holdfast::app {

Result<RecallOptions> recall_options(const Settings& settings) {
  RecallOptions options;
  HOLDFAST_TRY(const int64_t lease, settings.integer("queue.lease_seconds", 1, 86'400));
  HOLDFAST_TRY(const int64_t attempts, settings.integer("queue.max_attempts", 1, 100));
  HOLDFAST_TRY(const int64_t backoff, settings.integer("queue.backoff_seconds", 0, 3600));
  HOLDFAST_TRY(const int64_t bytes, settings.integer("http.max_body_bytes", 1024, 1 << 30));
  options.queue = {.lease = std::chrono::seconds(lease),
                   .max_attempts = static_cast<int>(attempts),
                   .backoff = std::chrono::seconds(backoff)};
  options.body_limit = static_cast<size_t>(bytes);
  return options;
}

void add_recall_nouns(NounCatalog& nouns) {
  nouns.add(service::recall::item_noun());
  nouns.add(service::recall::memory_noun());
}

RecallParts::RecallParts(http::Router& router, const RecallOptions& options, storage::Store& store,
                         const access::Gatekeeper& gatekeeper, const search::Index& index,
                         const Clock& clock, jobs::JobRunner& jobs)
    : ingest_(store, gatekeeper),
      query_(store, gatekeeper, index, clock),
      memories_(store, gatekeeper),
      queue_(store, gatekeeper, index, clock),
      pipeline_(store, gatekeeper, index, options.queue),
      surface_(surface::recall::mount(router,
                                      {.ingest = ingest_,
                                       .query = query_,
                                       .memories = memories_,
                                       .queue = queue_},
                                      options.body_limit)) {
  pipeline_.add_to(jobs);
}

}  // namespace holdfast::app
