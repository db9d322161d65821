// The background work: items become memories, threads become summaries. Each step is one commit
// together with the end of its job, and ids are derived from what they are made of: a step that is
// repeated after a crash gives the same memories.
#pragma once

#include "access/gatekeeper.h"
#include "jobs/job_runner.h"
#include "search/index.h"
#include "service/recall/item.h"
#include "service/recall/model_extractor.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct QueueSettings {
  std::chrono::seconds lease{900};
  int max_attempts = 3;
  std::chrono::seconds backoff{5};
};

class Pipeline {
 public:
  Pipeline(storage::Store& store, const access::Gatekeeper& gatekeeper, const search::Index& index,
           QueueSettings settings)
      : store_(store), gatekeeper_(gatekeeper), index_(index), settings_(settings) {}

  // Reads items with a model; `fall_back`: with the rules where it fails. Before add_to.
  void use_model(const ModelExtractor* model, bool fall_back) {
    model_ = model;
    fall_back_ = fall_back;
  }
  // Before the runner starts.
  void add_to(jobs::JobRunner& runner);

 private:
  // Items that may have asked the same; what they say is checked in the write.
  Result<std::vector<std::string>> asked_before(storage::ReadTxn& txn,
                                                const access::SpaceAccess& all,
                                                const Item& item) const;
  // Shows that the item is being worked on, before a call that takes long.
  Status claim(const access::SpaceAccess& all, const std::string& id) const;
  // Another attempt later, or the end.
  storage::WriteClosure failure_of(const access::SpaceAccess& all, const std::string& id,
                                   const Error& error) const;
  Result<storage::WriteClosure> process(const storage::Job& job) const;
  Result<storage::WriteClosure> rebuild(const storage::Job& job) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const QueueSettings settings_;
  const ModelExtractor* model_ = nullptr;  // nullptr: the rules alone
  bool fall_back_ = false;
};

}  // namespace holdfast::service::recall
