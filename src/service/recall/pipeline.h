// The background work: items become memories, threads become summaries. Each step is one commit
// together with the end of its job, and ids are derived from what they are made of: a step that is
// repeated after a crash gives the same memories. With the rules items are taken several at a time
// and always in the order in which they came.
#pragma once

#include <functional>

#include "access/gatekeeper.h"
#include "jobs/job_runner.h"
#include "search/index.h"
#include "service/recall/extract.h"
#include "service/recall/item.h"
#include "service/recall/kin.h"
#include "service/recall/model_extractor.h"
#include "service/recall/queue_settings.h"
#include "storage/store.h"

namespace holdfast::service::recall {

namespace reason {
inline constexpr std::string_view kExtractorFailure = "extractor_failure";
}

// What an item states, by rules.
using Rules = std::function<std::vector<Draft>(const Item&)>;

class Pipeline {
 public:
  Pipeline(storage::Store& store, const access::Gatekeeper& gatekeeper, const search::Index& index,
           Backlog& backlog, QueueSettings settings)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        backlog_(backlog),
        settings_(settings) {}

  // Reads with a model; `fall_back`: with the rules where it fails. Before add_to.
  void use_model(const ModelExtractor* model, bool fall_back) {
    model_ = model;
    fall_back_ = fall_back;
  }
  // Reads with something else than the embedded extractor. Before add_to.
  void use_rules(Rules rules) { rules_ = std::move(rules); }
  // Before the runner starts.
  void add_to(jobs::JobRunner& runner);

 private:
  // Another attempt later, or the end.
  storage::WriteClosure failure_of(const storage::Job& job, const Error& error) const;
  // The item was forgotten before its attempt ended; other errors are passed on.
  Status let_go(const Error& error) const;
  // The attempts are used up; whatever the last of them was stopped by, this ends the item.
  storage::WriteClosure burial_of(const storage::Job& job) const;
  Result<ItemPlan> plan(storage::ReadTxn& txn, const storage::Job& job, const Item& item,
                        std::vector<Draft> drafts) const;
  using Plans = std::vector<std::pair<access::SpaceAccess, ItemPlan>>;
  // The plans, and the failures of other items of the same batch.
  storage::WriteClosure commit_of(Plans plans, std::vector<storage::WriteClosure> failures) const;
  // By the rules, several at once.
  Result<storage::WriteClosure> process(const std::vector<storage::Job>& jobs) const;
  // With the model. Holds no transaction while it waits.
  Result<storage::WriteClosure> ask_about(const storage::Job& job) const;
  Result<storage::WriteClosure> rebuild(const std::vector<storage::Job>& jobs) const;
  // Words a consolidated memory with the model.
  Result<storage::WriteClosure> refine(const storage::Job& job) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  Backlog& backlog_;
  const QueueSettings settings_;
  Rules rules_ = extract;
  const ModelExtractor* model_ = nullptr;  // nullptr: the rules alone
  bool fall_back_ = false;
};

}  // namespace holdfast::service::recall
