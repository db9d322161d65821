#include "service/chat/memory_service.h"

#include <algorithm>
#include <cmath>

#include "base/ids.h"
#include "service/chat/as_user.h"
#include "service/chat/budget.h"
#include "service/chat/memory_filter.h"
#include "service/chat/replay.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

constexpr std::string_view kCreate = "POST /v1/memories";
constexpr std::string_view kPatch = "PATCH /v1/memories/{memory_id}";

const Codec<CreatedMemory>& created_codec() {
  static const Codec<CreatedMemory> codec = Codec<CreatedMemory>()
                                                .field("request_id", &CreatedMemory::request_id)
                                                .field("memory_id", &CreatedMemory::memory_id)
                                                .field("created_at", &CreatedMemory::created_at)
                                                .field("updated_at", &CreatedMemory::updated_at)
                                                .field("domain", &CreatedMemory::domain)
                                                .field("title", &CreatedMemory::title)
                                                .field("summary", &CreatedMemory::summary)
                                                .field("tags", &CreatedMemory::tags)
                                                .field("rigor_level", &CreatedMemory::rigor);
  return codec;
}

// Times are kept as they are shown, so that a cursor means what it says.
Timestamp whole_millis(Timestamp at) { return from_micros(to_micros(at) / 1000 * 1000); }

// 5 and 5.0 are one number.
Value as_compared(const Value& importance) {
  if (!importance.is_number()) return importance;
  const double number = importance.to_double();
  const bool whole = number == std::trunc(number) && std::abs(number) < 1e15;
  return whole ? Value(static_cast<int64_t>(number)) : importance;
}

// Tags count as a set with repeats, the source not at all.
std::string hash_of(const CreateMemory& request) {
  std::vector<std::string> tags = request.tags;
  std::ranges::sort(tags);
  return to_hex(sha256(to_json(Value::array(
      {request.domain, request.title ? Value(*request.title) : Value(), request.content,
       request.mood_anchor ? Value(*request.mood_anchor) : Value(), as_compared(request.importance),
       enum_name(request.rigor), Value::array_of(tags)}))));
}

std::string hash_of(const PatchMemory& request) {
  const auto nested = [](const std::optional<std::optional<std::string>>& value) {
    if (!value) return Value("absent");
    return Value::array({*value ? Value(**value) : Value()});
  };
  return to_hex(sha256(to_json(Value::array(
      {request.memory_id, request.snippet ? Value::array({*request.snippet}) : Value("absent"),
       request.tags ? Value::array_of(*request.tags) : Value("absent"), nested(request.mood_anchor),
       nested(request.summary), nested(request.title)}))));
}

CreatedMemory answer_of(const CreateMemory& request, const std::string& id, Timestamp at) {
  return {.request_id = request.request_id,
          .memory_id = id,
          .created_at = at,
          .updated_at = at,
          .domain = request.domain,
          .title = request.title,
          .summary = summarise(request.content, kSummaryLength),
          .tags = without_repeats(request.tags),
          .rigor = request.rigor};
}

Memory memory_of(const CreateMemory& request, const CreatedMemory& created) {
  Memory memory{.id = created.memory_id,
                .user = request.user,
                .domain = request.domain,
                .title = request.title,
                .snippet = request.content,
                .summary = created.summary,
                .tags = created.tags,
                .importance = request.importance,
                .mood_anchor = request.mood_anchor,
                .rigor = request.rigor,
                .created_at = created.created_at,
                .updated_at = created.created_at,
                .anchor_at = created.created_at};
  if (request.source) {
    memory.thread_id = request.source->thread_id;
    memory.source_message_id = request.source->message_id;
    memory.source_created_at = request.source->created_at;
  }
  return memory;
}

// The number that ends a position is the last tie-break, and ids are unique: any number will do.
search::ListPosition position_of(const MemoryCursor& cursor) {
  return {.keys = {{.number = to_micros(cursor.created_at)}, {.text = cursor.memory_id}},
          .number = 0};
}

}  // namespace

Result<CreatedMemory> MemoryService::create(const CallContext& call, const CreateMemory& request) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  const auto key = replay_key(request.user, kCreate, request.request_id);
  const std::string hash = hash_of(request);
  const std::string id = make_uuid();
  return storage::write_returning<CreatedMemory>(
      store_, call, [&](WriteTxn& txn) -> Result<CreatedMemory> {
        HOLDFAST_TRY(const auto replay, find_replay(txn, access, key, hash, "memory_id"));
        if (replay) {
          // What was forgotten since is said again from the request itself; nothing is stored.
          CreatedMemory again = answer_of(request, replay->print.id, replay->print.at);
          if (replay->state == "done") {
            HOLDFAST_TRY(again, created_codec().decode_text(replay->extra));
          }
          again.replayed = true;
          return again;
        }
        const CreatedMemory created = answer_of(request, id, whole_millis(txn.now()));
        HOLDFAST_CHECK_OK(
            txn.put(access, storage::put_of(memory_noun(), id, memory_of(request, created),
                                            memory_label(request.user))));
        HOLDFAST_CHECK_OK(keep_replay(txn, access, settings_,
                                      {.key = key,
                                       .print = {.hash = hash, .id = id, .at = created.created_at},
                                       .extra = created_codec().encode_text(created),
                                       .about = {memory_key(id)}}));
        return created;
      });
}

ShownMemory MemoryService::shown(std::string id, Memory memory) const {
  ShownMemory out{.id = std::move(id),
                  .hazy = is_hazy(memory, settings_, clock_.now()),
                  .hazy_at = chat::hazy_at(memory, settings_)};
  out.memory = std::move(memory);
  return out;
}

Result<MemoryPage> MemoryService::list(const CallContext& call, const ListMemories& request) const {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kRead));
  search::ListRequest wanted{.filter = memories_of(request.user),
                             .sort = newest_first(),
                             .limit = static_cast<size_t>(request.limit)};
  add_equal(wanted.filter, facet::kDomain, request.domain);
  add_equal(wanted.filter, facet::kType, request.type);
  add_equal(wanted.filter, shared_facet::kThread, request.thread_id);
  add_tags(wanted.filter, request.tags_any);
  if (request.cursor && request.cursor->memory_id.empty())
    wanted.filter.to = request.cursor->created_at;
  if (request.cursor && !request.cursor->memory_id.empty())
    wanted.after = position_of(*request.cursor);
  HOLDFAST_TRY(const auto listed, index_.list(access, wanted));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : listed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const auto objects, txn->get_many(access, numbers));
  MemoryPage page;
  for (const Object& object : objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    page.items.push_back(shown(object.key.id, std::move(memory)));
  }
  if (listed.has_more && !page.items.empty()) {
    const ShownMemory& last = page.items.back();
    page.next = {.created_at = last.memory.created_at, .memory_id = last.id};
  }
  return page;
}

Result<ShownMemory> MemoryService::get(const CallContext& call, const std::string& user,
                                       const std::string& memory_id) const {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, user), Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Object object, txn->get(access, memory_key(memory_id)));
  HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
  return shown(memory_id, std::move(memory));
}

Result<PatchedMemory> MemoryService::patch(const CallContext& call, const PatchMemory& request) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  const auto key = replay_key(request.user, kPatch, request.request_id);
  const std::string hash = hash_of(request);
  return storage::write_returning<PatchedMemory>(
      store_, call, [&](WriteTxn& txn) -> Result<PatchedMemory> {
        HOLDFAST_TRY(const auto replay, find_replay(txn, access, key, hash, "memory_id"));
        if (replay) {
          return PatchedMemory{.request_id = request.request_id,
                               .memory_id = replay->print.id,
                               .updated_at = replay->print.at,
                               .replayed = true};
        }
        HOLDFAST_TRY(const Object object, txn.get(access, memory_key(request.memory_id)));
        HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
        const Timestamp now = whole_millis(txn.now());
        memory.updated_at = std::max(now, memory.updated_at + std::chrono::milliseconds(1));
        if (request.snippet) {
          memory.snippet = *request.snippet;
          memory.summary = summarise(*request.snippet, kSummaryLength);
          memory.anchor_at = now;
        }
        if (request.tags) memory.tags = without_repeats(*request.tags);
        if (request.mood_anchor) memory.mood_anchor = *request.mood_anchor;
        if (request.summary) memory.summary = *request.summary;
        if (request.title) memory.title = *request.title;
        HOLDFAST_CHECK_OK(txn.add(access, storage::put_of(memory_noun(), request.memory_id, memory,
                                                          memory_label(request.user))));
        HOLDFAST_CHECK_OK(keep_replay(
            txn, access, settings_,
            {.key = key,
             .print = {.hash = hash, .id = request.memory_id, .at = memory.updated_at}}));
        return PatchedMemory{.request_id = request.request_id,
                             .memory_id = request.memory_id,
                             .updated_at = memory.updated_at};
      });
}

}  // namespace holdfast::service::chat
