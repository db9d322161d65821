#include "service/recall/cue_matcher.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/recall/cues.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostStarWords = 8;

bool is_edge(unsigned char c) {
  return std::string_view(".,;:!?\"()[]{}<>*").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string plain_apostrophes(std::string_view text) {
  constexpr std::string_view kCurly = "’";
  std::string out;
  while (!text.empty()) {
    const bool curly = text.starts_with(kCurly);
    out += curly ? '\'' : text.front();
    text.remove_prefix(curly ? kCurly.size() : 1);
  }
  return out;
}

// Where an alternative (words joined by _) ends, or nothing.
std::optional<size_t> match_words(std::string_view alternative,
                                  const std::vector<WrittenWord>& words, size_t at) {
  while (!alternative.empty()) {
    const size_t joint = std::min(alternative.find('_'), alternative.size());
    const std::string_view wanted = alternative.substr(0, joint);
    alternative.remove_prefix(std::min(joint + 1, alternative.size()));
    if (at >= words.size()) return std::nullopt;
    const bool fits = wanted.starts_with('%') ? words[at].text.ends_with(wanted.substr(1))
                                              : words[at].text == wanted;
    if (!fits) return std::nullopt;
    ++at;
  }
  return at;
}

bool match_rest(std::string_view pattern, const std::vector<WrittenWord>& words, size_t at,
                Span& span) {
  if (pattern.empty()) return span.last = at, true;
  const size_t blank = std::min(pattern.find(' '), pattern.size());
  std::string_view element = pattern.substr(0, blank);
  const std::string_view rest = pattern.substr(std::min(blank + 1, pattern.size()));
  if (element == "*") {
    for (size_t end = at + 1; end <= std::min(words.size(), at + kMostStarWords); ++end) {
      span.stars.emplace_back(at, end);
      if (match_rest(rest, words, end, span)) return true;
      span.stars.pop_back();
    }
    return false;
  }
  const bool optional = element.ends_with('?');
  if (optional) element.remove_suffix(1);
  while (!element.empty()) {
    const size_t bar = std::min(element.find('|'), element.size());
    const auto end = match_words(element.substr(0, bar), words, at);
    if (end && match_rest(rest, words, *end, span)) return true;
    element.remove_prefix(std::min(bar + 1, element.size()));
  }
  return optional && match_rest(rest, words, at, span);
}

}  // namespace

std::vector<WrittenWord> written_words(std::string_view sentence) {
  std::vector<WrittenWord> out;
  bool pause = false;
  for (size_t at = 0; at < sentence.size();) {
    const size_t begin = sentence.find_first_not_of(" \t\n\r", at);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(sentence.find_first_of(" \t\n\r", begin), sentence.size());
    at = end;
    size_t first = begin;
    size_t last = end;
    while (first < last && is_edge(static_cast<unsigned char>(sentence[first]))) ++first;
    while (last > first && is_edge(static_cast<unsigned char>(sentence[last - 1]))) --last;
    if (first < last) {
      out.push_back({.text = plain_apostrophes(fold_case(sentence.substr(first, last - first))),
                     .begin = first,
                     .end = last,
                     .pause_before = pause});
    }
    pause = sentence[end - 1] == ',' || sentence[end - 1] == ';';
  }
  return out;
}

std::optional<Span> match_at(std::string_view pattern, const std::vector<WrittenWord>& words,
                             size_t at) {
  Span span{.first = at};
  if (!match_rest(pattern, words, at, span)) return std::nullopt;
  return span;
}

std::optional<Span> find_pattern(std::string_view pattern, const std::vector<WrittenWord>& words) {
  for (size_t at = 0; at < words.size(); ++at) {
    if (auto span = match_at(pattern, words, at)) return span;
  }
  return std::nullopt;
}

bool is_hedged(const std::vector<WrittenWord>& words, size_t before) {
  static constexpr std::array<std::string_view, 6> kBeforeMonths = {"in",   "since", "until",
                                                                    "last", "next",  "of"};
  for (size_t at = 0; at < words.size() && at < before; ++at) {
    const auto begins = [&](std::string_view cue) { return match_at(cue, words, at).has_value(); };
    if (!std::ranges::any_of(kHedges, begins)) continue;
    const bool dated =
        (at > 0 && std::ranges::find(kBeforeMonths, words[at - 1].text) != kBeforeMonths.end()) ||
        (at + 1 < words.size() && words[at + 1].text.front() >= '0' &&
         words[at + 1].text.front() <= '9');
    if (words[at].text != "may" || !dated) return true;
  }
  return false;
}

std::optional<std::string> body_after(std::string_view sentence, std::string_view label) {
  const size_t colon = sentence.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view head = trim_space(sentence.substr(0, colon));
  // A label alone may be marked: **Decision:** body, __Decision__: body.
  constexpr std::string_view kMarks = "*_`";
  const std::string_view marks =
      head.substr(0, std::min(head.find_first_not_of(kMarks), head.size()));
  head.remove_prefix(marks.size());
  if (head.ends_with(marks)) head.remove_suffix(marks.size());
  if (fold_case(trim_space(head)) != label) return std::nullopt;
  std::string_view body = trim_space(sentence.substr(colon + 1));
  if (body.starts_with(marks)) body.remove_prefix(marks.size());
  return std::string(trim_space(body));
}

}  // namespace holdfast::service::recall
