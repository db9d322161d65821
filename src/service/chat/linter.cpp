#include "service/chat/linter.h"

#include <algorithm>

#include "text/characters.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

size_t begin_of_last(std::string_view text) {
  size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

// A letter or a digit. Not so where words have no spaces between them: there a word ends anywhere.
bool is_word_at(std::string_view text, size_t at) {
  if (text[at] == '_') return true;
  const text::FoldedChars folded = text::fold_char_at(text, at);
  return folded.count > 0 && text::class_of(folded.points.front()) == text::CharClass::kLetter;
}

bool parts_words(std::string_view before, std::string_view after) {
  return before.empty() || after.empty() || !is_word_at(before, begin_of_last(before)) ||
         !is_word_at(after, 0);
}

// Both are comparable.
bool contains_phrase(std::string_view text, std::string_view phrase) {
  for (size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    if (parts_words(text.substr(0, at), phrase) &&
        parts_words(phrase, text.substr(at + phrase.size())))
      return true;
  }
  return false;
}

// The text without what stands in double quotes: quoting somebody is no claim.
std::string outside_quotes(std::string_view folded) {
  std::string out;
  for (size_t at = 0; at < folded.size();) {
    if (folded[at] == '"') {
      const size_t end = folded.find('"', at + 1);
      if (end != std::string_view::npos) {
        out += ' ';
        at = end + 1;
        continue;
      }
    }
    out += folded[at++];
  }
  return out;
}

std::string_view rule_name(LintRule rule) {
  switch (rule) {
    case LintRule::kMustNot: return "must-not";
    case LintRule::kMustHave: return "must-have";
    case LintRule::kMustHaveAny: return "must-have-any";
  }
  return {};
}

std::vector<std::string> broken_phrases(const Validator& rule, const std::string& whole,
                                        const std::string& spoken) {
  std::vector<std::string> broken;
  for (const Phrase& phrase : rule.phrases) {
    const bool has =
        contains_phrase(rule.rule == LintRule::kMustNot ? spoken : whole, phrase.folded);
    if (has && rule.rule == LintRule::kMustHaveAny) return {};
    if (has == (rule.rule == LintRule::kMustNot)) broken.push_back(phrase.text);
  }
  return broken;
}

}  // namespace

std::string Violation::flag() const { return block_id + ":" + std::string(rule_name(rule)); }

std::vector<Violation> lint(const std::vector<DriverBlock>& blocks, std::string_view answer) {
  const std::string whole = comparable(answer);
  const std::string spoken = text::collapse_space(outside_quotes(whole));
  std::vector<Violation> violations;
  for (const DriverBlock& block : blocks) {
    for (const Validator& rule : *block.validators) {
      std::vector<std::string> broken = broken_phrases(rule, whole, spoken);
      if (broken.empty()) continue;
      Violation violation{.block_id = block.id, .rule = rule.rule, .phrases = std::move(broken)};
      const bool known = std::ranges::any_of(violations, [&](const Violation& earlier) {
        return earlier.flag() == violation.flag() && earlier.phrases == violation.phrases;
      });
      if (!known) violations.push_back(std::move(violation));
    }
  }
  return violations;
}

Demands demands_of(const std::vector<Violation>& violations) {
  Demands demands;
  for (const Violation& violation : violations) {
    const auto& phrases = violation.phrases;
    switch (violation.rule) {
      case LintRule::kMustNot:
        for (const std::string& phrase : phrases) demands.avoided.push_back(comparable(phrase));
        break;
      case LintRule::kMustHave:
        demands.required.insert(demands.required.end(), phrases.begin(), phrases.end());
        break;
      case LintRule::kMustHaveAny: demands.required.push_back(phrases.front()); break;
    }
  }
  return demands;
}

bool Demands::allow(std::string_view sentence) const {
  const std::string spoken = comparable(sentence);
  return std::ranges::none_of(
      avoided, [&](const std::string& phrase) { return contains_phrase(spoken, phrase); });
}

}  // namespace holdfast::service::chat
