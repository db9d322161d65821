#include "service/chat/validators.h"

#include <array>
#include <optional>
#include <sstream>

#include "base/utf8.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

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

std::vector<Phrase> quoted_phrases(std::string_view line) {
  std::vector<Phrase> phrases;
  const std::string text = straight_quotes(line);
  for (size_t begin = text.find('"'); begin != std::string::npos;) {
    const size_t end = text.find('"', begin + 1);
    if (end == std::string::npos) break;
    for (std::string& phrase : expanded(text.substr(begin + 1, end - begin - 1))) {
      replace_all(phrase, "…", "");
      std::string plain = text::collapse_space(phrase);
      if (plain.empty()) continue;
      std::string folded = comparable(plain);
      phrases.push_back({std::move(plain), std::move(folded)});
    }
    begin = text.find('"', end + 1);
  }
  return phrases;
}

std::optional<Validator> read_rule(std::string_view line) {
  line = trim_space(line);
  if (!line.starts_with('-')) return std::nullopt;
  line = trim_space(line.substr(1));
  const std::string lower = fold_case(line);
  for (const Prefix& prefix : kPrefixes) {
    if (!lower.starts_with(prefix.text)) continue;
    Validator rule{prefix.rule, quoted_phrases(line.substr(prefix.text.size()))};
    return rule.phrases.empty() ? std::nullopt : std::optional(std::move(rule));
  }
  return std::nullopt;
}

}  // namespace

std::string comparable(std::string_view text) {
  return text::collapse_space(fold_case(straight_quotes(text)));
}

Validators parse_validators(std::string_view definition) {
  std::vector<Validator> rules;
  bool inside = false;
  std::stringstream lines{std::string(definition)};
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
  return std::make_shared<const std::vector<Validator>>(std::move(rules));
}

}  // namespace holdfast::service::chat
