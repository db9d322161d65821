// What a model makes of items and threads. What it quotes must be in the item, and a decision must
// also be one by the rules (or come from a whole thread): a model may word things better, it may
// not invent.
#pragma once

#include "service/recall/extract.h"
#include "service/recall/model_roles.h"
#include "service/recall/thread_plan.h"

namespace holdfast::service::recall {

class ModelExtractor {
 public:
  explicit ModelExtractor(const ModelRoles& roles) : roles_(roles) {}

  // All of these wait for the network; errors are those of ModelRoles::ask.
  Result<std::vector<Draft>> extract(const Item& item) const;
  // Words the thread's summary and checkpoint anew, and adds decisions that it quotes.
  Status aggregate(ThreadPlan& plan) const;
  // Words a consolidated memory (facts, continuity, pattern) anew. False: it has nothing better.
  Result<bool> refine(Memory& memory, const std::vector<Memory>& facts) const;

 private:
  Result<std::vector<Draft>> read_facts(const Item& item) const;
  Result<std::vector<Draft>> title(const Item& item) const;

  const ModelRoles& roles_;
};

}  // namespace holdfast::service::recall
