#include "service/recall/extract.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/cues.h"
#include "service/recall/facts.h"
#include "service/recall/prepare.h"
#include "service/recall/sentence_drafts.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostDecisionsOfItem = 3;
constexpr size_t kMostOutcomes = 2;
constexpr size_t kMostConstraints = 2;
constexpr size_t kMostFactsOfItem = 10;

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

}  // namespace

Draft note_of(const Item& item) {
  return {.type = std::string(type::kNote),
          .payload = Value::object({{"content", item.content},
                                    {"title", title_of(item.content)},
                                    {"source_type", item.about.source_type},
                                    {"source_id", item.about.source_id}})};
}

bool may_state_facts(const Item& item) { return allowed_for(item).facts; }
bool may_state_outcomes(const Item& item) { return allowed_for(item).outcome_phrases; }

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
    if (take(allowed.decisions, kMostDecisionsOfItem, decisions,
             [&] { return decision_of(item, allowed, sentences, at); }) ||
        take(allowed.outcomes, kMostOutcomes, outcomes,
             [&] { return outcome_of(item, allowed, sentence); }) ||
        take(allowed.constraints, kMostConstraints, constraints,
             [&] { return constraint_of(item, sentence); }))
      continue;
    take(allowed.facts, kMostFactsOfItem, facts,
         [&] { return fact_of(item, sentence, allowed.own_facts); });
  }
  return out;
}

}  // namespace holdfast::service::recall
