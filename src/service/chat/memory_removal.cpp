// Forgetting: one memory, those that a filter names, all of them.
#include "base/digest.h"
#include "service/chat/as_user.h"
#include "service/chat/memory_filter.h"
#include "service/chat/memory_service.h"
#include "service/chat/replay.h"
#include "service/chat/transmission.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

std::string hash_of(const DeleteMany& request) {
  return to_hex(sha256(to_json(Value::array(
      {request.operation, request.thread_id, request.domain, Value::array_of(request.tags_any),
       request.created_before ? Value(format_micros(*request.created_before)) : Value()}))));
}

Error confirm_required() {
  return conflict(reason::kConfirmRequired,
                  "This memory has high rigor; repeat the call with confirm=true to delete it.");
}

}  // namespace

Status MemoryService::remove(const CallContext& call, const DeleteMemory& request) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  return store_.write(call, [&](WriteTxn& txn) -> Status {
    const auto object = txn.get(access, memory_key(request.memory_id));
    if (!object) {
      if (object.error().code == ErrorCode::kNotFound) return {};
      return object.error();
    }
    HOLDFAST_TRY(const Memory memory, storage::value_of(memory_noun(), *object));
    if (memory.rigor == Rigor::kHigh && !request.confirmed) return confirm_required();
    return txn.erase(access, object->key, "forgotten by the user");
  });
}

Result<DeletedMany> MemoryService::remove_many(const CallContext& call, const DeleteMany& request) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  const auto key = replay_key(request.user, request.operation, request.request_id);
  const std::string hash = hash_of(request);
  search::ListRequest wanted{
      .filter = memories_of(request.user), .sort = newest_first(), .limit = search::kMaxLimit};
  add_equal(wanted.filter, facet::kDomain, request.domain);
  add_equal(wanted.filter, shared_facet::kThread, request.thread_id);
  add_tags(wanted.filter, request.tags_any);
  wanted.filter.to = request.created_before;
  return storage::write_returning<DeletedMany>(
      store_, call, [&](WriteTxn& txn) -> Result<DeletedMany> {
        HOLDFAST_TRY(const auto replay, find_replay(txn, access, key, hash, ""));
        DeletedMany done{.request_id = request.request_id};
        if (replay) {
          done.deleted_count = std::stoll("0" + replay->print.id);
          done.replayed = true;
          return done;
        }
        for (search::ListRequest page = wanted;;) {
          HOLDFAST_TRY(const auto listed, index_.list(access, page));
          std::vector<ObjectNumber> numbers;
          for (const auto& hit : listed.hits) numbers.push_back(hit.number);
          HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
          for (const Object& object : objects)
            HOLDFAST_CHECK_OK(txn.erase(access, object.key, "forgotten by the user"));
          done.deleted_count += static_cast<int64_t>(objects.size());
          if (!listed.has_more) break;
          page.after = listed.hits.back().position;
        }
        if (request.everything) HOLDFAST_CHECK_OK(cancel_distillations(txn, access, index_));
        HOLDFAST_CHECK_OK(keep_replay(
            txn, access, settings_,
            {.key = key, .print = {.hash = hash, .id = std::to_string(done.deleted_count)}}));
        return done;
      });
}

}  // namespace holdfast::service::chat
