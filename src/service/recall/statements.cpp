#include "service/recall/statements.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/facts.h"
#include "service/recall/prepare.h"
#include "service/recall/sentence_drafts.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

// The extractor cuts longer sentences; a statement is kept whole.
constexpr size_t kMostRead = 400;
constexpr size_t kMostContext = 1000;
constexpr Allowed kEverything{.decisions = true,
                              .decision_phrases = true,
                              .outcomes = true,
                              .outcome_phrases = true,
                              .constraints = true,
                              .facts = true,
                              .own_facts = true};

// As the rules read it, if it is one sentence in which they find that type.
std::optional<Draft> as_read(const Item& item, std::string_view memory_type) {
  if (count_code_points(item.content) > kMostRead) return std::nullopt;
  const std::vector<Sentence> sentences = prepare(item.content);
  if (sentences.size() != 1 || sentences.front().question) return std::nullopt;
  const std::string& sentence = sentences.front().text;
  if (memory_type == type::kDecision) return decision_of(item, kEverything, sentences, 0);
  if (memory_type == type::kOutcome) return outcome_of(item, kEverything, sentence);
  if (memory_type == type::kConstraint) return constraint_of(item, sentence);
  return fact_of(item, sentence, /*first_person=*/true);
}

Draft plain_conclusion(const Item& item, std::string_view memory_type) {
  const std::string text(trim_space(item.content));
  const std::string said = without_stop(text);
  const bool decision = memory_type == type::kDecision;
  Draft draft{.type = std::string(memory_type), .canonical_key = normalised(said)};
  draft.payload =
      Value::object({{decision ? "decision" : "investigation_outcome", said.empty() ? text : said},
                     {decision ? "decision_evidence_text" : "investigation_evidence_text", text},
                     {"rationale_text", Value()},
                     {"rationale", Value()},
                     {"canonical_key", draft.canonical_key},
                     {"source_type", item.about.source_type},
                     {"source_id", item.about.source_id},
                     {"work_refs", Value::array_of(item.work_refs)}});
  return draft;
}

Draft plain_constraint(const Item& item) {
  const std::string text(trim_space(item.content));
  std::vector<std::string> key = content_words(text);
  std::ranges::sort(key);
  Draft draft{.type = std::string(type::kConstraint)};
  for (const std::string& word : key)
    draft.canonical_key += (draft.canonical_key.empty() ? "" : " ") + word;
  draft.payload =
      Value::object({{"constraint_text", text},
                     {"summary", text},
                     {"polarity", "require"},
                     {"evidence_context", std::string(prefix_code_points(text, kMostContext))},
                     {"container_ref", or_null(item.about.container_ref)},
                     {"thread_ref", or_null(item.about.thread_ref)},
                     {"canonical_key", draft.canonical_key}});
  return draft;
}

Draft plain_fact(const Item& item) {
  const std::string text(trim_space(item.content));
  const bool shared =
      item.about.visibility == Scope::kContainer || item.about.visibility == Scope::kPublic;
  const std::string subject = shared ? "team" : speaker_of(item);
  const std::string category = shared ? "technical" : "personal";
  Draft draft{.type = std::string(type::kFact),
              .canonical_key = normalised(subject) + " / " + normalised(text),
              .subject = normalised(subject) + " / " + category};
  draft.payload = Value::object({{"subject", subject},
                                 {"statement", text},
                                 {"category", category},
                                 {"predicate", Value()},
                                 {"value", text},
                                 {"thread_ref", or_null(item.about.thread_ref)},
                                 {"container_ref", or_null(item.about.container_ref)}});
  return draft;
}

}  // namespace

const std::vector<std::string>& stated_types() {
  static const std::vector<std::string> types = {
      std::string(type::kDecision), std::string(type::kOutcome), std::string(type::kConstraint),
      std::string(type::kFact), std::string(type::kNote)};
  return types;
}

Draft stated_draft(const Item& item, std::string_view memory_type) {
  if (memory_type == type::kNote) return note_of(item);
  if (auto draft = as_read(item, memory_type)) return std::move(*draft);
  if (memory_type == type::kConstraint) return plain_constraint(item);
  if (memory_type == type::kFact) return plain_fact(item);
  return plain_conclusion(item, memory_type);
}

}  // namespace holdfast::service::recall
