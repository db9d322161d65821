#include "service/recall/facts.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/cue_matcher.h"
#include "service/recall/cues.h"
#include "service/recall/passing.h"
#include "service/recall/prepare.h"
#include "service/recall/words.h"
#include "text/characters.h"

namespace holdfast::service::recall {

std::string speaker_of(const Item& item) {
  const Text& actor = item.about.actor_ref;
  if (!actor || actor->empty()) return "user";
  const size_t colon = actor->find_last_of(':');
  return colon == std::string::npos ? *actor : actor->substr(colon + 1);
}

namespace {

constexpr size_t kLongestValue = 120;

struct Found {
  std::string subject = {};
  std::string says = {};
  std::string value = {};
  std::string category = {};
  std::string predicate = {};
  bool single = false;
};

// From that word to the end, without words that only say when.
std::string value_from(const std::string& sentence, const std::vector<WrittenWord>& words,
                       size_t at) {
  static constexpr std::array<std::string_view, 4> kSkipped = {"now", "currently", "also",
                                                               "already"};
  while (at < words.size() && std::ranges::find(kSkipped, words[at].text) != kSkipped.end()) ++at;
  return at < words.size() ? without_stop(sentence.substr(words[at].begin)) : std::string();
}

std::string category_of(const std::string& name, const std::string& value) {
  for (const std::string_view word : {"favorite", "favourite", "preferred"}) {
    if (name.find(word) != std::string::npos) return "preference";
  }
  const auto technical = [](char c) {
    return (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '`';
  };
  return std::ranges::any_of(value, technical) ? "technical" : "personal";
}

std::string joined(const std::vector<WrittenWord>& words, size_t first, size_t last) {
  std::string out;
  for (size_t i = first; i < last; ++i) out += (out.empty() ? "" : " ") + words[i].text;
  return out;
}

std::optional<Found> of_speaker(const Item& item, const std::string& sentence,
                                const std::vector<WrittenWord>& words) {
  for (const FactCue& cue : kFirstPersonFacts) {
    const auto span = match_at(cue.pattern, words, 0);
    if (!span) continue;
    return Found{.subject = speaker_of(item),
                 .says = std::string(cue.says),
                 .value = value_from(sentence, words, span->last),
                 .category = std::string(cue.category),
                 .predicate = std::string(cue.predicate),
                 .single = cue.single};
  }
  return std::nullopt;
}

std::optional<Found> of_relative(const Item& item, const std::string& sentence,
                                 const std::vector<WrittenWord>& words) {
  if (words.size() < 3 || words[0].text != "my") return std::nullopt;
  std::string name = words[1].text;
  const bool possessive = name.ends_with("'s");
  if (possessive) name.resize(name.size() - 2);
  if (std::ranges::find(kRelatives, name) == kRelatives.end()) return std::nullopt;
  size_t at = 2;
  if (possessive && match_at("name is", words, 2)) at = 4;
  if (words[at < words.size() ? at : 1].text == "is") ++at;
  const std::string value = value_from(sentence, words, at);
  return Found{.subject = speaker_of(item),
               .says = "'s " + name + " is",
               .value = value,
               .category = "relationship",
               .predicate = "rel:" + name};
}

std::optional<Found> of_attribute(const Item& item, const std::string& sentence,
                                  const std::vector<WrittenWord>& words) {
  struct Form {
    std::string_view pattern;
    std::string_view subject;  // empty: the speaker; "*": the second star
  };
  static constexpr std::array<Form, 4> kForms = {{{"my * is|are", ""},
                                                  {"our * is|are", "team"},
                                                  {"the * for * is", "*"},
                                                  {"* is set to", "-"}}};
  for (const Form& form : kForms) {
    const auto span = match_at(form.pattern, words, 0);
    if (!span) continue;
    const auto [first, last] = span->stars.front();
    const std::string name = joined(words, first, last);
    const std::string value = value_from(sentence, words, span->last);
    Found found{.subject = std::string(form.subject),
                .says = "'s " + name + " is",
                .value = value,
                .category = category_of(name, value),
                .predicate = "attr:" + name,
                .single = true};
    if (form.subject.empty()) found.subject = speaker_of(item);
    if (form.subject == "*")
      found.subject = joined(words, span->stars[1].first, span->stars[1].second);
    if (form.subject == "-") {
      found.subject = name;
      found.says = " is set to";
    }
    return found;
  }
  return std::nullopt;
}

bool names_something(const std::string& sentence, const std::vector<WrittenWord>& words,
                     size_t count) {
  if (count == 0 || count > 3) return false;
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = words[i].begin;
    if (sentence[begin] != '`' && !text::fold_char_at(sentence, begin).upper_case) return false;
  }
  return !(count == 1 && is_glue(words[0].text));
}

std::optional<Found> of_third(const std::string& sentence, const std::vector<WrittenWord>& words) {
  for (const FactCue& cue : kThirdPersonFacts) {
    const auto span = find_pattern(cue.pattern, words);
    if (!span || !names_something(sentence, words, span->first)) continue;
    return Found{
        .subject = sentence.substr(words[0].begin, words[span->first - 1].end - words[0].begin),
        .says = std::string(cue.says),
        .value = value_from(sentence, words, span->last),
        .category = std::string(cue.category),
        .predicate = std::string(cue.predicate),
        .single = cue.single};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Draft> fact_of(const Item& item, const std::string& sentence, bool first_person) {
  const std::vector<WrittenWord> words = written_words(sentence);
  std::optional<Found> found;
  if (first_person) found = of_speaker(item, sentence, words);
  if (!found && first_person) found = of_relative(item, sentence, words);
  if (!found && first_person) found = of_attribute(item, sentence, words);
  if (!found) found = of_third(sentence, words);
  if (!found || found->value.empty() || count_code_points(found->value) > kLongestValue ||
      is_hedged(words, words.size()))
    return std::nullopt;
  const bool lasting = found->category == "personal" || found->category == "preference" ||
                       found->category == "relationship";
  // Without the subject: names of people may be numbers.
  if (!lasting && is_passing(found->predicate + found->says + " " + found->value))
    return std::nullopt;
  const std::string statement = found->subject + found->says + " " + found->value;
  Draft draft{.type = std::string(type::kFact),
              .canonical_key = normalised(found->subject) + " / " + normalised(statement),
              .subject = normalised(found->subject) + " / " + found->category,
              .sentence = sentence};
  if (found->single) draft.slot = normalised(found->subject) + " / " + found->predicate;
  draft.payload = Value::object({{"subject", found->subject},
                                 {"statement", statement},
                                 {"category", found->category},
                                 {"predicate", found->predicate},
                                 {"value", found->value},
                                 {"thread_ref", or_null(item.about.thread_ref)},
                                 {"container_ref", or_null(item.about.container_ref)}});
  return draft;
}

}  // namespace holdfast::service::recall
