#include "service/chat/linter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "base/utf8.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

struct Rule {
  LintRule kind;
  std::vector<std::string> phrases;
};

struct Prefix {
  std::string_view text;  // lower case
  LintRule rule;
};

constexpr std::array<Prefix, 5> kPrefixes = {{{"must-not:", LintRule::kMustNot},
                                              {"must-have-any-of:", LintRule::kMustHaveAny},
                                              {"must-have-any:", LintRule::kMustHaveAny},
                                              {"must-have:", LintRule::kMustHave},
                                              {"must:", LintRule::kMustHave}}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string straight_quotes(std::string_view text) {
  std::string out(text);
  for (const std::string_view curly : {"“", "”", "„"}) replace_all(out, curly, "\"");
  for (const std::string_view curly : {"‘", "’"}) replace_all(out, curly, "'");
  return out;
}

// Folded, straight quotes, one blank between words.
std::string comparable(std::string_view text) {
  return text::collapse_space(fold_case(straight_quotes(text)));
}

// `a b/c/d` is `a b`, `a c` and `a d`; without a blank in the first alternative, plain ones.
std::vector<std::string> expanded(const std::string& quote) {
  std::vector<std::string> alternatives;
  std::stringstream parts(quote);
  for (std::string part; std::getline(parts, part, '/');) alternatives.push_back(part);
  if (alternatives.size() < 2) return alternatives;
  const size_t blank = alternatives.front().rfind(' ');
  if (blank == std::string::npos) return alternatives;
  const std::string shared = alternatives.front().substr(0, blank + 1);
  for (size_t i = 1; i < alternatives.size(); ++i) alternatives[i] = shared + alternatives[i];
  return alternatives;
}

std::vector<std::string> quoted_phrases(std::string_view line) {
  std::vector<std::string> phrases;
  const std::string text = straight_quotes(line);
  for (size_t begin = text.find('"'); begin != std::string::npos;) {
    const size_t end = text.find('"', begin + 1);
    if (end == std::string::npos) break;
    for (std::string& phrase : expanded(text.substr(begin + 1, end - begin - 1))) {
      replace_all(phrase, "…", "");
      std::string plain = text::collapse_space(phrase);
      if (!plain.empty()) phrases.push_back(std::move(plain));
    }
    begin = text.find('"', end + 1);
  }
  return phrases;
}

std::optional<Rule> read_rule(std::string_view line) {
  line = trim_space(line);
  if (!line.starts_with('-')) return std::nullopt;
  line = trim_space(line.substr(1));
  const std::string lower = fold_case(line);
  for (const Prefix& prefix : kPrefixes) {
    if (!lower.starts_with(prefix.text)) continue;
    Rule rule{prefix.rule, quoted_phrases(line.substr(prefix.text.size()))};
    return rule.phrases.empty() ? std::nullopt : std::optional(std::move(rule));
  }
  return std::nullopt;
}

std::vector<Rule> rules_of(const std::string& definition) {
  std::vector<Rule> rules;
  bool inside = false;
  std::stringstream lines(definition);
  for (std::string line; std::getline(lines, line);) {
    const std::string lower = fold_case(trim_space(line));
    if (lower.starts_with("validators:")) {
      inside = true;
    } else if (inside && trim_space(line).starts_with('-')) {
      if (auto rule = read_rule(line)) rules.push_back(std::move(*rule));
    } else if (!trim_space(line).empty()) {
      inside = false;
    }
  }
  return rules;
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// `text` is comparable already.
bool contains_phrase(std::string_view text, std::string_view wanted) {
  const std::string phrase = comparable(wanted);
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

std::vector<std::string> broken_phrases(const Rule& rule, const std::string& whole,
                                        const std::string& spoken) {
  std::vector<std::string> broken;
  if (rule.kind == LintRule::kMustHaveAny) {
    const bool any = std::ranges::any_of(
        rule.phrases, [&](const std::string& phrase) { return contains_phrase(whole, phrase); });
    return any ? broken : rule.phrases;
  }
  for (const std::string& phrase : rule.phrases) {
    const bool bad = rule.kind == LintRule::kMustNot ? contains_phrase(spoken, phrase)
                                                     : !contains_phrase(whole, phrase);
    if (bad) broken.push_back(phrase);
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
    for (const Rule& rule : rules_of(block.definition)) {
      std::vector<std::string> broken = broken_phrases(rule, whole, spoken);
      if (broken.empty()) continue;
      Violation violation{.block_id = block.id, .rule = rule.kind, .phrases = std::move(broken)};
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
    const bool bad = std::ranges::any_of(
        forbidden, [&](const std::string& phrase) { return contains_phrase(spoken, phrase); });
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
