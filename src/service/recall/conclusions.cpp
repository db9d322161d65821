// Decisions and outcomes of investigations.
#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "service/recall/cue_matcher.h"
#include "service/recall/cues.h"
#include "service/recall/sentence_drafts.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

bool is_negation(std::string_view word) {
  return word == "not" || word == "never" || word.ends_with("n't");
}

bool negated_before(const std::vector<WrittenWord>& words, const Span& span) {
  return span.first > 0 && is_negation(words[span.first - 1].text);
}

bool negated(const std::vector<WrittenWord>& words, const Span& span) {
  return negated_before(words, span) ||
         (span.last < words.size() && is_negation(words[span.last].text));
}

struct Split {
  std::string text = {};
  std::string reason = {};
};

template <typename Connectors>
Split split_reason(const std::string& body, const Connectors& connectors) {
  // Of the same length, so that places in it are places in the body; connectors are plain letters.
  std::string folded = body;
  std::ranges::transform(folded, folded.begin(), ascii_lower);
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
  if (words.size() != 1) return words.size() >= 2;
  return std::ranges::any_of(words_of(body), [&](const Word& word) {
    return word.text == words.front() && (word.specific || word.capitalised);
  });
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
  static constexpr std::array<Replacing, 7> kReplacing = {{{"instead of", 4},
                                                           {"no longer use|using?", 4},
                                                           {"rather than", 4},
                                                           {"replaces", 4},
                                                           {kSwitchedFrom, 0},
                                                           {kSwitchedIt, 0},
                                                           {"not * anymore", 0}}};
  for (const Replacing& cue : kReplacing) {
    const auto span = find_pattern(cue.pattern, words);
    if (!span) continue;
    if (!span->stars.empty()) {
      const auto [first, last] = span->stars.back();
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

}  // namespace

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
      // What is decided against may begin with a negation; the deciding itself may not.
      const bool refuses = cue.form == DecisionForm::kDoNot || cue.form == DecisionForm::kDoNotUse;
      const bool undone = refuses ? negated_before(words, *span) : negated(words, *span);
      if ((cue.user_only && !role_is(item.about, "user")) || undone ||
          is_hedged(words, span->last + 3))
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
                                 {"rationale_text", null_if_empty(split.reason)},
                                 {"rationale", null_if_empty(split.reason)},
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
      if (negated(words, *span) || is_hedged(words, span->last + 3) ||
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
                                 {"rationale_text", null_if_empty(split.reason)},
                                 {"rationale", null_if_empty(split.reason)},
                                 {"canonical_key", draft.canonical_key}});
  add_origin(item, draft.payload);
  return draft;
}

}  // namespace holdfast::service::recall
