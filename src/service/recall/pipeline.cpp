#include "service/recall/pipeline.h"

#include <map>
#include <memory>

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;
using storage::Job;
using storage::WriteClosure;
using storage::WriteTxn;

constexpr size_t kMostErrorText = 1000;
constexpr size_t kItemsAtOnce = 24;
constexpr size_t kThreadsAtOnce = 8;
constexpr std::chrono::seconds kLongestBackoff{300};

Result<Item> read_item(storage::ReadTxn& txn, const SpaceAccess& all, const std::string& id) {
  HOLDFAST_TRY(const Object object, txn.get(all, item_key(id)));
  return storage::value_of(item_noun(), object);
}

std::string error_text(const Error& error) {
  const std::string_view text =
      error.message.empty() ? error_code_name(error.code) : std::string_view(error.message);
  return std::string(prefix_code_points(text, kMostErrorText));
}

// False: it was done before.
Result<bool> commit_item(MemoryWriter& writer, WriteTxn& txn, const SpaceAccess& all,
                         const ItemPlan& plan) {
  HOLDFAST_TRY(Item item, read_item(txn, all, plan.id));
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
              .most_at_once = kThreadsAtOnce,
              .serial = true});
}

WriteClosure Pipeline::failure_of(const Job& job, const Error& error) const {
  return [this, all = gatekeeper_.engine_access(job.space), job, error](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(Item item, read_item(txn, all, job.payload));
    if (item.status == "completed") return {};
    item.error = error_text(error);
    item.failure_category =
        error.code == ErrorCode::kCorrupted ? "malformed_payload" : "llm_failure";
    item.attempts += job.attempts;
    if (job.lease_until) item.claimed_at = *job.lease_until - settings_.lease;
    MemoryWriter writer(txn, all);
    if (item.attempts >= settings_.max_attempts) {
      item.status = "failed";
      item.completed_at = txn.now();
      backlog_.add(-1);
      return writer.save(item);
    }
    const auto doubled =
        settings_.backoff * (int64_t{1} << std::min<int64_t>(item.attempts - 1, 10));
    HOLDFAST_CHECK_OK(txn.enqueue(
        all, {.space = all.space(),
              .queue = std::string(kItemQueue),
              .dedupe_key = job.payload,
              .payload = job.payload,
              .max_attempts = settings_.max_attempts + 1,
              .run_at = txn.now() + std::min<std::chrono::seconds>(doubled, kLongestBackoff)}));
    return writer.save(item);
  };
}

WriteClosure Pipeline::burial_of(const Job& job) const {
  return [this, all = gatekeeper_.engine_access(job.space), job](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(Item item, read_item(txn, all, job.payload));
    if (item.status == "completed") return {};
    item.status = "failed";
    item.attempts = settings_.max_attempts;
    item.completed_at = txn.now();
    item.error = job.error.empty() ? "The attempts did not end." : job.error;
    item.failure_category = job.error.empty() ? "unexpected_runtime_failure"
                                              : "storage_commit_failure";
    backlog_.add(-1);
    return MemoryWriter(txn, all).save(item);
  };
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

WriteClosure Pipeline::commit_of(Plans plans) const {
  return [this, shared = std::make_shared<Plans>(std::move(plans))](WriteTxn& txn) -> Status {
    int64_t done = 0;
    std::map<SpaceId, MemoryWriter> writers;
    for (const auto& [all, one] : *shared) {
      MemoryWriter& writer = writers.try_emplace(all.space(), txn, all).first->second;
      HOLDFAST_TRY(const bool fresh, commit_item(writer, txn, all, one));
      done += fresh ? 1 : 0;
    }
    backlog_.add(-done);
    return {};
  };
}

Result<WriteClosure> Pipeline::process(const std::vector<Job>& jobs) const {
  Plans plans;
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  for (const Job& job : jobs) {
    const bool used_up = job.attempts > settings_.max_attempts;
    if (used_up && jobs.size() == 1) return burial_of(job);
    if (used_up) return internal_error("one of several items has no attempts left");
    const SpaceAccess all = gatekeeper_.engine_access(job.space);
    HOLDFAST_TRY(const Item item, read_item(*txn, all, job.payload));
    HOLDFAST_TRY(ItemPlan one, plan(*txn, job, item, extract(item)));
    plans.emplace_back(all, std::move(one));
  }
  return commit_of(std::move(plans));
}

Result<WriteClosure> Pipeline::ask_about(const Job& job) const {
  if (job.attempts > settings_.max_attempts) return burial_of(job);
  const SpaceAccess all = gatekeeper_.engine_access(job.space);
  Item item;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    HOLDFAST_TRY(item, read_item(*txn, all, job.payload));
  }
  auto drafts = model_->extract(item);
  if (!drafts && !fall_back_) return failure_of(job, drafts.error());
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(ItemPlan one,
               plan(*txn, job, item, drafts ? std::move(*drafts) : extract(item)));
  Plans plans;
  plans.emplace_back(all, std::move(one));
  return commit_of(std::move(plans));
}

Result<WriteClosure> Pipeline::rebuild(const std::vector<Job>& jobs) const {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  auto plans = std::make_shared<std::vector<std::pair<SpaceAccess, ThreadPlan>>>();
  for (const Job& job : jobs) {
    const SpaceAccess all = gatekeeper_.engine_access(job.space);
    HOLDFAST_TRY(ThreadPlan one, plan_thread(*txn, index_, all, job.payload));
    plans->emplace_back(all, std::move(one));
  }
  return WriteClosure([plans](WriteTxn& write) -> Status {
    for (const auto& [all, one] : *plans) HOLDFAST_CHECK_OK(MemoryWriter(write, all).apply(one));
    return {};
  });
}

}  // namespace holdfast::service::recall
