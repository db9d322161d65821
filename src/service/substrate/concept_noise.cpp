// The rules by which a term is noise, as tables in their published order.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "service/substrate/concept_terms.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxTermChars = 80;

// A term with what the rules look at.
struct Term {
  std::string_view text;
  std::string key;
  std::vector<std::string> words;
};

template <size_t N>
bool one_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_generic(const Term& term) {
  constexpr std::array<std::string_view, 26> kKeys = {
      "api",          "architecture", "background",   "configuration",  "content",
      "example",      "examples",     "guide",        "implementation", "index",
      "installation", "intro",        "introduction", "notes",          "overview",
      "readme",       "reference",    "references",   "setup",          "summary",
      "test",         "tests",        "todo",         "usage"};
  return one_of(kKeys, term.key);
}

bool is_document_artifact(const Term& term) {
  constexpr std::array<std::string_view, 8> kKeys = {
      "bugfixes",    "callexamples",  "contenttype", "endfile", "mandatoryoutputlanguage",
      "newfeatures", "writtenbefore", "yyyymmdd"};
  constexpr std::array<std::string_view, 7> kLast = {
      "examples", "features", "reference", "references", "tasks", "todo", "usage"};
  return one_of(kKeys, term.key) || (term.words.size() >= 2 && one_of(kLast, term.words.back()));
}

bool has_file_extension(std::string_view text) {
  constexpr std::array<std::string_view, 34> kExtensions = {
      "c",   "cc",  "cfg",  "conf", "cpp",  "cs",  "css",  "csv",   "cxx", "env", "go",   "h",
      "hpp", "htm", "html", "ini",  "java", "js",  "json", "jsonl", "jsx", "kt",  "lock", "log",
      "md",  "py",  "rb",   "rs",   "sh",   "sql", "toml", "ts",    "tsx", "txt"};
  constexpr std::array<std::string_view, 3> kMore = {"xml", "yaml", "yml"};
  for (size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const auto end = std::ranges::find_if_not(
        text.begin() + static_cast<std::ptrdiff_t>(dot) + 1, text.end(),
        [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    const auto word = words_of({text.begin() + static_cast<std::ptrdiff_t>(dot) + 1, end});
    if (word.size() == 1 && (one_of(kExtensions, word[0]) || one_of(kMore, word[0]))) return true;
  }
  return false;
}

bool is_path_fragment(const Term& term) {
  constexpr std::array<std::string_view, 10> kFirst = {
      ".codex", ".github", ".worktrees",   "build", "dist",
      "docs",   "memory",  "node_modules", "src",   "tests"};
  const std::string_view text = term.text;
  if (text.starts_with("./") || text.starts_with("../") || text.starts_with('/') ||
      text.starts_with("~/") || text.find('\\') != std::string_view::npos)
    return true;
  const auto slashes = std::ranges::count(text, '/');
  if (slashes >= 2) return true;
  if (slashes == 1 && one_of(kFirst, text.substr(0, text.find('/')))) return true;
  return has_file_extension(text);
}

bool is_task_vocabulary(const Term& term) {
  constexpr std::array<std::string_view, 17> kKeys = {"currentfocus",
                                                      "currentpriority",
                                                      "nextaction",
                                                      "nextactions",
                                                      "nextstep",
                                                      "nextsteps",
                                                      "openquestion",
                                                      "openquestions",
                                                      "inprogress",
                                                      "workinprogress",
                                                      "scratchnote",
                                                      "scratchnotes",
                                                      "activeexecutionqueue",
                                                      "executionconstraints",
                                                      "currentpriorityorder",
                                                      "temporaryexecutionstate",
                                                      "temporarytaskvocabulary"};
  constexpr std::array<std::string_view, 6> kFirst = {"active", "current", "next",
                                                      "open",   "pending", "temporary"};
  constexpr std::array<std::string_view, 14> kLast = {
      "action",   "actions",   "focus", "item", "items", "order", "priority",
      "question", "questions", "state", "step", "steps", "task",  "tasks"};
  const auto& words = term.words;
  return one_of(kKeys, term.key) || (words.size() >= 2 && words.size() <= 4 &&
                                     one_of(kFirst, words.front()) && one_of(kLast, words.back()));
}

bool is_format_marker(const Term& term) {
  const auto letter = [&](size_t at) {
    const char c = term.text[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return term.text.size() == 5 && term.text[2] == '-' && letter(0) && letter(1) && letter(3) &&
         letter(4);
}

bool is_action_phrase(const Term& term) {
  constexpr std::array<std::string_view, 21> kVerbs = {
      "builds", "converts", "creates", "displays", "evaluates", "generates", "includes",
      "loads",  "manages",  "parses",  "provides", "queries",   "reads",     "returns",
      "runs",   "saves",    "stores",  "supports", "tracks",    "uses",      "writes"};
  return term.words.size() >= 2 && one_of(kVerbs, term.words.front());
}

bool is_shortcut(const Term& term) {
  constexpr std::array<std::string_view, 5> kKeys = {"alt", "cmd", "ctrl", "esc", "shift"};
  return std::ranges::any_of(term.words, [&](const auto& word) { return one_of(kKeys, word); });
}

bool is_too_long(const Term& term) { return count_code_points(term.text) > kMaxTermChars; }

bool is_weak(const Term& term) {
  const auto with_letters = std::ranges::count_if(term.words, [](const std::string& word) {
    return std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  });
  return with_letters < 2 && !has_ideograph(term.text);
}

struct NoiseRule {
  std::string_view reason;
  bool (*matches)(const Term&);
};

// The first that matches names the reason.
constexpr std::array<NoiseRule, 9> kNoiseRules = {{
    {"generic_term", is_generic},
    {"document_artifact", is_document_artifact},
    {"path_fragment", is_path_fragment},
    {"temporary_task_vocabulary", is_task_vocabulary},
    {"format_marker", is_format_marker},
    {"action_phrase", is_action_phrase},
    {"shortcut_marker", is_shortcut},
    {"too_long", is_too_long},
    {"weak_term", is_weak},
}};

}  // namespace

std::string_view skip_reason(std::string_view cleaned) {
  const Term term{.text = cleaned, .key = concept_key(cleaned), .words = words_of(cleaned)};
  for (const NoiseRule& rule : kNoiseRules) {
    if (rule.matches(term)) return rule.reason;
  }
  return {};
}

}  // namespace holdfast::service::substrate
