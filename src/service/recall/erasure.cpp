#include "service/recall/erasure.h"

#include <algorithm>

#include "service/recall/forgotten.h"
#include "service/recall/usage.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kErasurePage = 200;
constexpr size_t kMostVersions = 100;

// Worded from several sources: cannot lose one of them and stay as it is.
bool is_drawn_together(const Memory& memory) {
  return is_working_type(memory.type) || memory.type == type::kFactSummary;
}

}  // namespace

Status Erasure::erase_all(std::string_view kind, std::string_view facet, const std::string& value) {
  for (;;) {
    HOLDFAST_TRY(const auto page, txn_.scan(all_, {.kind = std::string(kind),
                                                   .equal = Facet::of(std::string(facet), value),
                                                   .limit = kErasurePage}));
    for (const Object& object : page.objects)
      HOLDFAST_CHECK_OK(txn_.erase(all_, object.key, "forgotten"));
    if (page.objects.size() < kErasurePage) return {};
  }
}

Status Erasure::erase(const Memory& memory, std::string_view why) {
  if (!erased_.insert(memory.id).second) return {};
  HOLDFAST_TRY(const auto edges,
               txn_.neighbours(all_, memory_key(memory.id), kSupersedes, kMostEdges));
  for (const storage::Neighbour& edge : edges) {
    if (edge.outgoing || erased_.contains(edge.other.id)) continue;
    auto newer = read_memory(txn_, all_, edge.other.id);
    if (!newer) continue;
    std::erase(newer->supersedes, memory.id);
    HOLDFAST_CHECK_OK(writer_.save(*newer));
  }
  for (const Evidence& evidence : memory.evidence) {
    const auto item = read_item(txn_, all_, evidence.source_item_id);
    if (item && item->by_hand)
      HOLDFAST_CHECK_OK(txn_.erase(all_, item_key(evidence.source_item_id), why));
  }
  HOLDFAST_CHECK_OK(erase_all(usage_noun().kind, facet::kAbout, memory.id));
  HOLDFAST_CHECK_OK(erase_all(feedback_noun().kind, facet::kAbout, memory.id));
  return txn_.erase(all_, memory_key(memory.id), why);
}

Status Erasure::drop_drawn_from(const Memory& memory) {
  for (;;) {
    HOLDFAST_TRY(const auto edges,
                 txn_.neighbours(all_, memory_key(memory.id), kRelatesTo, kMostEdges));
    size_t gone = 0;
    for (const storage::Neighbour& edge : edges) {
      if (edge.outgoing || erased_.contains(edge.other.id)) continue;
      const auto drawn = read_memory(txn_, all_, edge.other.id);
      if (!drawn) continue;
      ++gone;
      HOLDFAST_CHECK_OK(drop(*drawn));
    }
    if (gone == 0) return {};
  }
}

// Every generation: a summary lists what its thread came to.
Status Erasure::drop_thread_memory(const Memory& memory) {
  if (!is_conclusion(memory) || !memory.thread_ref) return {};
  const std::string scope =
      thread_scope(memory.container_ref, memory.thread_ref, memory.visibility);
  for (const std::string_view kind : {type::kSummary, type::kCheckpoint}) {
    const Memory like{.type = std::string(kind),
                      .visibility = memory.visibility,
                      .container_ref = memory.container_ref};
    for (bool more = true; more;) {
      HOLDFAST_TRY(
          const auto page,
          txn_.scan(all_, {.kind = memory_noun().kind,
                           .equal = Facet::of(std::string(facet::kCanon), keyed_facet(like, scope)),
                           .limit = kErasurePage}));
      for (const Object& object : page.objects) {
        HOLDFAST_TRY(const Memory one, storage::value_of(memory_noun(), object));
        HOLDFAST_CHECK_OK(erase(one, "forgotten"));
      }
      more = page.objects.size() == kErasurePage;
    }
  }
  return writer_.request_rebuild(memory.container_ref, memory.thread_ref, memory.visibility);
}

Status Erasure::drop(const Memory& memory) {
  if (erased_.contains(memory.id)) return {};
  HOLDFAST_CHECK_OK(erase(memory, "forgotten"));
  HOLDFAST_CHECK_OK(drop_drawn_from(memory));
  HOLDFAST_CHECK_OK(drop_thread_memory(memory));
  return memory.type == type::kFact ? writer_.summarise_facts(memory) : Status();
}

Status Erasure::drop_versions(const Memory& memory) {
  std::vector<std::string> ids = memory.supersedes;
  for (size_t next = 0; next < ids.size() && next < kMostVersions; ++next) {
    const auto older = read_memory(txn_, all_, ids[next]);
    if (!older || older->lifecycle != "superseded") continue;
    ids.insert(ids.end(), older->supersedes.begin(), older->supersedes.end());
    HOLDFAST_CHECK_OK(drop(*older));
  }
  return {};
}

Status Erasure::forget(const Memory& memory) {
  const Timestamp now = txn_.now();
  HOLDFAST_CHECK_OK(
      ForgottenMarks(txn_, all_).put(memory.id, mark_of(memory, now, now + kForgottenKept)));
  HOLDFAST_CHECK_OK(drop(memory));
  return drop_versions(memory);
}

Status Erasure::lose_evidence(Memory memory, const Item& item) {
  std::erase_if(memory.evidence, [&](const Evidence& evidence) {
    return evidence.source_item_id == item.about.source_item_id;
  });
  if (memory.evidence.empty() || is_drawn_together(memory)) return drop(memory);
  HOLDFAST_CHECK_OK(writer_.save(memory));
  return memory.type == type::kFact ? writer_.summarise_facts(memory) : Status();
}

Status Erasure::forget(const Item& item) {
  const Evidence& about = item.about;
  const ObjectKey key = item_key(about.source_item_id);
  for (bool more = true; more;) {
    HOLDFAST_TRY(const auto edges, txn_.neighbours(all_, key, kSupportedBy, kMostEdges));
    for (const storage::Neighbour& edge : edges) {
      if (edge.outgoing || erased_.contains(edge.other.id)) continue;
      auto memory = read_memory(txn_, all_, edge.other.id);
      if (memory) HOLDFAST_CHECK_OK(lose_evidence(std::move(*memory), item));
    }
    more = edges.size() == kMostEdges;
  }
  HOLDFAST_CHECK_OK(
      ForgottenMarks(txn_, all_).put(about.source_item_id, mark_of(item, txn_.now())));
  HOLDFAST_CHECK_OK(txn_.erase(all_, key, "forgotten"));
  return builds_thread(about)
             ? writer_.request_rebuild(about.container_ref, about.thread_ref, about.visibility)
             : Status();
}

}  // namespace holdfast::service::recall
