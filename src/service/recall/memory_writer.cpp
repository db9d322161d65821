#include "service/recall/memory_writer.h"

#include <algorithm>

#include "service/recall/forgotten.h"
#include "service/recall/ingest_service.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

Value stated_provenance() {
  return Value::object({{"extractor", "stated"}, {"extractor_version", "1"}});
}

}  // namespace

Result<std::vector<Memory>> MemoryWriter::memories_with(std::string_view facet,
                                                        const std::string& value, size_t limit) {
  HOLDFAST_TRY(const auto page, txn_.scan(all_, {.kind = memory_noun().kind,
                                                 .equal = Facet::of(std::string(facet), value),
                                                 .descending = true,
                                                 .limit = limit}));
  std::vector<Memory> out;
  for (const Object& object : page.objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    out.push_back(std::move(memory));
  }
  return out;
}

Status MemoryWriter::save(const Memory& memory) {
  HOLDFAST_CHECK_OK(
      txn_.put(all_, storage::put_of(memory_noun(), memory.id, memory, label_of(memory))));
  return {};
}

Status MemoryWriter::save(const Item& item) {
  const Evidence& about = item.about;
  return txn_.add(
      all_, storage::put_of(item_noun(), about.source_item_id, item,
                            label_of(about.visibility, about.container_ref, about.actor_ref)));
}

Status MemoryWriter::save_consolidated(const Memory& memory) {
  if (refines_) {
    HOLDFAST_CHECK_OK(txn_.enqueue(all_, {.space = all_.space(),
                                          .queue = std::string(kRefineQueue),
                                          .dedupe_key = memory.id,
                                          .payload = memory.id,
                                          .run_at = txn_.now()}));
  }
  return save(memory);
}

Status MemoryWriter::request_rebuild(const Text& container, const Text& thread, Scope visibility) {
  if (!container || !thread) return {};
  const std::string scope = thread_scope(container, thread, visibility);
  HOLDFAST_CHECK_OK(txn_.enqueue(all_, {.space = all_.space(),
                                        .queue = std::string(kThreadQueue),
                                        .dedupe_key = scope,
                                        .payload = scope,
                                        .run_at = txn_.now()}));
  return {};
}

Status MemoryWriter::mourn(const Memory& memory) {
  const bool listed = is_conclusion(memory) || memory.type == type::kFact;
  if (!listed) return {};
  if (memory.type == type::kFact) HOLDFAST_CHECK_OK(summarise_facts(memory));
  return request_rebuild(memory.container_ref, memory.thread_ref, memory.visibility);
}

Status MemoryWriter::supersede(Memory& newer, Memory older) {
  if (older.id == newer.id || older.lifecycle != "active") return {};
  older.lifecycle = "superseded";
  older.superseded_at = txn_.now();
  newer.supersedes.push_back(older.id);
  HOLDFAST_CHECK_OK(save(older));
  const bool listed = is_conclusion(older) || older.type == type::kFact;
  return listed ? request_rebuild(older.container_ref, older.thread_ref, older.visibility)
                : Status();
}

Status MemoryWriter::settle(Memory& memory, Memory other) {
  if (other.id == memory.id || other.lifecycle != "active") return {};
  // What somebody stated stands where it is only said again.
  const bool stands =
      other.by_hand && !memory.by_hand && other.canonical_key == memory.canonical_key;
  if (!stands && precedes(other, memory)) return supersede(memory, std::move(other));
  if (memory.lifecycle != "active") return {};
  memory.lifecycle = "superseded";
  memory.superseded_at = txn_.now();
  other.supersedes.push_back(memory.id);
  return save(other);
}

Status MemoryWriter::retire_similar(Memory& memory, const Draft& draft, const Kin& kin) {
  HOLDFAST_TRY(auto others, versions_of(memory));
  inherit_suppression(memory, others);
  // What nobody will see takes the place of nothing.
  if (memory.lifecycle == "suppressed") return {};
  std::vector<std::string> ids = kin.replaced;
  const std::string family = family_facet(memory);
  for (const Memory& one : fresh_) {
    if (family_facet(one) == family && (says_the_same(memory, one) || replaces(draft, one)))
      ids.push_back(one.id);
  }
  for (const std::string& id : ids) {
    if (std::ranges::find(others, id, &Memory::id) != others.end()) continue;
    const auto object = txn_.get(all_, memory_key(id));
    if (!object) continue;
    HOLDFAST_TRY(Memory other, storage::value_of(memory_noun(), *object));
    others.push_back(std::move(other));
  }
  for (Memory& other : others) HOLDFAST_CHECK_OK(settle(memory, std::move(other)));
  return {};
}

Result<std::optional<Memory>> MemoryWriter::add(const Item& item, const Draft& draft,
                                                size_t ordinal, const Kin& kin) {
  Memory memory = memory_from(item, draft, ordinal, txn_.now());
  memory.payload.set("semantic_provenance",
                     draft.provenance.is_null()
                         ? Value::object({{"extractor", "rules"}, {"extractor_version", "1"}})
                         : draft.provenance);
  ForgottenMarks marks(txn_, all_);
  if (memory.by_hand) {
    memory.payload.set("semantic_provenance", stated_provenance());
    HOLDFAST_CHECK_OK(marks.lift(memory));
  } else {
    HOLDFAST_TRY(const bool forgotten, marks.cover(memory));
    if (forgotten) return std::optional<Memory>();
  }
  if (memory.type == type::kFact) {
    HOLDFAST_TRY(const bool fresh, settle_fact(memory));
    if (!fresh) return item.by_hand ? std::optional<Memory>(std::move(memory)) : std::nullopt;
    HOLDFAST_CHECK_OK(save(memory));
    HOLDFAST_CHECK_OK(summarise_facts(memory));
    return std::optional<Memory>(std::move(memory));
  }
  if (!memory.canonical_key.empty()) HOLDFAST_CHECK_OK(retire_similar(memory, draft, kin));
  HOLDFAST_CHECK_OK(save(memory));
  fresh_.push_back(memory);
  return std::optional<Memory>(std::move(memory));
}

Result<Memory> MemoryWriter::rewrite(Memory memory, const Item& item, const Draft& draft) {
  const Memory before = memory;
  ForgottenMarks marks(txn_, all_);
  HOLDFAST_CHECK_OK(marks.put(derived_id({"rewritten", memory.id, item.about.source_item_id}),
                              mark_of(before, txn_.now(), txn_.now())));
  memory.payload = draft.payload;
  memory.payload.set("semantic_provenance", stated_provenance());
  memory.canonical_key = draft.canonical_key;
  memory.slot = draft.slot;
  memory.subject = draft.subject;
  memory.lifecycle = "active";
  memory.by_hand = true;
  memory.freshness_at = moment_of(item.about);
  memory.evidence.push_back(item.about);
  HOLDFAST_CHECK_OK(marks.lift(memory));
  if (!memory.canonical_key.empty()) HOLDFAST_CHECK_OK(retire_similar(memory, draft, {}));
  if (!memory.slot.empty()) {
    HOLDFAST_TRY(auto others,
                 memories_with(facet::kSlot, keyed_facet(memory, memory.slot), kMostCompared));
    for (Memory& other : others) HOLDFAST_CHECK_OK(settle(memory, std::move(other)));
  }
  HOLDFAST_CHECK_OK(save(memory));
  HOLDFAST_CHECK_OK(mourn(before));
  if (memory.type == type::kFact) HOLDFAST_CHECK_OK(summarise_facts(memory));
  return memory;
}

}  // namespace holdfast::service::recall
