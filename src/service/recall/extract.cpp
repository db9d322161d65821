#include "service/recall/extract.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/cue_matcher.h"
#include "service/recall/cues.h"
#include "service/recall/facts.h"
#include "service/recall/prepare.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostDecisions = 3;
constexpr size_t kMostOutcomes = 2;
constexpr size_t kMostConstraints = 2;
constexpr size_t kMostFacts = 10;
constexpr size_t kTitleLength = 100;

// What an item of its kind may state (section 6.0 of the published contract, as one row).
struct Allowed {
  bool decisions = false;
  bool decision_phrases = false;
  bool outcomes = false;
  bool outcome_phrases = false;
  bool constraints = false;
  bool facts = false;
  bool own_facts = false;  // in the first person
};

Allowed allowed_for(const Item& item) {
  const Evidence& about = item.about;
  const std::string kind = effective_kind(about);
  const bool assistant = role_is(about, "assistant");
  const bool personal = about.visibility == Scope::kPrivate || about.visibility == Scope::kGlobal;
  const bool source_speaks =
      std::ranges::find(kOutcomeSources, about.source_type) != kOutcomeSources.end();
  if (kind == "assistant_output" || (kind == "message" && assistant))
    return {.decisions = true,
            .decision_phrases = true,
            .outcomes = true,
            .outcome_phrases = true,
            .facts = true};
  if (kind == "message" || kind.empty())
    return {.decisions = true,
            .decision_phrases = true,
            .outcomes = true,
            .outcome_phrases = source_speaks,
            .constraints = personal && (!about.role || role_is(about, "user")),
            .facts = kind == "message",
            .own_facts = kind == "message"};
  if (kind == "tool_use_summary")
    return {.decisions = true, .outcomes = true, .outcome_phrases = true};
  if (kind == "notification") return {.outcomes = true, .outcome_phrases = source_speaks};
  return {};
}

bool is_negation(std::string_view word) {
  return word == "not" || word == "never" || word.ends_with("n't");
}

bool negated(const std::vector<WrittenWord>& words, const Span& span) {
  return (span.first > 0 && is_negation(words[span.first - 1].text)) ||
         (span.last < words.size() && is_negation(words[span.last].text));
}

struct Split {
  std::string text = {};
  std::string reason = {};
};

template <typename Connectors>
Split split_reason(const std::string& body, const Connectors& connectors) {
  const std::string folded = fold_case(body);
  if (folded.size() != body.size()) return {.text = body};
  size_t best = std::string::npos;
  size_t skip = 0;
  for (const std::string_view connector : connectors) {
    const size_t at = folded.find(connector);
    if (at >= best || at == 0) continue;
    best = at;
    const bool dash = connector == " — " || connector == " – ";
    skip = dash ? connector.size() : 1;
  }
  if (best == std::string::npos) return {.text = body};
  return {.text = without_stop(body.substr(0, best)),
          .reason = without_stop(body.substr(best + skip))};
}

bool says_enough(const std::string& body) {
  const std::vector<std::string> words = content_words(body);
  if (words.size() >= 2) return true;
  const auto telling = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  return words.size() == 1 && std::ranges::any_of(body, telling);
}

std::string as_decision(DecisionForm form, const std::string& body) {
  switch (form) {
    case DecisionForm::kDoNot: return "Do not " + body;
    case DecisionForm::kDoNotUse: return "Do not use " + body;
    case DecisionForm::kSwitch: return "Switch to " + body;
    case DecisionForm::kUse: return body.starts_with("to ") ? body.substr(3) : "Use " + body;
    case DecisionForm::kBody: break;
  }
  return body;
}

Value or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

void add_origin(const Item& item, Value& payload) {
  payload.set("source_type", item.about.source_type);
  payload.set("source_id", item.about.source_id);
  payload.set("work_refs", Value::array_of(item.work_refs));
}

std::string reason_after(const std::vector<Sentence>& sentences, size_t at) {
  if (at + 1 >= sentences.size() || sentences[at + 1].question) return {};
  const std::string& next = sentences[at + 1].text;
  if (const auto body = body_after_label(next, kReasonLabels)) return without_stop(*body);
  const std::string folded = fold_case(next);
  const auto begins = [&](std::string_view start) { return folded.starts_with(start); };
  return std::ranges::any_of(kReasonStarts, begins) ? without_stop(next) : std::string();
}

// The content words of what is replaced.
std::vector<std::string> replaced_words(const std::vector<WrittenWord>& words,
                                        std::string_view sentence) {
  struct Replacing {
    std::string_view pattern;
    size_t most;
  };
  static constexpr std::array<Replacing, 6> kReplacing = {{{"instead of", 4},
                                                           {"no longer use|using?", 4},
                                                           {"rather than", 4},
                                                           {"replaces", 4},
                                                           {"switched|migrated|moved from", 1},
                                                           {"not * anymore", 0}}};
  for (const Replacing& cue : kReplacing) {
    const auto span = find_pattern(cue.pattern, words);
    if (!span) continue;
    if (!span->stars.empty()) {
      const auto [first, last] = span->stars.front();
      return content_words(
          sentence.substr(words[first].begin, words[last - 1].end - words[first].begin));
    }
    std::vector<std::string> out;
    for (size_t i = span->last; i < words.size() && i < span->last + cue.most; ++i) {
      if (i > span->last && (words[i].pause_before || is_glue(words[i].text))) break;
      for (std::string& word : content_words(words[i].text)) out.push_back(std::move(word));
    }
    return out;
  }
  return {};
}

std::optional<Draft> decision_of(const Item& item, const Allowed& allowed,
                                 const std::vector<Sentence>& sentences, size_t at) {
  const std::string& sentence = sentences[at].text;
  const std::vector<WrittenWord> words = written_words(sentence);
  std::string body;
  DecisionForm form = DecisionForm::kBody;
  if (const auto labelled = body_after_label(sentence, kDecisionLabels)) {
    body = *labelled;
  } else if (allowed.decision_phrases) {
    for (const DecisionCue& cue : kDecisionCues) {
      const auto span = find_pattern(cue.pattern, words);
      if (!span) continue;
      const bool refuses = cue.form == DecisionForm::kDoNot || cue.form == DecisionForm::kDoNotUse;
      if ((cue.user_only && !role_is(item.about, "user")) || (!refuses && negated(words, *span)) ||
          has_any(kHedges, words, span->last + 3))
        return std::nullopt;
      if (span->last >= words.size()) return std::nullopt;
      body = sentence.substr(words[span->last].begin);
      form = cue.form;
      break;
    }
  }
  body = without_stop(body);
  if (!says_enough(body)) return std::nullopt;
  Split split = split_reason(body, kReasonConnectors);
  if (split.reason.empty()) split.reason = reason_after(sentences, at);
  const std::string decision = upper_first(as_decision(form, split.text));
  Draft draft{.type = std::string(type::kDecision),
              .canonical_key = normalised(decision),
              .sentence = sentence,
              .replaces = replaced_words(words, sentence)};
  draft.payload = Value::object({{"decision", decision},
                                 {"rationale_text", or_null(split.reason)},
                                 {"rationale", or_null(split.reason)},
                                 {"decision_evidence_text", sentence},
                                 {"canonical_key", draft.canonical_key}});
  add_origin(item, draft.payload);
  return draft;
}

std::optional<Draft> outcome_of(const Item& item, const Allowed& allowed,
                                const std::string& sentence) {
  const std::vector<WrittenWord> words = written_words(sentence);
  std::string body;
  bool whole = false;
  if (const auto labelled = body_after_label(sentence, kOutcomeLabels)) {
    body = *labelled;
  } else if (allowed.outcome_phrases) {
    for (const OutcomeCue& cue : kOutcomeCues) {
      const auto span = find_pattern(cue.pattern, words);
      if (!span) continue;
      if (negated(words, *span) || has_any(kHedges, words, span->last + 3) ||
          has_any(kOutcomeHedges, words, span->last + 3) || span->last >= words.size())
        return std::nullopt;
      whole = cue.whole;
      body = whole ? sentence : sentence.substr(words[span->last].begin);
      break;
    }
  }
  body = without_stop(body);
  if (!says_enough(body)) return std::nullopt;
  Split split = split_reason(body, kOutcomeConnectors);
  if (whole) split.text = body;
  Draft draft{.type = std::string(type::kOutcome),
              .canonical_key = normalised(split.text),
              .sentence = sentence};
  draft.payload = Value::object({{"investigation_outcome", upper_first(split.text)},
                                 {"investigation_evidence_text", sentence},
                                 {"rationale_text", or_null(split.reason)},
                                 {"rationale", or_null(split.reason)},
                                 {"canonical_key", draft.canonical_key}});
  add_origin(item, draft.payload);
  return draft;
}

bool begins_command(const std::vector<WrittenWord>& words, size_t at) {
  if (at == 0 || words[at].pause_before) return true;
  const std::string& before = words[at - 1].text;
  if (std::ranges::find(kCommandStarts, before) != kCommandStarts.end()) return true;
  return at >= 2 && words[at - 2].text == "you" &&
         (before == "should" || before == "must" || before == "may");
}

std::optional<std::string_view> polarity_of(const std::string& sentence,
                                            const std::vector<WrittenWord>& words) {
  if (body_after_label(sentence, kConstraintLabels)) return "require";
  for (const ConstraintCue& cue : kConstraintCues) {
    for (size_t at = 0; at < words.size(); ++at) {
      if (match_at(cue.pattern, words, at) && (cue.anywhere || begins_command(words, at)))
        return cue.polarity;
    }
  }
  return std::nullopt;
}

std::string without_politeness(const std::string& sentence) {
  std::string_view rest = sentence;
  for (const std::string_view word : {"please ", "please, ", "and ", "but ", "also "}) {
    if (fold_case(rest.substr(0, word.size())) == word) rest.remove_prefix(word.size());
  }
  return without_stop(rest);
}

std::optional<Draft> constraint_of(const Item& item, const std::string& sentence) {
  const std::vector<WrittenWord> words = written_words(sentence);
  const auto polarity = polarity_of(sentence, words);
  if (!polarity || content_words(sentence).size() < 3 ||
      has_any(kConstraintExceptions, words, words.size()) || has_any(kPassing, words, words.size()))
    return std::nullopt;
  std::string text = without_politeness(sentence);
  if (const auto body = body_after_label(sentence, kConstraintLabels)) text = without_stop(*body);
  std::vector<std::string> key = content_words(text);
  std::ranges::sort(key);
  Draft draft{.type = std::string(type::kConstraint), .sentence = sentence};
  for (const std::string& word : key)
    draft.canonical_key += (draft.canonical_key.empty() ? "" : " ") + word;
  const auto text_or_null = [](const Text& t) { return t ? Value(*t) : Value(); };
  draft.payload =
      Value::object({{"constraint_text", text},
                     {"summary", text},
                     {"polarity", *polarity},
                     {"evidence_context", std::string(prefix_code_points(item.content, 1000))},
                     {"container_ref", text_or_null(item.about.container_ref)},
                     {"thread_ref", text_or_null(item.about.thread_ref)},
                     {"canonical_key", draft.canonical_key}});
  return draft;
}

std::string title_of(std::string_view content) {
  while (!content.empty()) {
    const size_t end = std::min(content.find('\n'), content.size());
    std::string_view line = trim_space(content.substr(0, end));
    content.remove_prefix(std::min(end + 1, content.size()));
    while (line.starts_with('#')) line.remove_prefix(1);
    line = trim_space(line);
    if (line.empty()) continue;
    if (count_code_points(line) <= kTitleLength) return std::string(line);
    const std::string_view head = prefix_code_points(line, kTitleLength);
    const size_t blank = head.find_last_of(' ');
    return std::string(trim_space(blank == std::string_view::npos ? head : head.substr(0, blank)));
  }
  return "Note";
}

Draft note_of(const Item& item) {
  return {.type = std::string(type::kNote),
          .payload = Value::object({{"content", item.content},
                                    {"title", title_of(item.content)},
                                    {"source_type", item.about.source_type},
                                    {"source_id", item.about.source_id}})};
}

}  // namespace

std::vector<Draft> extract(const Item& item) {
  if (effective_kind(item.about) == "note") return {note_of(item)};
  const Allowed allowed = allowed_for(item);
  const std::vector<Sentence> sentences = prepare(item.content);
  std::vector<Draft> out;
  size_t decisions = 0;
  size_t outcomes = 0;
  size_t constraints = 0;
  size_t facts = 0;
  for (size_t at = 0; at < sentences.size(); ++at) {
    if (sentences[at].question || is_low_value_text(sentences[at].text)) continue;
    const std::string& sentence = sentences[at].text;
    // One sentence, one memory: the first that fits, in this order.
    const auto take = [&](bool may, size_t most, size_t& count, auto&& find) {
      if (!may || count >= most) return false;
      std::optional<Draft> draft = find();
      if (!draft) return false;
      out.push_back(std::move(*draft));
      ++count;
      return true;
    };
    if (take(allowed.decisions, kMostDecisions, decisions,
             [&] { return decision_of(item, allowed, sentences, at); }) ||
        take(allowed.outcomes, kMostOutcomes, outcomes,
             [&] { return outcome_of(item, allowed, sentence); }) ||
        take(allowed.constraints, kMostConstraints, constraints,
             [&] { return constraint_of(item, sentence); }))
      continue;
    take(allowed.facts, kMostFacts, facts,
         [&] { return fact_of(item, sentence, allowed.own_facts); });
  }
  return out;
}

}  // namespace holdfast::service::recall
