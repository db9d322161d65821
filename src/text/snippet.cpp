#include "text/snippet.h"

#include <algorithm>

#include "text/analyzer.h"
#include "text/stemmer.h"

namespace holdfast::text {
namespace {

struct WordMatch {
  size_t begin = 0;
  size_t end = 0;
  size_t word = 0;  // which word of the query
};

std::vector<WordMatch> find_word_matches(std::string_view source, const ParsedQuery& query) {
  TokenList list;
  analyze(source, list);
  const bool skip_stop_words = query.has_content();
  std::vector<WordMatch> matches;
  for (const Token& token : list.tokens) {
    const std::string stemmed = stem(list.text(token));
    for (size_t i = 0; i < query.words.size(); ++i) {
      if (query.words[i].stem != stemmed || (skip_stop_words && query.words[i].stop_word)) continue;
      matches.push_back({token.source_begin, token.source_end, i});
    }
  }
  std::ranges::sort(matches, {},
                    [](const WordMatch& match) { return std::pair(match.begin, match.end); });
  return matches;
}

// The first match of the best window.
size_t best_window(const std::vector<WordMatch>& matches, size_t word_count, size_t max_bytes) {
  size_t best = 0;
  std::pair<size_t, size_t> best_value = {0, 0};
  std::vector<size_t> seen(word_count, 0);
  size_t distinct = 0;
  size_t end = 0;
  for (size_t first = 0; first < matches.size(); ++first) {
    while (end < matches.size() && matches[end].end <= matches[first].begin + max_bytes) {
      distinct += seen[matches[end].word]++ == 0 ? 1 : 0;
      ++end;
    }
    const std::pair<size_t, size_t> value = {distinct, end - first};
    if (value > best_value) {
      best_value = value;
      best = first;
    }
    if (end > first) {
      distinct -= --seen[matches[first].word] == 0 ? 1 : 0;
    } else {
      end = first + 1;  // a match wider than the window
    }
  }
  return best;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// A place to cut at or after `at` (at most 24 bytes on) that follows a blank, else the next code
// point.
size_t cut_forward(std::string_view source, size_t at) {
  if (at == 0) return 0;
  for (size_t i = at; i < std::min(source.size(), at + 24); ++i) {
    if (is_blank(source[i - 1]) && !is_continuation(source[i])) return i;
  }
  while (at < source.size() && is_continuation(source[at])) ++at;
  return at;
}

size_t cut_backward(std::string_view source, size_t at, size_t floor) {
  if (at >= source.size()) return source.size();
  for (size_t i = at; i > floor && at - i < 24; --i) {
    if (is_blank(source[i])) return i;
  }
  while (at > floor && is_continuation(source[at])) --at;
  return at;
}

}  // namespace

Snippet make_snippet(std::string_view source, const ParsedQuery& query, size_t max_bytes) {
  const std::vector<WordMatch> matches = find_word_matches(source, query);
  size_t begin = 0;
  if (!matches.empty() && source.size() > max_bytes) {
    const size_t first = best_window(matches, query.words.size(), max_bytes);
    size_t last = first;
    while (last + 1 < matches.size() && matches[last + 1].end <= matches[first].begin + max_bytes)
      ++last;
    // What room is left goes before and after the matches alike.
    const size_t used = matches[last].end - matches[first].begin;
    const size_t lead = used < max_bytes ? (max_bytes - used) / 2 : 0;
    begin = matches[first].begin > lead ? matches[first].begin - lead : 0;
    if (begin + max_bytes > source.size()) begin = source.size() - max_bytes;
    begin = std::min(cut_forward(source, begin), matches[first].begin);
  }
  const size_t end = cut_backward(source, std::min(source.size(), begin + max_bytes), begin);
  Snippet snippet{.text = std::string(source.substr(begin, end - begin)),
                  .source_begin = begin,
                  .cut_before = begin > 0,
                  .cut_after = end < source.size()};
  for (const WordMatch& match : matches) {
    if (match.begin < begin || match.end > end) continue;
    const Snippet::Range range{match.begin - begin, match.end - begin};
    if (!snippet.matches.empty() && snippet.matches.back().end > range.begin) {
      snippet.matches.back().end = std::max(snippet.matches.back().end, range.end);
    } else {
      snippet.matches.push_back(range);
    }
  }
  return snippet;
}

}  // namespace holdfast::text
