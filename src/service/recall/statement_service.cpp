#include "service/recall/statement_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "service/recall/barrier.h"
#include "service/recall/erasure.h"
#include "service/recall/forgotten.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_writer.h"
#include "service/recall/statements.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;

constexpr std::string_view kSourceType = "explicit";

Status check_unchanged(const Memory& memory) {
  if (memory.lifecycle != "superseded") return {};
  return Error{.code = ErrorCode::kConflict,
               .reason = std::string(reason::kSuperseded),
               .message = "This memory object is superseded; act on the one that replaced it."};
}

Status check_stated(const Memory& memory) {
  HOLDFAST_CHECK_OK(check_unchanged(memory));
  if (std::ranges::find(stated_types(), memory.type) != stated_types().end()) return {};
  return Error{
      .code = ErrorCode::kConflict,
      .reason = std::string(reason::kNotStated),
      .message = fmt::format(
          "A {} is made from other memory; change or forget what it was made from.", memory.type)};
}

// In the scope of a memory that is there: what replaces it never leaves that.
Standing within(const Memory& memory, Standing by) {
  by.container_ref = memory.container_ref;
  by.visibility = memory.visibility;
  if (memory.thread_ref) by.thread_ref = *memory.thread_ref;
  return by;
}

void note_in(Item& item, std::string_view name, Value value) {
  if (value.is_null()) return;
  if (!item.metadata.is_object()) item.metadata = Value::object();
  remove_secrets(value);
  item.metadata.set(name, std::move(value));
}

Status store_statement(MemoryWriter& writer, Item& item, const Memory& memory, Timestamp now) {
  item.completed_at = now;
  item.produced = {{.memory_id = memory.id, .type = memory.type}};
  return writer.save(item);
}

}  // namespace

Item StatementService::statement(const Standing& by, std::string_view memory_type,
                                 const std::string& text) {
  const bool note = memory_type == type::kNote;
  const std::string source_id = ids_.next();
  Item item;
  item.about = {.source_item_id = derived_id({"item", kSourceType, source_id}),
                .source_type = std::string(kSourceType),
                .source_id = source_id,
                .actor_ref = by.actor_ref,
                .agent_ref = by.agent_ref,
                .container_ref = canonical_container(by.container_ref),
                .thread_ref = by.thread_ref,
                .visibility = by.visibility};
  if (note) item.about.artifact_kind = std::string(type::kNote);
  item.content_type = "text/plain";
  item.content = note ? text : without_secrets(text);
  item.use_case = std::string(kUseCase);
  item.status = "completed";
  item.by_hand = true;
  return item;
}

Result<StatementService::Plan> StatementService::plan(storage::ReadTxn& txn, const SpaceAccess& all,
                                                      Item item,
                                                      const std::string& memory_type) const {
  Plan out{.item = std::move(item)};
  out.draft = stated_draft(out.item, memory_type);
  HOLDFAST_TRY(out.kin, KinFinder(txn, index_, all).of(out.item, out.draft));
  return out;
}

Result<Remembered> StatementService::remember(const CallContext& call, const Remember& request) {
  HOLDFAST_TRY(const Stand stand, Stand::take(gatekeeper_, call, request));
  Item item = statement(request, request.type, request.text);
  std::vector<std::string> refs = request.work_refs;
  for (std::string& ref : work_refs_in(item.content)) refs.push_back(std::move(ref));
  item.work_refs = normalised_refs(refs, kMostRefs);
  if (request.confidence) note_in(item, "confidence", *request.confidence);
  if (!request.evidence.empty()) note_in(item, "evidence", Value::array_of(request.evidence));
  HOLDFAST_TRY(const auto before, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Plan planned, plan(*before, stand.all(), std::move(item), request.type));
  return storage::write_returning<Remembered>(
      store_, call, [&](WriteTxn& txn) -> Result<Remembered> {
        Plan now = planned;
        now.item.about.created_at = txn.now();
        MemoryWriter writer(txn, stand.all());
        HOLDFAST_TRY(auto memory, writer.add(now.item, now.draft, 0, now.kin));
        HOLDFAST_CHECK_OK(store_statement(writer, now.item, *memory, txn.now()));
        HOLDFAST_CHECK_OK(writer.find_pattern(*memory, now.kin.related));
        if (is_conclusion(*memory))
          HOLDFAST_CHECK_OK(writer.request_rebuild(memory->container_ref, memory->thread_ref,
                                                   memory->visibility));
        return Remembered{.memory = std::move(*memory),
                          .source_item_id = now.item.about.source_item_id};
      });
}

Result<Memory> StatementService::correct(const CallContext& call, const Correct& request) {
  HOLDFAST_TRY(const Stand stand, Stand::take(gatekeeper_, call, request));
  return storage::write_returning<Memory>(store_, call, [&](WriteTxn& txn) -> Result<Memory> {
    HOLDFAST_TRY(Memory memory, stand.find(txn, request.memory_id));
    HOLDFAST_CHECK_OK(check_stated(memory));
    Item item = statement(within(memory, request), memory.type, request.text);
    item.about.created_at = txn.now();
    item.work_refs = memory.work_refs;
    note_in(item, "reason", or_null(request.reason));
    const Draft draft = stated_draft(item, memory.type);
    HOLDFAST_CHECK_OK(Erasure(txn, stand.all()).drop_drawn_from(memory));
    MemoryWriter writer(txn, stand.all());
    HOLDFAST_TRY(Memory corrected, writer.rewrite(std::move(memory), item, draft));
    HOLDFAST_CHECK_OK(store_statement(writer, item, corrected, txn.now()));
    return corrected;
  });
}

Result<Superseded> StatementService::supersede(const CallContext& call, const Supersede& request) {
  HOLDFAST_TRY(const Stand stand, Stand::take(gatekeeper_, call, request));
  HOLDFAST_TRY(const auto before, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Memory old, stand.find(*before, request.memory_id));
  HOLDFAST_CHECK_OK(check_stated(old));
  const std::string memory_type = request.type.value_or(old.type);
  Item item = statement(within(old, request), memory_type, request.text);
  // Memory of nobody in particular is not replaced by somebody's own.
  if (!old.actor_ref) item.about.actor_ref = std::nullopt;
  item.work_refs = old.work_refs;
  note_in(item, "reason", or_null(request.reason));
  HOLDFAST_TRY(const Plan planned, plan(*before, stand.all(), std::move(item), memory_type));
  return storage::write_returning<Superseded>(
      store_, call, [&](WriteTxn& txn) -> Result<Superseded> {
        HOLDFAST_TRY(Memory older, stand.find(txn, request.memory_id));
        HOLDFAST_CHECK_OK(check_stated(older));
        Plan now = planned;
        now.item.about.created_at = txn.now();
        MemoryWriter writer(txn, stand.all());
        HOLDFAST_TRY(auto newer, writer.add(now.item, now.draft, 0, now.kin));
        // Adding it may have retired the old one already.
        HOLDFAST_TRY(older, read_memory(txn, stand.all(), older.id));
        // One that was flagged gives way like any other.
        if (older.lifecycle == "suppressed") older.lifecycle = "active";
        HOLDFAST_CHECK_OK(writer.replace(*newer, std::move(older)));
        HOLDFAST_CHECK_OK(writer.save(*newer));
        HOLDFAST_CHECK_OK(store_statement(writer, now.item, *newer, txn.now()));
        HOLDFAST_CHECK_OK(writer.mourn(*newer));
        return Superseded{.old_id = request.memory_id, .new_id = newer->id};
      });
}

Result<Forgot> StatementService::forget(const CallContext& call, const Forget& request) {
  HOLDFAST_TRY(const Stand stand, Stand::take(gatekeeper_, call, request));
  return storage::write_returning<Forgot>(store_, call, [&](WriteTxn& txn) -> Result<Forgot> {
    const auto gone = txn.get(stand.all(), forgotten_key(request.memory_id));
    if (gone && !txn.get(stand.all(), memory_key(request.memory_id))) {
      HOLDFAST_TRY(const Forgotten mark, storage::value_of(forgotten_noun(), *gone));
      if (stand.sees(gone->label, mark.container_ref, mark.actor_ref))
        return Forgot{.memory_id = request.memory_id, .forgotten = false};
    }
    HOLDFAST_TRY(const Memory memory, stand.find(txn, request.memory_id));
    HOLDFAST_CHECK_OK(check_unchanged(memory));
    HOLDFAST_CHECK_OK(Erasure(txn, stand.all()).forget(memory));
    return Forgot{.memory_id = request.memory_id};
  });
}

Result<RecordedOutcome> StatementService::record_outcome(const CallContext& call,
                                                         const RecordOutcome& request) {
  HOLDFAST_TRY(const Stand stand, Stand::take(gatekeeper_, call, request));
  return storage::write_returning<RecordedOutcome>(
      store_, call, [&](WriteTxn& txn) -> Result<RecordedOutcome> {
        HOLDFAST_TRY(const Memory memory, stand.find(txn, request.memory_id));
        HOLDFAST_CHECK_OK(check_unchanged(memory));
        std::string text = fmt::format("Outcome of \"{}\": {}.", headline(memory), request.outcome);
        if (request.note) text += " " + without_secrets(*request.note);
        Item item = statement(within(memory, request), type::kNote, text);
        item.about.created_at = txn.now();
        item.work_refs = memory.work_refs;
        if (!request.evidence.empty()) note_in(item, "evidence", Value::array_of(request.evidence));
        Draft draft = stated_draft(item, type::kNote);
        draft.payload.set("procedure_id", memory.id);
        draft.payload.set("outcome", request.outcome);
        MemoryWriter writer(txn, stand.all());
        HOLDFAST_TRY(const auto note, writer.add(item, draft, 0, {}));
        HOLDFAST_CHECK_OK(store_statement(writer, item, *note, txn.now()));
        return RecordedOutcome{
            .memory_id = memory.id, .outcome = request.outcome, .outcome_id = note->id};
      });
}

}  // namespace holdfast::service::recall
