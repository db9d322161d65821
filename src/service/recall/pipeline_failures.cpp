// How attempts end that did not succeed.
#include <algorithm>

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "service/recall/pipeline.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using storage::Job;
using storage::WriteClosure;
using storage::WriteTxn;

constexpr size_t kMostErrorText = 1000;
constexpr std::chrono::seconds kLongestBackoff{300};

std::string error_text(const Error& error) {
  const std::string_view text =
      error.message.empty() ? error_code_name(error.code) : std::string_view(error.message);
  return std::string(prefix_code_points(text, kMostErrorText));
}

std::string category_of(const Error& error) {
  if (error.reason == reason::kExtractorFailure) return std::string(reason::kExtractorFailure);
  return error.code == ErrorCode::kCorrupted ? "malformed_payload" : "llm_failure";
}

}  // namespace

Status Pipeline::let_go(const Error& error) const {
  if (error.code != ErrorCode::kNotFound) return error;
  backlog_.add(-1);
  return {};
}

WriteClosure Pipeline::failure_of(const Job& job, const Error& error) const {
  return [this, all = gatekeeper_.engine_access(job.space), job, error](WriteTxn& txn) -> Status {
    auto stored = read_item(txn, all, job.payload);
    if (!stored) return let_go(stored.error());
    Item& item = *stored;
    if (item.status == "completed") return {};
    item.error = error_text(error);
    item.failure_category = category_of(error);
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
    auto stored = read_item(txn, all, job.payload);
    if (!stored) return let_go(stored.error());
    Item& item = *stored;
    if (item.status == "completed") return {};
    item.status = "failed";
    item.attempts = settings_.max_attempts;
    item.completed_at = txn.now();
    item.error = job.error.empty() ? "The attempts did not end." : job.error;
    item.failure_category =
        job.error.empty() ? "unexpected_runtime_failure" : "storage_commit_failure";
    backlog_.add(-1);
    return MemoryWriter(txn, all).save(item);
  };
}

}  // namespace holdfast::service::recall
