#include "service/recall/pipeline.h"

#include <exception>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;
using storage::Job;
using storage::WriteClosure;
using storage::WriteTxn;

constexpr size_t kItemsAtOnce = 48;
constexpr size_t kThreadsAtOnce = 16;

bool is_gone(const Error& error) { return error.code == ErrorCode::kNotFound; }

// A model that refused may be willing another time: its job is tried again like an item.
Error for_later(std::string_view reason, const Error& error) {
  return {.code = ErrorCode::kUnavailable,
          .reason = std::string(reason),
          .message = error.message,
          .detail = error.detail};
}

// What throws inside an extractor is an error like any other.
template <typename Extract>
Result<std::vector<Draft>> guarded(const Extract& extract) {
  const auto failure = [](std::string_view what) {
    return Error{.code = ErrorCode::kInternal,
                 .reason = std::string(reason::kExtractorFailure),
                 .message = fmt::format("The extractor failed: {}", what)};
  };
  try {
    return extract();
  } catch (const std::exception& thrown) {
    return failure(thrown.what());
  } catch (...) {
    return failure("unknown");
  }
}

// False: it was done before. An item that was forgotten is done too.
Result<bool> commit_item(MemoryWriter& writer, WriteTxn& txn, const SpaceAccess& all,
                         const ItemPlan& plan) {
  auto stored = read_item(txn, all, plan.id);
  if (!stored && is_gone(stored.error())) return true;
  HOLDFAST_TRY(Item item, std::move(stored));
  if (item.status == "completed") return false;
  item.produced.clear();
  for (size_t i = 0; i < plan.drafts.size(); ++i) {
    HOLDFAST_TRY(const auto memory, writer.add(item, plan.drafts[i], i, plan.kin[i]));
    if (!memory) continue;
    item.produced.push_back({.memory_id = memory->id, .type = memory->type});
    HOLDFAST_CHECK_OK(writer.find_pattern(*memory, plan.kin[i].related));
  }
  HOLDFAST_CHECK_OK(writer.carry_forward(item, plan.asked_before));
  const Evidence& about = item.about;
  if (builds_thread(about)) {
    item.rebuild_requested = true;
    HOLDFAST_CHECK_OK(
        writer.request_rebuild(about.container_ref, about.thread_ref, about.visibility));
  }
  item.attempts += plan.attempts;
  item.claimed_at = plan.claimed_at;
  item.status = "completed";
  item.completed_at = txn.now();
  item.error = std::nullopt;
  item.failure_category = std::nullopt;
  HOLDFAST_CHECK_OK(writer.save(item));
  return true;
}

}  // namespace

void Pipeline::add_to(jobs::JobRunner& runner) {
  // One attempt more than there are: the one that ends an item whose attempts never ended.
  jobs::Handler items{.queue = std::string(kItemQueue),
                      .lease = settings_.lease,
                      .max_attempts = settings_.max_attempts + 1,
                      .backoff_base = settings_.backoff};
  if (model_ == nullptr) {
    items.run_many = [this](const std::vector<Job>& jobs) { return process(jobs); };
    items.most_at_once = kItemsAtOnce;
    items.serial = true;
  } else {
    items.run = [this](const Job& job) { return ask_about(job); };
  }
  runner.add(std::move(items));
  runner.add({.queue = std::string(kThreadQueue),
              .lease = settings_.lease,
              .max_attempts = settings_.max_attempts,
              .backoff_base = settings_.backoff,
              .run_many = [this](const std::vector<Job>& jobs) { return rebuild(jobs); },
              .most_at_once = model_ == nullptr ? kThreadsAtOnce : 1,
              .serial = true});
  if (model_ == nullptr) return;
  runner.add({.queue = std::string(kRefineQueue),
              .lease = settings_.lease,
              .max_attempts = settings_.max_attempts,
              .backoff_base = settings_.backoff,
              .run = [this](const Job& job) { return refine(job); }});
}

Result<ItemPlan> Pipeline::plan(storage::ReadTxn& txn, const Job& job, const Item& item,
                                std::vector<Draft> drafts) const {
  const SpaceAccess all = gatekeeper_.engine_access(job.space);
  ItemPlan plan{.id = job.payload, .attempts = job.attempts, .drafts = std::move(drafts)};
  if (job.lease_until) plan.claimed_at = *job.lease_until - settings_.lease;
  KinFinder finder(txn, index_, all);
  for (const Draft& draft : plan.drafts) {
    HOLDFAST_TRY(Kin kin, finder.of(item, draft));
    plan.kin.push_back(std::move(kin));
  }
  HOLDFAST_TRY(plan.asked_before, finder.asked_before(item));
  return plan;
}

WriteClosure Pipeline::commit_of(Plans plans, std::vector<WriteClosure> failures) const {
  return [this, shared = std::make_shared<Plans>(std::move(plans)),
          failures = std::move(failures)](WriteTxn& txn) -> Status {
    for (const WriteClosure& failure : failures) HOLDFAST_CHECK_OK(failure(txn));
    int64_t done = 0;
    std::map<SpaceId, MemoryWriter> writers;
    for (const auto& [all, one] : *shared) {
      MemoryWriter& writer = writers.try_emplace(all.space(), txn, all).first->second;
      if (model_ != nullptr) writer.hand_to_model();
      HOLDFAST_TRY(const bool fresh, commit_item(writer, txn, all, one));
      done += fresh ? 1 : 0;
    }
    backlog_.add(-done);
    return {};
  };
}

Result<WriteClosure> Pipeline::process(const std::vector<Job>& jobs) const {
  Plans plans;
  std::vector<WriteClosure> failures;
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  for (const Job& job : jobs) {
    const bool used_up = job.attempts > settings_.max_attempts;
    if (used_up && jobs.size() == 1) return burial_of(job);
    if (used_up) return internal_error("one of several items has no attempts left");
    const SpaceAccess all = gatekeeper_.engine_access(job.space);
    auto stored = read_item(*txn, all, job.payload);
    if (!stored && is_gone(stored.error())) {
      plans.emplace_back(all, ItemPlan{.id = job.payload});
      continue;
    }
    HOLDFAST_TRY(const Item item, std::move(stored));
    auto drafts = guarded([&] { return rules_(item); });
    if (!drafts) {
      failures.push_back(failure_of(job, drafts.error()));
      continue;
    }
    HOLDFAST_TRY(ItemPlan one, plan(*txn, job, item, std::move(*drafts)));
    plans.emplace_back(all, std::move(one));
  }
  return commit_of(std::move(plans), std::move(failures));
}

Result<WriteClosure> Pipeline::ask_about(const Job& job) const {
  if (job.attempts > settings_.max_attempts) return burial_of(job);
  const SpaceAccess all = gatekeeper_.engine_access(job.space);
  Plans plans;
  Item item;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    auto stored = read_item(*txn, all, job.payload);
    if (!stored && is_gone(stored.error())) {
      plans.emplace_back(all, ItemPlan{.id = job.payload});
      return commit_of(std::move(plans), {});
    }
    HOLDFAST_TRY(item, std::move(stored));
  }
  auto drafts = guarded([&] { return model_->extract(item); });
  if (!drafts && fall_back_) drafts = guarded([&] { return rules_(item); });
  if (!drafts) return failure_of(job, drafts.error());
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(ItemPlan one, plan(*txn, job, item, std::move(*drafts)));
  plans.emplace_back(all, std::move(one));
  return commit_of(std::move(plans), {});
}

Result<WriteClosure> Pipeline::rebuild(const std::vector<Job>& jobs) const {
  auto plans = std::make_shared<std::vector<std::pair<SpaceAccess, ThreadPlan>>>();
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    for (const Job& job : jobs) {
      const SpaceAccess all = gatekeeper_.engine_access(job.space);
      HOLDFAST_TRY(ThreadPlan one, plan_thread(*txn, index_, all, job.payload));
      plans->emplace_back(all, std::move(one));
    }
  }
  for (auto& [all, one] : *plans) {
    const Status worded = model_ != nullptr ? model_->aggregate(one) : Status();
    // Tried again later; the items themselves are done.
    if (!worded && !fall_back_) return for_later("thread_rebuild_failure", worded.error());
  }
  return WriteClosure([plans](WriteTxn& txn) -> Status {
    for (const auto& [all, one] : *plans) HOLDFAST_CHECK_OK(MemoryWriter(txn, all).apply(one));
    return {};
  });
}

Result<WriteClosure> Pipeline::refine(const Job& job) const {
  const SpaceAccess all = gatekeeper_.engine_access(job.space);
  Memory memory;
  std::vector<Memory> facts;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    auto stored = read_memory(*txn, all, job.payload);
    if (!stored && is_gone(stored.error())) return WriteClosure();
    HOLDFAST_TRY(memory, std::move(stored));
    const Value* ids = memory.payload.find("fact_ids");
    for (const Value& id : ids != nullptr ? *ids->if_array() : std::vector<Value>()) {
      auto fact = read_memory(*txn, all, *id.if_string());
      if (fact) facts.push_back(std::move(*fact));
    }
  }
  if (memory.lifecycle != "active") return WriteClosure();
  Memory worded = memory;
  auto better = model_->refine(worded, facts);
  if (!better && !fall_back_) return for_later("llm_failure", better.error());
  if (!better || !*better) return WriteClosure();
  return WriteClosure([all, memory, worded](WriteTxn& txn) -> Status {
    const auto now = read_memory(txn, all, memory.id);
    if (!now && !is_gone(now.error())) return now.error();
    const bool same = now && now->lifecycle == "active" && now->payload == memory.payload;
    return same ? MemoryWriter(txn, all).save(worded) : Status();
  });
}

}  // namespace holdfast::service::recall
