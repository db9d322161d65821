// The stretch of a text that shows best why it matched, with the matches as ranges.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/query.h"

namespace holdfast::text {

struct Snippet {
  struct Range {
    size_t begin = 0;  // bytes in `text`
    size_t end = 0;
    bool operator==(const Range&) const = default;
  };

  std::string text = {};  // a piece of the source, byte for byte, cut between words and code points
  size_t source_begin = 0;          // where it begins in the source
  std::vector<Range> matches = {};  // in order, not overlapping
  bool cut_before = false;          // something was left out at that end
  bool cut_after = false;
};

// The window of at most `max_bytes` with the most different words of the query (then the most
// matches, then the earliest). Without a match: the beginning of the text. Cost is that of
// analysing the text once.
Snippet make_snippet(std::string_view source, const ParsedQuery& query, size_t max_bytes);

}  // namespace holdfast::text
