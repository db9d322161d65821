#include "service/recall/memory_writer.h"

#include <algorithm>

#include "base/time_text.h"
#include "service/recall/ingest_service.h"
#include "service/recall/words.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostCompared = 32;
constexpr size_t kMostFacts = 40;
constexpr size_t kMostSummaryBytes = 1000;
constexpr size_t kMostEvidence = 200;
constexpr auto kFlagMemory = std::chrono::hours(24 * 30);

bool is_conclusion(const Memory& memory) {
  return memory.type == type::kDecision || memory.type == type::kOutcome;
}

Memory make_memory(const Item& item, const Draft& draft, size_t ordinal, Timestamp now) {
  const Evidence& about = item.about;
  const bool personal = about.visibility == Scope::kPrivate || about.visibility == Scope::kGlobal;
  return {.id = derived_id({about.source_item_id, draft.type, std::to_string(ordinal)}),
          .type = draft.type,
          .payload = draft.payload,
          .visibility = about.visibility,
          .container_ref = about.container_ref.value_or(""),
          .thread_ref = about.thread_ref,
          .actor_ref = personal ? about.actor_ref : std::nullopt,
          .freshness_at = moment_of(about),
          .created_at = now,
          .work_refs = item.work_refs,
          .canonical_key = draft.canonical_key,
          .slot = draft.slot,
          .subject = draft.subject,
          .evidence = {about}};
}

bool has_all(const std::vector<std::string>& wanted, std::string_view text) {
  const WordSet words(text);
  return !wanted.empty() && std::ranges::all_of(wanted, [&](const std::string& word) {
    return words.match(word) >= 1;
  });
}

std::vector<std::string> key_words(const Memory& memory) {
  return content_words(memory.canonical_key);
}

bool same_rule(const Memory& a, const Memory& b) {
  if (jaccard_of(key_words(a), key_words(b)) >= 0.5) return true;
  return text_of(a, "polarity") != text_of(b, "polarity") &&
         overlap_of(key_words(a), key_words(b)) >= 0.6;
}

bool says_the_same(const Memory& newer, const Memory& older) {
  if (newer.canonical_key == older.canonical_key) return true;
  if (newer.type == type::kConstraint) return same_rule(newer, older);
  return is_conclusion(newer) && similarity_of(newer.canonical_key, older.canonical_key) >= 0.85;
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

Status MemoryWriter::supersede(Memory& newer, Memory older) {
  if (older.id == newer.id || older.lifecycle != "active") return {};
  older.lifecycle = "superseded";
  newer.supersedes.push_back(older.id);
  HOLDFAST_CHECK_OK(save(older));
  const bool listed = is_conclusion(older) || older.type == type::kFact;
  return listed ? request_rebuild(older.container_ref, older.thread_ref, older.visibility)
                : Status();
}

Status MemoryWriter::retire_similar(Memory& memory, const Draft& draft) {
  HOLDFAST_TRY(auto same, memories_with(facet::kCanon, keyed_facet(memory, memory.canonical_key),
                                        kMostCompared));
  // What was flagged away does not come back in the same words.
  for (const Memory& older : same) {
    if (older.lifecycle == "suppressed" && older.suppressed_at + kFlagMemory > txn_.now()) {
      memory.lifecycle = "suppressed";
      memory.suppressed_at = older.suppressed_at;
    }
  }
  HOLDFAST_TRY(auto family, memories_with(facet::kFamily, family_facet(memory), kMostCompared));
  std::ranges::move(same, std::back_inserter(family));
  bool replaced = false;
  for (Memory& older : family) {
    const bool taken = std::ranges::find(memory.supersedes, older.id) != memory.supersedes.end();
    if (older.lifecycle != "active" || older.id == memory.id || taken) continue;
    const bool replaces =
        memory.type == type::kDecision && !replaced && has_all(draft.replaces, headline(older));
    replaced = replaced || replaces;
    if (replaces || says_the_same(memory, older))
      HOLDFAST_CHECK_OK(supersede(memory, std::move(older)));
  }
  return {};
}

// False: the fact was known; only its evidence grew.
Result<bool> MemoryWriter::settle_fact(Memory& memory) {
  HOLDFAST_TRY(auto same, memories_with(facet::kCanon, keyed_facet(memory, memory.canonical_key),
                                        kMostCompared));
  for (Memory& known : same) {
    if (known.id == memory.id || known.lifecycle != "active") continue;
    if (known.evidence.size() < kMostEvidence) known.evidence.push_back(memory.evidence.front());
    known.freshness_at = std::max(known.freshness_at, memory.freshness_at);
    HOLDFAST_CHECK_OK(save(known));
    HOLDFAST_CHECK_OK(summarise_facts(known));
    return false;
  }
  if (memory.slot.empty()) return true;
  HOLDFAST_TRY(auto slot,
               memories_with(facet::kSlot, keyed_facet(memory, memory.slot), kMostCompared));
  for (Memory& older : slot) {
    if (older.id == memory.id) continue;
    if (older.freshness_at > memory.freshness_at) {
      memory.lifecycle = "superseded";
      older.supersedes.push_back(memory.id);
      HOLDFAST_CHECK_OK(save(older));
    } else {
      HOLDFAST_CHECK_OK(supersede(memory, std::move(older)));
    }
  }
  return true;
}

Status MemoryWriter::summarise_facts(const Memory& fact) {
  HOLDFAST_TRY(auto facts,
               memories_with(facet::kSubject, keyed_facet(fact, fact.subject), kMostFacts));
  std::ranges::stable_sort(facts, std::greater<>(), &Memory::freshness_at);
  std::vector<std::string> threads;
  Memory summary = fact;
  summary.type = std::string(type::kFactSummary);
  summary.canonical_key = fact.subject;
  summary.slot = {};
  summary.subject = {};
  summary.thread_ref = std::nullopt;
  summary.lifecycle = "active";
  summary.evidence = {};
  summary.supersedes = {};
  summary.flags = {};
  summary.created_at = txn_.now();
  std::string values;
  Value ids = Value::array();
  for (const Memory& one : facts) {
    for (const Evidence& evidence : one.evidence) {
      threads.push_back(evidence.thread_ref.value_or(""));
      if (summary.evidence.size() < kMostEvidence) summary.evidence.push_back(evidence);
    }
    if (values.size() < kMostSummaryBytes)
      values += (values.empty() ? "" : "; ") + text_of(one, "value");
    ids.push(one.id);
    summary.freshness_at = std::max(summary.freshness_at, one.freshness_at);
  }
  std::ranges::sort(threads);
  const auto distinct = std::unique(threads.begin(), threads.end()) - threads.begin();
  HOLDFAST_TRY(auto known, memories_with(facet::kCanon, keyed_facet(summary, summary.canonical_key),
                                         kMostCompared));
  std::erase_if(known, [](const Memory& m) { return m.lifecycle != "active"; });
  if (facts.size() < 2 || distinct < 2) {
    // A summary that no longer has two facts to sum up is retired.
    for (Memory& old : known) {
      old.lifecycle = "superseded";
      HOLDFAST_CHECK_OK(save(old));
    }
    return {};
  }
  const std::string subject = text_of(fact, "subject");
  const std::string category = text_of(fact, "category");
  summary.payload = Value::object({{"subject", subject},
                                   {"category", category},
                                   {"summary", subject + "'s " + category + ": " + values},
                                   {"fact_ids", std::move(ids)},
                                   {"superseded_fact_ids", Value::array()},
                                   {"latest_occurred_at", format_micros(summary.freshness_at)}});
  if (!known.empty() && text_of(known.front(), "summary") == text_of(summary, "summary")) return {};
  summary.id =
      derived_id({"facts", keyed_facet(summary, summary.canonical_key), text_of(summary, "summary"),
                  known.empty() ? "" : std::string_view(known.front().id)});
  for (Memory& old : known) HOLDFAST_CHECK_OK(supersede(summary, std::move(old)));
  return save(summary);
}

Result<std::optional<Memory>> MemoryWriter::add(const Item& item, const Draft& draft,
                                                size_t ordinal) {
  Memory memory = make_memory(item, draft, ordinal, txn_.now());
  memory.payload.set("semantic_provenance",
                     draft.provenance.is_null()
                         ? Value::object({{"extractor", "rules"}, {"extractor_version", "1"}})
                         : draft.provenance);
  if (memory.type == type::kFact) {
    HOLDFAST_TRY(const bool fresh, settle_fact(memory));
    if (!fresh) return std::optional<Memory>();
    HOLDFAST_CHECK_OK(save(memory));
    HOLDFAST_CHECK_OK(summarise_facts(memory));
    return std::optional<Memory>(std::move(memory));
  }
  if (!memory.canonical_key.empty()) HOLDFAST_CHECK_OK(retire_similar(memory, draft));
  HOLDFAST_CHECK_OK(save(memory));
  return std::optional<Memory>(std::move(memory));
}

}  // namespace holdfast::service::recall
