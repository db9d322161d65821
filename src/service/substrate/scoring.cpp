#include "service/substrate/scoring.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

bool has(const std::string& haystack, const std::string& term) {
  return haystack.find(term) != std::string::npos;
}

// Where a term was found.
struct Found {
  bool is_title = false;
  bool in_title = false;
  bool in_summary = false;
  bool in_metadata = false;
  bool in_payload = false;
  bool in_segments = false;

  int64_t score() const {
    return (is_title ? 100 : 0) + (in_title ? 20 : 0) + (in_summary ? 10 : 0) +
           (in_metadata ? 8 : 0) + (in_payload ? 5 : 0) + (in_segments ? 3 : 0);
  }
};

template <typename Find>
LexicalScore best_of(const std::vector<std::string>& terms, Find&& find) {
  LexicalScore out;
  for (const std::string& term : terms) {
    const int64_t score = find(term).score();
    if (score > 0) out.matched.push_back(term);
    out.score = std::max(out.score, score);
  }
  return out;
}

// Looks through a document as it is written.
class OutlineSearch {
 public:
  explicit OutlineSearch(const Outline& outline)
      : outline_(outline), plain_payload_(plain_payload_of(outline)) {}

  Found find(const std::string& term) {
    // With these a term can begin in one piece of JSON and end in another.
    const bool is_inside_of_pieces = term.find_first_of("{}[],\"\\") == std::string::npos;
    const bool is_payload_plain = outline_.payload().empty() || !plain_payload_.empty();
    if (is_inside_of_pieces && is_payload_plain && outline_.is_ascii() && outline_.is_as_written())
      return find_in_whole(term);
    Found found = find_in_pieces(term);
    found.in_payload = is_inside_of_pieces && is_payload_plain ? has(plain_payload_, term)
                                                               : sorted_payload_has(term);
    return found;
  }

 private:
  // Most documents have a term once or twice: they are looked through as a whole, and then it is
  // found out what is there.
  Found find_in_whole(std::string_view term) const {
    const std::string_view whole = outline_.body();
    const std::string_view title = outline_.title();
    const std::string_view summary = outline_.summary();
    Found found{.in_metadata = has(type_name(outline_.type()), term)};
    for (size_t at = find_in_lower_ascii(whole, term); at != std::string_view::npos;
         at = find_in_lower_ascii(whole, term, at + 1)) {
      const char* const place = whole.data() + at;
      const auto is_in = [&](std::string_view piece) {
        return place >= piece.data() && place + term.size() <= piece.data() + piece.size();
      };
      if (is_in(summary)) {
        found.in_summary = true;
      } else if (is_in(plain_payload_)) {
        found.in_payload = true;
      } else {
        found.in_title = found.in_title || is_in(title);
        found.in_metadata = found.in_metadata || is_in_metadata(is_in, term);
      }
    }
    found.is_title = found.in_title && term.size() == title.size();
    return found;
  }

  template <typename IsIn>
  bool is_in_metadata(const IsIn& is_in, std::string_view term) const {
    bool any = is_in(outline_.json("evidence_refs")) && evidence_has(term);
    each_named_word(outline_, [&](std::string_view word) { any = any || is_in(word); });
    return any;
  }

  Found find_in_pieces(std::string_view term) const {
    const std::string_view title = outline_.title();
    Found found{.in_title = has(title, term),
                .in_summary = has(outline_.summary(), term),
                .in_metadata = evidence_has(term)};
    found.is_title = found.in_title && lower(title) == term;
    each_named_word(outline_, [&](std::string_view word) {
      found.in_metadata = found.in_metadata || has(word, term);
    });
    return found;
  }

  bool evidence_has(std::string_view term) const {
    bool any = false;
    each_evidence_word(outline_, [&](std::string_view word) { any = any || has(word, term); });
    return any;
  }

  bool has(std::string_view piece, std::string_view term) const {
    if (is_ascii(piece)) return find_in_lower_ascii(piece, term) != std::string_view::npos;
    return lower(piece).find(term) != std::string::npos;
  }

  bool sorted_payload_has(const std::string& term) {
    if (!sorted_payload_) sorted_payload_ = payload_of(outline_);
    return substrate::has(*sorted_payload_, term);
  }

  const Outline& outline_;
  const std::string_view plain_payload_;
  std::optional<std::string> sorted_payload_;
};

}  // namespace

LexicalScore lexical_score(const Haystacks& haystacks, const std::vector<std::string>& terms) {
  return best_of(terms, [&](const std::string& term) {
    return Found{.is_title = haystacks.title == term,
                 .in_title = has(haystacks.title, term),
                 .in_summary = has(haystacks.summary, term),
                 .in_metadata = has(haystacks.metadata, term),
                 .in_payload = has(haystacks.payload, term),
                 .in_segments = has(haystacks.segments, term)};
  });
}

LexicalScore lexical_score(const Outline& outline, const std::vector<std::string>& terms) {
  OutlineSearch search(outline);
  return best_of(terms, [&](const std::string& term) { return search.find(term); });
}

int64_t context_score(const DocumentView& view, const std::vector<std::string>& terms) {
  const std::string title = lower(view.title());
  const std::string summary = lower(view.summary());
  const std::string words =
      lower(std::string(view.kind()) + " " + std::string(type_name(view.type())));
  int64_t score = 0;
  for (const std::string& term : terms) {
    score += (has(title, term) ? 3 : 0) + (has(summary, term) ? 1 : 0) + (has(words, term) ? 1 : 0);
  }
  return score;
}

}  // namespace holdfast::service::substrate
