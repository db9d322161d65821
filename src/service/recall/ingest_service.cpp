#include "service/recall/ingest_service.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "service/recall/barrier.h"
#include "service/recall/extract.h"
#include "service/recall/forgotten.h"
#include "storage/typed.h"
#include "text/work_ref.h"

namespace holdfast::service::recall {
namespace {

using access::Permission;
using access::SpaceAccess;

constexpr size_t kMostMemories = 500;
constexpr size_t kMostRunning = 100;
constexpr std::string_view kForgottenSource = "source_forgotten";
constexpr std::string_view kNoScope = "visibility_context_required";

// Those given, and those in what is stored: a reference inside a secret would give it away.
std::vector<std::string> all_refs(const std::vector<std::string>& given, const Item& item) {
  std::vector<std::string> refs = given;
  const Value* more = item.metadata.find("pallium_work_refs");
  if (const auto* elements = more != nullptr ? more->if_array() : nullptr) {
    for (const Value& element : *elements) {
      if (const std::string* text = element.if_string()) refs.push_back(*text);
    }
  }
  for (std::string& ref : work_refs_in(item.content)) refs.push_back(std::move(ref));
  return normalised_refs(refs, kMostRefs);
}

Item make_item(const NewItem& fresh, const std::string& id, Timestamp now) {
  Item item{.about = {.source_item_id = id,
                      .source_type = fresh.source_type,
                      .source_id = fresh.source_id,
                      .occurred_at = fresh.occurred_at,
                      .created_at = now,
                      .actor_ref = fresh.actor_ref,
                      .agent_ref = fresh.agent_ref,
                      .role = fresh.role,
                      .container_ref = fresh.container_ref,
                      .thread_ref = fresh.thread_ref,
                      .source_ref = fresh.source_ref,
                      .artifact_kind = fresh.artifact_kind,
                      .visibility = fresh.visibility},
            .content_type = fresh.content_type,
            .content = fresh.content,
            .metadata = fresh.metadata,
            .use_case = fresh.use_case};
  if (item.about.container_ref)
    item.about.container_ref = canonical_container(*item.about.container_ref);
  // A note is kept to the letter: the person asked for exactly that.
  if (fresh.artifact_kind != "note") item.content = without_secrets(item.content);
  remove_secrets(item.metadata);
  item.work_refs = all_refs(fresh.work_refs, item);
  if (!item.about.container_ref) {
    item.status = "skipped";
    item.error = std::string(kNoScope);
    item.completed_at = now;
  }
  return item;
}

// An item whose attempt is under way shows it, though the attempt writes only when it ends.
Status show_attempt(storage::ReadTxn& txn, const SpaceAccess& all, const QueueSettings& queue,
                    Item& item) {
  if (item.status != "pending") return {};
  HOLDFAST_TRY(const auto running,
               txn.jobs(all, kItemQueue, storage::JobState::kRunning, kMostRunning));
  const auto job = std::ranges::find(running, item.about.source_item_id, &storage::Job::payload);
  if (job == running.end()) return {};
  item.status = "processing";
  item.attempts += job->attempts;
  if (job->lease_until) item.claimed_at = *job->lease_until - queue.lease;
  return {};
}

Result<ItemState> read_state(storage::ReadTxn& txn, const SpaceAccess& all,
                             const QueueSettings& queue, Item item) {
  ItemState state;
  HOLDFAST_TRY(const auto edges, txn.neighbours(all, item_key(item.about.source_item_id),
                                                kSupportedBy, kMostMemories));
  // In the order in which they were made, which those of one commit do not tell by their times.
  std::map<ObjectNumber, Memory> made;
  for (const storage::Neighbour& edge : edges) {
    if (edge.outgoing) continue;
    const auto object = txn.get(all, edge.other);
    if (!object) continue;
    HOLDFAST_TRY(made[object->number], storage::value_of(memory_noun(), *object));
  }
  for (auto& [number, memory] : made) state.memories.push_back(std::move(memory));
  HOLDFAST_CHECK_OK(show_attempt(txn, all, queue, item));
  state.item = std::move(item);
  return state;
}

Status enqueue(storage::WriteTxn& txn, const SpaceAccess& all, std::string_view queue,
               const std::string& payload, const std::string& dedupe_key,
               const QueueSettings& settings, std::chrono::seconds wait) {
  HOLDFAST_CHECK_OK(txn.enqueue(all, {.space = all.space(),
                                      .queue = std::string(queue),
                                      .dedupe_key = dedupe_key,
                                      .payload = payload,
                                      .max_attempts = settings.max_attempts + 1,
                                      .run_at = txn.now() + wait}));
  return {};
}

}  // namespace

// One call's items on their way into the store.
class IngestService::Writing {
 public:
  Writing(storage::WriteTxn& txn, const SpaceAccess& caller, const SpaceAccess& all,
          const QueueSettings& queue)
      : txn_(txn), caller_(caller), all_(all), queue_(queue) {}

  Result<ItemState> store_or_read(const NewItem& fresh) {
    const std::string id = derived_id({"item", fresh.source_type, fresh.source_id});
    // Those of one call keep their order: each is a microsecond later than the one before.
    Item item = make_item(fresh, id, txn_.now() + std::chrono::microseconds(place_++));
    const auto known = txn_.get(all_, item_key(id));
    if (known) {
      HOLDFAST_TRY(Item stored, storage::value_of(item_noun(), *known));
      if (!may_reach(caller_, stored.about.container_ref))
        return ItemState{.item = std::move(item)};
      return read_state(txn_, all_, queue_, std::move(stored));
    }
    if (known.error().code != ErrorCode::kNotFound) return known.error();
    // What was forgotten does not come back by being sent again.
    if (txn_.get(all_, forgotten_key(id))) {
      item.status = "skipped";
      item.error = std::string(kForgottenSource);
      item.completed_at = item.about.created_at;
      return ItemState{.item = std::move(item)};
    }
    const Evidence& about = item.about;
    HOLDFAST_CHECK_OK(txn_.add(
        all_, storage::put_of(item_noun(), id, item,
                              label_of(about.visibility, about.container_ref, about.actor_ref))));
    if (item.status == "pending") {
      ++stored_;
      HOLDFAST_CHECK_OK(enqueue(txn_, all_, kItemQueue, id, "", queue_, std::chrono::seconds(0)));
    }
    return ItemState{.item = std::move(item)};
  }

  int64_t stored() const { return stored_; }

 private:
  storage::WriteTxn& txn_;
  const SpaceAccess& caller_;
  const SpaceAccess& all_;
  const QueueSettings& queue_;
  int64_t place_ = 0;
  int64_t stored_ = 0;
};

bool ItemState::thread_is_built() const {
  return !item.debug_stripped && std::ranges::any_of(memories, [](const Memory& memory) {
    return memory.type == type::kSummary;
  });
}

std::string canonical_container(const std::string& container) {
  constexpr std::string_view kHost = "git:github.com/";
  std::string folded = fold_case(container);
  if (!folded.starts_with(kHost)) return container;
  while (folded.ends_with('/')) folded.pop_back();
  if (folded.ends_with(".git")) folded.resize(folded.size() - 4);
  const std::string_view path = std::string_view(folded).substr(kHost.size());
  const size_t slash = path.find('/');
  const bool repository = slash != std::string_view::npos && slash > 0 && slash + 1 < path.size() &&
                          path.find('/', slash + 1) == std::string_view::npos;
  return repository ? folded : container;
}

std::vector<std::string> normalised_refs(const std::vector<std::string>& refs, size_t most) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const std::string& text : refs) {
    const auto ref = text::normalise_work_ref(text);
    if (!ref || !seen.insert(*ref).second) continue;
    if (most > 0 && out.size() == most) break;
    out.push_back(*ref);
  }
  return out;
}

Status IngestService::check(const SpaceAccess& access, const std::vector<NewItem>& items) const {
  for (const NewItem& item : items) {
    if (item.use_case != kUseCase)
      return Error{.code = ErrorCode::kInvalidArgument,
                   .reason = std::string(reason::kUnknownUseCase),
                   .message = "Unsupported use case: " + item.use_case};
    if (item.container_ref && !may_reach(access, canonical_container(*item.container_ref)))
      return Error{.code = ErrorCode::kPermissionDenied,
                   .message = "This token does not reach that container."};
  }
  if (backlog_.waiting() < queue_.most_waiting) return {};
  return Error{.code = ErrorCode::kUnavailable,
               .message = "Too many items wait to be processed; try again in a second.",
               .retry_after_seconds = 1};
}

Result<std::vector<ItemState>> IngestService::ingest(const CallContext& call,
                                                     const std::vector<NewItem>& items) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  HOLDFAST_CHECK_OK(check(access, items));
  if (items.empty()) return std::vector<ItemState>{};
  // The pair names one item for everybody, whoever may see it.
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  int64_t stored = 0;
  auto states = storage::write_returning<std::vector<ItemState>>(
      store_, call, [&](storage::WriteTxn& txn) -> Result<std::vector<ItemState>> {
        Writing writing(txn, access, all, queue_);
        std::vector<ItemState> out;
        for (const NewItem& item : items) {
          HOLDFAST_TRY(ItemState state, writing.store_or_read(item));
          state.vectors = vectors_;
          out.push_back(std::move(state));
        }
        stored = writing.stored();
        if (queue_.retention)
          HOLDFAST_CHECK_OK(
              enqueue(txn, all, kRetentionQueue, "all", "all", queue_, kRetentionPause));
        return out;
      });
  if (states) backlog_.add(stored);
  return states;
}

Result<ItemState> IngestService::state(const CallContext& call, const std::string& id) const {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Object object, txn->get(all, item_key(id)));
  HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
  if (!may_reach(access, item.about.container_ref)) return not_found(item_noun().kind, id);
  HOLDFAST_TRY(ItemState state, read_state(*txn, all, queue_, std::move(item)));
  state.vectors = vectors_;
  return state;
}

}  // namespace holdfast::service::recall
