#include "service/recall/pipeline.h"

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;

constexpr size_t kMostAskedBefore = 10;
constexpr size_t kMostErrorText = 1000;
constexpr std::chrono::seconds kLongestBackoff{300};

Status save_item(WriteTxn& txn, const SpaceAccess& all, const Item& item) {
  const Evidence& about = item.about;
  HOLDFAST_CHECK_OK(txn.put(
      all, storage::put_of(item_noun(), about.source_item_id, item,
                           label_of(about.visibility, about.container_ref, about.actor_ref))));
  return {};
}

// Counts the attempt, unless that was done before a long call.
void claim_item(Item& item, Timestamp now) {
  if (item.status == "processing") return;
  item.status = "processing";
  ++item.attempts;
  item.claimed_at = now;
}

Status commit_item(WriteTxn& txn, const SpaceAccess& all, const std::string& id,
                   const std::vector<Draft>& drafts, const std::vector<std::string>& earlier) {
  HOLDFAST_TRY(const Object object, txn.get(all, item_key(id)));
  HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
  if (item.status == "completed") return {};
  MemoryWriter writer(txn, all);
  item.produced.clear();
  for (size_t i = 0; i < drafts.size(); ++i) {
    HOLDFAST_TRY(const auto memory, writer.add(item, drafts[i], i));
    if (!memory) continue;
    item.produced.push_back({.memory_id = memory->id, .type = memory->type});
    HOLDFAST_CHECK_OK(writer.find_pattern_with(*memory));
  }
  HOLDFAST_CHECK_OK(writer.carry_forward(item, earlier));
  const Evidence& about = item.about;
  if (builds_thread(about)) {
    item.rebuild_requested = true;
    HOLDFAST_CHECK_OK(
        writer.request_rebuild(about.container_ref, about.thread_ref, about.visibility));
  }
  claim_item(item, txn.now());
  item.status = "completed";
  item.completed_at = txn.now();
  item.error = std::nullopt;
  item.failure_category = std::nullopt;
  return save_item(txn, all, item);
}

}  // namespace

void Pipeline::add_to(jobs::JobRunner& runner) {
  jobs::Handler items{.queue = std::string(kItemQueue),
                      .lease = settings_.lease,
                      .max_attempts = settings_.max_attempts,
                      .backoff_base = settings_.backoff,
                      .run = [this](const storage::Job& job) { return process(job); }};
  runner.add(items);
  jobs::Handler threads{.queue = std::string(kThreadQueue),
                        .lease = settings_.lease,
                        .max_attempts = settings_.max_attempts,
                        .backoff_base = settings_.backoff,
                        .run = [this](const storage::Job& job) { return rebuild(job); }};
  runner.add(threads);
}

Result<std::vector<std::string>> Pipeline::asked_before(storage::ReadTxn& txn,
                                                        const SpaceAccess& all,
                                                        const Item& item) const {
  std::vector<std::string> ids;
  if (!item.about.container_ref) return ids;
  for (const std::string& question : questions_of(item)) {
    search::SearchRequest request{
        .query = question,
        .plain = true,
        .filter = {.kinds = {item_noun().kind},
                   .facets = {{.name = std::string(shared_facet::kContainer),
                               .any_of = {*item.about.container_ref}},
                              {.name = std::string(facet::kRole), .any_of = {"user"}}}},
        .limit = kMostAskedBefore};
    HOLDFAST_TRY(const auto found, index_.search(all, request));
    std::vector<ObjectNumber> numbers;
    for (const search::Hit& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn.get_many(all, numbers));
    for (const Object& object : objects) ids.push_back(object.key.id);
  }
  return ids;
}

Status Pipeline::claim(const SpaceAccess& all, const std::string& id) const {
  CallContext call;
  call.surface = "recall";
  call.viewer = all.viewer();
  return store_.write(call, [&](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const Object object, txn.get(all, item_key(id)));
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    // Left behind by a process that is gone: this is another attempt.
    if (item.status == "processing") item.status = "pending";
    if (item.status == "completed") return {};
    claim_item(item, txn.now());
    return save_item(txn, all, item);
  });
}

storage::WriteClosure Pipeline::failure_of(const SpaceAccess& all, const std::string& id,
                                           const Error& error) const {
  return [this, all, id, error](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const Object object, txn.get(all, item_key(id)));
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    if (item.status == "completed") return {};
    item.error = std::string(prefix_code_points(
        error.message.empty() ? error_code_name(error.code) : std::string_view(error.message),
        kMostErrorText));
    item.failure_category =
        error.code == ErrorCode::kCorrupted ? "malformed_payload" : "llm_failure";
    if (item.attempts >= settings_.max_attempts) {
      item.status = "failed";
      item.completed_at = txn.now();
      return save_item(txn, all, item);
    }
    item.status = "pending";
    const auto doubled =
        settings_.backoff * (int64_t{1} << std::min<int64_t>(item.attempts - 1, 10));
    HOLDFAST_CHECK_OK(txn.enqueue(
        all, {.space = all.space(),
              .queue = std::string(kItemQueue),
              .dedupe_key = id,
              .payload = id,
              .run_at = txn.now() + std::min<std::chrono::seconds>(doubled, kLongestBackoff)}));
    return save_item(txn, all, item);
  };
}

Result<storage::WriteClosure> Pipeline::process(const storage::Job& job) const {
  const SpaceAccess all = gatekeeper_.engine_access(job.space);
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(const Object object, txn->get(all, item_key(job.payload)));
  HOLDFAST_TRY(const Item item, storage::value_of(item_noun(), object));
  std::vector<Draft> drafts;
  if (model_ == nullptr) {
    drafts = extract(item);
  } else {
    HOLDFAST_CHECK_OK(claim(all, job.payload));
    auto read = model_->extract(item);
    if (!read && !fall_back_) return failure_of(all, job.payload, read.error());
    drafts = read ? std::move(*read) : extract(item);
  }
  HOLDFAST_TRY(auto earlier, asked_before(*txn, all, item));
  return storage::WriteClosure([all, id = job.payload, drafts = std::move(drafts),
                                earlier = std::move(earlier)](WriteTxn& write) {
    return commit_item(write, all, id, drafts, earlier);
  });
}

Result<storage::WriteClosure> Pipeline::rebuild(const storage::Job& job) const {
  return storage::WriteClosure(
      [all = gatekeeper_.engine_access(job.space), scope = job.payload](WriteTxn& txn) {
        return MemoryWriter(txn, all).rebuild(scope);
      });
}

}  // namespace holdfast::service::recall
