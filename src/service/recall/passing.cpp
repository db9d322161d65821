#include "service/recall/passing.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

// Words between a number and what it counts: "12 idle worker processes".
constexpr size_t kMostBetween = 2;

bool is_figure(char c) { return c >= '0' && c <= '9'; }
bool is_number(std::string_view word) { return std::ranges::all_of(word, is_figure); }
bool is_commit(std::string_view word) {
  const auto hex = [](char c) { return is_figure(c) || (c >= 'a' && c <= 'f'); };
  return word.size() >= 7 && std::ranges::all_of(word, hex) && std::ranges::any_of(word, is_figure);
}

template <size_t N>
bool is_any_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

bool has_word(const std::vector<Word>& words, std::string_view wanted) {
  return std::ranges::find(words, wanted, &Word::text) != words.end();
}

// "350MB" is one word, "350 MB" two.
bool is_size(const std::vector<Word>& words, size_t at) {
  static constexpr std::array<std::string_view, 6> kUnits = {"mb",  "gb",        "mib",
                                                             "gib", "megabytes", "gigabytes"};
  const std::string_view word = words[at].text;
  const std::string_view unit =
      word.substr(std::min(word.find_first_not_of("0123456789"), word.size()));
  if (!is_any_of(unit, kUnits)) return false;
  return unit.size() < word.size() || (at > 0 && is_number(words[at - 1].text));
}

bool is_port(const std::string& folded, const std::vector<Word>& words, std::string_view word) {
  if (!is_number(word) || word.size() < 4 || word.size() > 5) return false;
  return has_word(words, "port") || has_word(words, "ports") ||
         folded.find(":" + std::string(word)) != std::string::npos;
}

bool counts_processes(const std::vector<Word>& words, size_t at) {
  if (words[at].text == "process") {
    const bool counted = at + 1 < words.size() && words[at + 1].text == "count";
    return counted || (at > 0 && words[at - 1].text == "1");
  }
  if (words[at].text != "processes") return false;
  const size_t first = at - std::min(at, kMostBetween + 1);
  const bool after = at >= 2 && words[at - 1].text == "of" && words[at - 2].text == "number";
  return after || std::ranges::any_of(words.begin() + static_cast<std::ptrdiff_t>(first),
                                      words.begin() + static_cast<std::ptrdiff_t>(at),
                                      [](const Word& word) { return is_number(word.text); });
}

bool is_share_of_processor(const std::string& folded, const std::vector<Word>& words) {
  if (!has_word(words, "cpu") && !has_word(words, "cpus")) return false;
  if (has_word(words, "percent")) return true;
  const size_t sign = folded.find('%');
  if (sign == std::string::npos) return false;
  const size_t before = folded.find_last_not_of(' ', sign == 0 ? 0 : sign - 1);
  return before != std::string::npos && is_figure(folded[before]);
}

}  // namespace

bool is_passing(const std::string& said) {
  static constexpr std::array<std::string_view, 3> kSigns = {"uptime", "pid", "pids"};
  const std::string folded = fold_case(said);
  const std::vector<Word> words = words_of(said);
  for (size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at].text;
    const bool tests = at > 0 && words[at - 1].text == "tests" && word.starts_with("pass");
    if (tests || is_any_of(word, kSigns) || is_commit(word) || is_size(words, at) ||
        is_port(folded, words, word) || counts_processes(words, at))
      return true;
  }
  return is_share_of_processor(folded, words);
}

}  // namespace holdfast::service::recall
