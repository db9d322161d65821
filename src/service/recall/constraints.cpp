// Rules that a person gives.
#include <algorithm>

#include "base/utf8.h"
#include "service/recall/cue_matcher.h"
#include "service/recall/cues.h"
#include "service/recall/sentence_drafts.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

bool begins_command(const std::vector<WrittenWord>& words, size_t at) {
  if (at == 0 || words[at].pause_before) return true;
  const std::string& before = words[at - 1].text;
  if (std::ranges::find(kCommandStarts, before) != kCommandStarts.end()) return true;
  if (before == "you" && words[at].text.starts_with("must")) return true;
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

}  // namespace

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
  draft.payload =
      Value::object({{"constraint_text", text},
                     {"summary", text},
                     {"polarity", *polarity},
                     {"evidence_context", std::string(prefix_code_points(item.content, 1000))},
                     {"container_ref", or_null(item.about.container_ref)},
                     {"thread_ref", or_null(item.about.thread_ref)},
                     {"canonical_key", draft.canonical_key}});
  return draft;
}

}  // namespace holdfast::service::recall
