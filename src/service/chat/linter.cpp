#include "service/chat/linter.h"

#include <algorithm>

#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Both are comparable.
bool contains_phrase(std::string_view text, std::string_view phrase) {
  for (size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    const size_t end = at + phrase.size();
    const bool begins = at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(phrase.front());
    const bool ends =
        end == text.size() || !is_word_byte(text[end]) || !is_word_byte(phrase.back());
    if (begins && ends) return true;
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

std::string mended(const std::vector<Violation>& violations, std::string_view answer) {
  std::vector<std::string> forbidden;
  std::vector<std::string> required;
  for (const Violation& violation : violations) {
    auto& list = violation.rule == LintRule::kMustNot ? forbidden : required;
    if (violation.rule == LintRule::kMustHaveAny) {
      list.push_back(violation.phrases.front());
    } else {
      list.insert(list.end(), violation.phrases.begin(), violation.phrases.end());
    }
  }
  std::string out;
  for (const std::string_view sentence : text::split_sentences(answer)) {
    const std::string spoken = outside_quotes(comparable(sentence));
    const bool bad = std::ranges::any_of(forbidden, [&](const std::string& phrase) {
      return contains_phrase(spoken, comparable(phrase));
    });
    if (bad) continue;
    if (!out.empty()) out += ' ';
    out += sentence;
  }
  for (const std::string& phrase : required) {
    if (!out.empty()) out += '\n';
    out += phrase;
  }
  return out;
}

}  // namespace holdfast::service::chat
