#include "service/recall/memory.h"

#include <algorithm>
#include <tuple>

#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

const Codec<Flag>& flag_codec() {
  static const Codec<Flag> codec = Codec<Flag>()
                                       .field("reason", &Flag::reason)
                                       .field("source_ref", &Flag::source_ref)
                                       .field("immediate", &Flag::immediate)
                                       .field("at", &Flag::at);
  return codec;
}

}  // namespace
}  // namespace holdfast::service::recall

namespace holdfast {

template <>
const Codec<service::recall::Flag>& codec_of<service::recall::Flag>() {
  return service::recall::flag_codec();
}

}  // namespace holdfast

namespace holdfast::service::recall {
namespace {

struct TypeTexts {
  std::string_view type;
  std::string_view view;
  std::string_view headline;                      // the member that says it in one line
  std::array<std::string_view, 6> searched = {};  // the members that are searched
};
constexpr std::array<TypeTexts, 10> kTexts = {{
    {type::kDecision,
     "decision_context",
     "decision",
     {"decision", "rationale_text", "decision_evidence_text"}},
    {type::kOutcome,
     "investigation_context",
     "investigation_outcome",
     {"investigation_outcome", "rationale_text", "investigation_evidence_text"}},
    {type::kConstraint, "constraint_memory_context", "constraint_text", {"constraint_text"}},
    {type::kFact, "fact_statement", "statement", {"statement"}},
    {type::kFactSummary, "fact_summary_statement", "summary", {"summary", "subject", "category"}},
    {type::kSummary, "thread_summary_context", "summary", {"summary"}},
    {type::kCheckpoint,
     "task_checkpoint_context",
     "summary",
     {"summary", "task", "current_state", "blocker_state", "next_step"}},
    {type::kContinuity,
     "continuity_memory_context",
     "summary",
     {"continuity_question", "carry_forward_answer"}},
    {type::kPattern, "pattern_memory_context", "summary", {"summary", "pattern_label"}},
    {type::kNote, "note_context", "title", {"title", "content"}},
}};

constexpr double kSameText = 0.85;
constexpr double kSameRule = 0.5;
constexpr double kOppositeRule = 0.6;

const TypeTexts& texts_of(std::string_view memory_type) {
  const auto* found = std::ranges::find(kTexts, memory_type, &TypeTexts::type);
  return found == kTexts.end() ? kTexts.back() : *found;
}

const Codec<Memory>& memory_codec() {
  static const Codec<Memory> codec = Codec<Memory>()
                                         .field("id", &Memory::id)
                                         .field("type", &Memory::type)
                                         .field("payload", &Memory::payload)
                                         .field("lifecycle", &Memory::lifecycle)
                                         .field("visibility", &Memory::visibility)
                                         .field("container_ref", &Memory::container_ref)
                                         .field("thread_ref", &Memory::thread_ref)
                                         .field("actor_ref", &Memory::actor_ref)
                                         .field("freshness_at", &Memory::freshness_at)
                                         .field("created_at", &Memory::created_at)
                                         .field("suppressed_at", &Memory::suppressed_at)
                                         .field("superseded_at", &Memory::superseded_at)
                                         .field("work_refs", &Memory::work_refs)
                                         .field("canonical_key", &Memory::canonical_key)
                                         .field("slot", &Memory::slot)
                                         .field("subject", &Memory::subject)
                                         .field("evidence", &Memory::evidence)
                                         .field("supersedes", &Memory::supersedes)
                                         .field("flags", &Memory::flags)
                                         .field("flags_dropped", &Memory::flags_dropped)
                                         .field("by_hand", &Memory::by_hand);
  return codec;
}

constexpr auto kSupersededKept = std::chrono::hours(24 * 7);
constexpr auto kWorkingKept = std::chrono::hours(24 * 30);

void add_facet(Projection& out, std::string_view name, const std::string& value) {
  Facet facet = Facet::of(std::string(name), value);
  if (!value.empty() && std::ranges::find(out.facets, facet) == out.facets.end())
    out.facets.push_back(std::move(facet));
}

// By which active memories are found that a new one is compared with.
void add_active_facets(const Memory& memory, Projection& out) {
  add_facet(out, facet::kFamily, family_facet(memory));
  if (!memory.slot.empty()) add_facet(out, facet::kSlot, keyed_facet(memory, memory.slot));
  if (!memory.subject.empty()) add_facet(out, facet::kSubject, keyed_facet(memory, memory.subject));
  if (memory.thread_ref)
    add_facet(out, facet::kThreadScope,
              thread_scope(memory.container_ref, memory.thread_ref, memory.visibility));
}

// When retention may remove it.
void add_end(const Memory& memory, Projection& out) {
  if (memory.lifecycle == "superseded") {
    out.facets.push_back(
        Facet::of(std::string(facet::kExpires), to_micros(memory.superseded_at + kSupersededKept)));
  } else if (is_working_type(memory.type)) {
    out.facets.push_back(
        Facet::of(std::string(facet::kExpires), to_micros(memory.freshness_at + kWorkingKept)));
  }
}

Projection project_memory(const Memory& memory) {
  Projection out;
  const bool active = memory.lifecycle == "active";
  add_facet(out, facet::kType, memory.type);
  add_facet(out, facet::kLive, active ? "yes" : "no");
  add_facet(out, facet::kActor, actor_facet(memory.actor_ref));
  add_facet(out, shared_facet::kContainer, memory.container_ref);
  add_facet(out, shared_facet::kThread, memory.thread_ref.value_or(""));
  for (const std::string& ref : memory.work_refs) add_facet(out, shared_facet::kWorkRef, ref);
  if (!memory.canonical_key.empty())
    add_facet(out, facet::kCanon, keyed_facet(memory, memory.canonical_key));
  if (active) add_active_facets(memory, out);
  std::vector<Facet> of_evidence;
  for (const Evidence& evidence : memory.evidence) add_evidence_facets(evidence, of_evidence);
  for (const Facet& facet : of_evidence) add_facet(out, facet.name, facet.text);
  add_links(memory, out);
  out.facets.push_back(Facet::of(std::string(facet::kFresh), to_micros(memory.freshness_at)));
  add_end(memory, out);
  out.text = {.body = view_text(memory), .at = memory.freshness_at};
  return out;
}

}  // namespace

const Noun<Memory>& memory_noun() {
  static const Noun<Memory> noun{
      .kind = "recall_memory", .codec = memory_codec(), .project = project_memory};
  return noun;
}

bool is_working_type(std::string_view memory_type) {
  return memory_type == type::kSummary || memory_type == type::kCheckpoint ||
         memory_type == type::kContinuity || memory_type == type::kPattern;
}

bool is_durable_type(std::string_view memory_type) {
  return !is_working_type(memory_type) && memory_type != type::kFactSummary;
}

bool precedes(const Memory& a, const Memory& b) {
  const auto place = [](const Memory& memory) {
    const Timestamp came =
        memory.evidence.empty() ? memory.created_at : memory.evidence.front().created_at;
    return std::tuple(memory.freshness_at, came, std::string_view(memory.id));
  };
  return place(a) < place(b);
}

bool says_the_same(const Memory& newer, const Memory& older) {
  if (newer.canonical_key == older.canonical_key) return true;
  if (is_conclusion(newer)) return is_similar(newer.canonical_key, older.canonical_key, kSameText);
  if (newer.type != type::kConstraint) return false;
  const auto words = content_words(newer.canonical_key);
  const auto other = content_words(older.canonical_key);
  if (jaccard_of(words, other) >= kSameRule) return true;
  return text_of(newer, "polarity") != text_of(older, "polarity") &&
         overlap_of(words, other) >= kOppositeRule;
}

std::string family_facet(const Memory& memory) {
  return derived_id({memory.type, memory.container_ref, enum_name(memory.visibility),
                     actor_facet(memory.actor_ref)});
}

std::string keyed_facet(const Memory& memory, const std::string& key) {
  return derived_id({family_facet(memory), key});
}

std::string text_of(const Memory& memory, std::string_view name) {
  const Value* value = memory.payload.find(name);
  const std::string* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

std::string headline(const Memory& memory) {
  return text_of(memory, texts_of(memory.type).headline);
}

std::string view_text(const Memory& memory) {
  std::string out;
  for (const std::string_view name : texts_of(memory.type).searched) {
    if (name.empty()) continue;
    const std::string text = text_of(memory, name);
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  }
  for (const std::string& ref : memory.work_refs) out += "\n" + ref;
  return out;
}

std::string view_name(std::string_view memory_type) {
  return "memory_object." + std::string(texts_of(memory_type).view);
}

std::string index_entry_id(std::string_view target, std::string_view index) {
  return derived_id({"index", index, target});
}

std::string relation_id(std::string_view from, std::string_view relation, std::string_view to) {
  return derived_id({from, relation, to});
}

}  // namespace holdfast::service::recall
