#include "service/recall/model_extractor.h"

#include <algorithm>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/recall/barrier.h"
#include "service/recall/statements.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostFactsOfModel = 20;
constexpr size_t kMostDecisionsOfThread = 5;
constexpr size_t kMostThreadText = 4000;
constexpr double kGrounded = 0.6;  // of a fact's words must be in the message
constexpr std::array<std::string_view, 6> kCategories = {"personal",     "event",    "preference",
                                                         "relationship", "activity", "technical"};
constexpr std::array<std::string_view, 4> kQualities = {"substantive", "query_only", "unresolved",
                                                        "weak"};

template <typename Names>
bool is_one_of(const Names& names, std::string_view text) {
  return std::ranges::find(names, text) != names.end();
}

std::string about(const Item& item) {
  return "source_type: " + item.about.source_type +
         "\nartifact_kind: " + effective_kind(item.about) +
         "\nrole: " + item.about.role.value_or("") + "\n";
}

// What the rules read in a quote of the item.
std::optional<Draft> by_rules(const Item& item, const std::string& quote, std::string_view wanted) {
  if (!is_quoted_from(quote, item.content)) return std::nullopt;
  Item part = item;
  part.content = quote;
  for (Draft& draft : recall::extract(part)) {
    if (draft.type == wanted) return std::move(draft);
  }
  return std::nullopt;
}

// An outcome needs its quote only: no phrase must announce it, as one must a decision.
std::optional<Draft> outcome_by_quote(const Item& item, const std::string& quote) {
  if (!may_state_outcomes(item)) return by_rules(item, quote, type::kOutcome);
  if (!is_quoted_from(quote, item.content)) return std::nullopt;
  Item part = item;
  part.content = quote;
  return stated_draft(part, type::kOutcome);
}

void reword(Draft& draft, const Value& answer, std::string_view member, std::string_view said) {
  const std::string text = without_secrets(said_in(answer, said));
  const std::string reason = without_secrets(said_in(answer, "rationale_text"));
  if (!text.empty()) {
    draft.payload.set(member, text);
    draft.canonical_key = normalised(text);
    draft.payload.set("canonical_key", draft.canonical_key);
  }
  if (reason.empty()) return;
  draft.payload.set("rationale_text", reason);
  draft.payload.set("rationale", reason);
}

bool is_grounded(const std::string& statement, const std::string& subject, const Item& item) {
  const WordSet words(item.content + " " + subject);
  const std::vector<std::string> content = content_words(statement);
  const auto known = std::ranges::count_if(
      content, [&](const std::string& word) { return words.match(word) > 0; });
  return !content.empty() &&
         static_cast<double>(known) >= kGrounded * static_cast<double>(content.size());
}

std::optional<Draft> fact_from(const Item& item, const Value& said) {
  const std::string subject = without_secrets(said_in(said, "subject"));
  const std::string statement = without_secrets(said_in(said, "statement"));
  const std::string category = said_in(said, "category");
  if (subject.empty() || !is_one_of(kCategories, category) ||
      !is_grounded(statement, subject, item))
    return std::nullopt;
  Draft draft{.type = std::string(type::kFact),
              .canonical_key = normalised(subject) + " / " + normalised(statement),
              .subject = normalised(subject) + " / " + category,
              .sentence = statement};
  draft.payload = Value::object({{"subject", subject},
                                 {"statement", statement},
                                 {"category", category},
                                 {"predicate", Value()},
                                 {"value", statement},
                                 {"thread_ref", or_null(item.about.thread_ref)},
                                 {"container_ref", or_null(item.about.container_ref)}});
  return draft;
}

std::string thread_text(const ThreadView& view) {
  std::string out;
  for (auto item = view.items.rbegin(); item != view.items.rend(); ++item) {
    const std::string line = item->about.role.value_or("") + ": " + item->content + "\n";
    if (!out.empty() && count_code_points(out) + count_code_points(line) > kMostThreadText) break;
    // The newest is there in any case, as far as there is room.
    out.insert(0, prefix_code_points(line, kMostThreadText));
  }
  return out;
}

// The item that the quote is from, with the decision it stands for.
std::optional<ThreadDecision> decision_from(const ThreadPlan& plan, const Value& said) {
  const std::string text = without_secrets(said_in(said, "decision_text"));
  const std::string quote = said_in(said, "evidence");
  for (const Item& item : plan.view.items) {
    if (text.empty() || !is_quoted_from(quote, item.content)) continue;
    Draft draft{
        .type = std::string(type::kDecision), .canonical_key = normalised(text), .sentence = quote};
    draft.payload = Value::object({{"decision", text},
                                   {"rationale_text", Value()},
                                   {"rationale", Value()},
                                   {"decision_evidence_text", quote},
                                   {"canonical_key", draft.canonical_key},
                                   {"source_type", item.about.source_type},
                                   {"source_id", item.about.source_id},
                                   {"work_refs", Value::array_of(item.work_refs)}});
    return ThreadDecision{.item = item, .draft = std::move(draft)};
  }
  return std::nullopt;
}

void take_text(const Value& answer, std::string_view name, Value& payload) {
  const std::string text = without_secrets(said_in(answer, name));
  if (!text.empty()) payload.set(name, text);
}

}  // namespace

Result<std::vector<Draft>> ModelExtractor::title(const Item& item) const {
  std::vector<Draft> drafts = recall::extract(item);
  HOLDFAST_TRY(const ModelAnswer answer, roles_.ask(role::kNoteTitle, about(item), item.content));
  const std::string title = said_in(answer.value, "title");
  if (!title.empty() && !drafts.empty()) {
    drafts.front().payload.set("title", std::string(prefix_code_points(title, kTitleLength)));
    drafts.front().provenance = answer.provenance;
  }
  return drafts;
}

Result<std::vector<Draft>> ModelExtractor::read_facts(const Item& item) const {
  std::vector<Draft> out;
  if (!may_state_facts(item)) return out;
  HOLDFAST_TRY(const ModelAnswer answer,
               roles_.ask(role::kFactExtraction, about(item), item.content));
  const Value* facts = answer.value.find("facts");
  const auto* elements = facts != nullptr ? facts->if_array() : nullptr;
  if (elements == nullptr) return out;
  for (const Value& said : *elements) {
    auto draft = fact_from(item, said);
    if (!draft || out.size() == kMostFactsOfModel) continue;
    draft->provenance = answer.provenance;
    out.push_back(std::move(*draft));
  }
  return out;
}

Result<std::vector<Draft>> ModelExtractor::extract(const Item& item) const {
  if (effective_kind(item.about) == "note") return title(item);
  HOLDFAST_TRY(const ModelAnswer answer,
               roles_.ask(role::kWriteExtraction, about(item), item.content));
  const Value& said = answer.value;
  std::vector<Draft> out;
  const auto add = [&](std::optional<Draft> draft) {
    if (!draft) return;
    draft->provenance = answer.provenance;
    out.push_back(std::move(*draft));
  };
  const std::string candidate = said_in(said, "candidate_type");
  if (candidate == type::kDecision) {
    auto draft = by_rules(item, said_in(said, "decision_evidence_text"), type::kDecision);
    if (draft) reword(*draft, said, "decision", "decision_text");
    add(std::move(draft));
  } else if (candidate == type::kOutcome) {
    auto draft = outcome_by_quote(item, said_in(said, "investigation_evidence_text"));
    if (draft) reword(*draft, said, "investigation_outcome", "investigation_text");
    add(std::move(draft));
  }
  add(by_rules(item, said_in(said, "constraint_text"), type::kConstraint));
  HOLDFAST_TRY(auto facts, read_facts(item));
  std::ranges::move(facts, std::back_inserter(out));
  return out;
}

Status ModelExtractor::aggregate(ThreadPlan& plan) const {
  if (!plan.is_thread) return {};
  std::string conclusions = "conclusions:\n";
  for (const Memory& memory : plan.view.conclusions) conclusions += "- " + headline(memory) + "\n";
  HOLDFAST_TRY(const ModelAnswer answer,
               roles_.ask(role::kThreadAggregation, conclusions, thread_text(plan.view)));
  const Value& said = answer.value;
  take_text(said, "summary", plan.summary);
  if (is_one_of(kQualities, said_in(said, "content_quality")))
    plan.summary.set("content_quality", said_in(said, "content_quality"));
  plan.summary.set("semantic_provenance", answer.provenance);
  const Value* checkpoint = said.find("task_checkpoint");
  if (plan.checkpoint && checkpoint != nullptr && checkpoint->is_object()) {
    for (const std::string_view name :
         {"summary", "task", "current_state", "blocker_state", "next_step"})
      take_text(*checkpoint, name, *plan.checkpoint);
    plan.checkpoint->set("semantic_provenance", answer.provenance);
  }
  const Value* decisions = said.find("decisions");
  if (decisions == nullptr || decisions->if_array() == nullptr) return {};
  for (const Value& one : *decisions->if_array()) {
    auto found = decision_from(plan, one);
    if (!found || plan.decisions.size() == kMostDecisionsOfThread) continue;
    found->draft.provenance = answer.provenance;
    plan.decisions.push_back(std::move(*found));
  }
  return {};
}

Result<bool> ModelExtractor::refine(Memory& memory, const std::vector<Memory>& facts) const {
  std::string content;
  for (size_t i = 0; i < facts.size(); ++i)
    content += std::to_string(i) + ". " + format_seconds(facts[i].freshness_at) + " " +
               headline(facts[i]) + "\n";
  const bool about_facts = memory.type == type::kFactSummary;
  if (!about_facts) content = view_text(memory);
  HOLDFAST_TRY(
      const ModelAnswer answer,
      roles_.ask(about_facts ? role::kFactConsolidation : role::kConsolidation, "", content));
  const std::string summary = without_secrets(said_in(answer.value, "summary"));
  if (summary.empty()) return false;
  memory.payload.set("summary", summary);
  memory.payload.set("semantic_provenance", answer.provenance);
  const Value* indices = answer.value.find("superseded_indices");
  if (!about_facts || indices == nullptr || indices->if_array() == nullptr) return true;
  Value ids = Value::array();
  for (const Value& index : *indices->if_array()) {
    const int64_t* place = index.if_int();
    if (place != nullptr && *place >= 0 && static_cast<size_t>(*place) < facts.size())
      ids.push(facts[static_cast<size_t>(*place)].id);
  }
  memory.payload.set("superseded_fact_ids", std::move(ids));
  return true;
}

}  // namespace holdfast::service::recall
