// What can be asked of the index, and what it answers. Every call is made with a SpaceAccess:
// documents that its viewer may not see are absent from hits, counts and statistics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/object.h"
#include "search/explanation.h"
#include "search/filter.h"

namespace holdfast::search {

// A term that a surface brings with it, analysed as a document's text is. The alternatives are ways
// to say one thing (a word and its plural): a document is scored by the best of them and matches
// the term once.
struct PreparedTerm {
  struct Alternative {
    std::string text = {};
    double weight = 1.0;
    bool prefix = false;  // also every word that begins so; at most 64 of them, the most frequent
    // Also every word that has it inside, likewise. Looks at every distinct word there is, so it is
    // left out where there are more than SearchRequest::max_infix_words of them.
    bool infix = false;
  };
  std::vector<Alternative> alternatives = {};
  bool required = false;

  static PreparedTerm of(std::string text) { return {.alternatives = {{.text = std::move(text)}}}; }
};

enum class MatchMode : uint8_t {
  kAny,      // at least one term
  kAll,      // every term (the parts of an identifier, not the whole)
  kMinimum,  // at least SearchRequest::minimum_terms of them
};

// How much the surroundings of a turn in its conversation count. A share of zero switches that part
// off.
struct NeighbourWeights {
  double adjacent = 0.5;      // of the score of each turn next to it
  double second = 0.25;       // ... and of each two away
  double conversation = 0.3;  // of the best score in the conversation
};

// Newer documents first, gently: the score grows by the share `weight` for a document of now, half
// of it after `half_life`, and so on.
struct Recency {
  double weight = 0.0;
  std::chrono::seconds half_life = std::chrono::hours(24 * 30);
  Timestamp now = {};
};

// How a stream of lexical hits and one of near vectors become one: reciprocal ranks, weight / (k +
// rank), added up.
struct Fusion {
  double k = 60;
  double lexical_weight = 1;
  double vector_weight = 1;
  double minimum_similarity = 0;  // cosine below which a vector is no candidate
};

// Reorders the hits of a search by where their words are: a hit is worth what the fields that have
// its best term are worth together, and the first `wanted` are those of most worth. Documents are
// looked into only as far as that takes, and the hits tell number, score and worth alone.
struct FieldOrder {
  std::array<int64_t, kFieldCount> worth = {};
  size_t wanted = 10;
};

// Where a page of a search ended: the next one begins strictly after it.
struct SearchPosition {
  double score = 0;
  ObjectNumber number = 0;
};

struct SearchRequest {
  std::string query = {};  // as typed: words, "phrases", -excluded (text/query.h)
  bool plain = false;      // the query has no syntax: quotes and minus signs mean nothing
  std::vector<PreparedTerm> terms = {};  // beside or instead of `query`
  size_t max_infix_words = SIZE_MAX;
  size_t max_expansions = 64;  // words that a beginning or a part stands for, the commonest first
  MatchMode match = MatchMode::kAny;
  size_t minimum_terms = 1;
  Filter filter = {};

  size_t limit = 10;  // 1 to kMaxLimit
  size_t offset = 0;  // offset + limit at most kMaxWindow
  std::optional<SearchPosition> after =
      std::nullopt;          // in place of offset, for paging while others write
  bool exact_total = false;  // count every match; costs a visit of each

  bool neighbours = false;  // score turns together with their surroundings
  NeighbourWeights neighbour_weights = {};
  double speaker_boost = 0.0;  // share added when the query names the speaker
  Recency recency = {};
  // The query as a vector; used if the index keeps vectors. Scores are those of the fusion then,
  // `after` does not work and `total` counts what was fused.
  std::vector<float> vector = {};
  Fusion fusion = {};
  std::optional<FieldOrder> field_order = std::nullopt;
  bool explain = false;
};

// A good value for speaker_boost where turns have speakers (bench/locomo_benchmark.cpp).
inline constexpr double kSpeakerBoost = 0.4;

inline constexpr size_t kMaxLimit = 1000;
inline constexpr size_t kMaxWindow = 10'000;

struct Hit {
  ObjectNumber number = 0;
  std::string kind = {};
  double score = 0;
  std::vector<std::string> matched =
      {};             // the query's words (or the first alternative of prepared terms), in order
  int64_t worth = 0;  // with a FieldOrder: exact for the first ones, otherwise at most this
  std::optional<double> similarity = std::nullopt;  // cosine, where the vector stream found it
  std::optional<Explanation> explanation = std::nullopt;
};

// How many documents the viewer may see have a word of the query.
struct TermCount {
  std::string stem = {};
  int64_t documents = 0;
};

struct SearchResponse {
  std::vector<Hit> hits = {};  // by score, then newer number first
  size_t total = 0;            // matches; at least this many unless exact
  bool total_is_exact = false;
  int64_t documents = 0;  // searchable ones the viewer may see: BM25's N
  double average_length = 0;
  std::vector<TermCount> terms = {};  // those that occur at all
};

// A list has no query: it filters and sorts, and its total is always exact.
struct SortKey {
  enum class By : uint8_t { kNumber, kTime, kNumberFacet, kTextFacet, kCounter };
  By by = By::kTime;
  // Or a counter's name (counters.h). An object without it counts as 0 or an empty text; the least
  // of several.
  std::string facet = {};
  bool descending = true;
  // For text facets that hold an id. An object without it has one that was made with it: it counts
  // as this and then the beginning of the ULIDs of its time.
  std::optional<std::string> or_ulid_behind = std::nullopt;
};

// The values of the sort keys of the last object of a page, then its number.
struct ListPosition {
  struct Key {
    int64_t number = 0;
    std::string text = {};
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys = {};
  ObjectNumber number = 0;
};

struct ListRequest {
  Filter filter = {};
  std::vector<SortKey> sort = {{}};  // ties go by number, in the direction of the first key
  size_t limit = 25;                 // 0 to kMaxLimit; 0 only counts
  size_t offset = 0;
  std::optional<ListPosition> after = std::nullopt;
};

struct ListEntryHit {
  ObjectNumber number = 0;
  std::string kind = {};
  ListPosition position = {};  // pass as `after` to go on behind this one
};

struct ListResponse {
  std::vector<ListEntryHit> hits = {};
  size_t total = 0;  // all that pass the filter, whatever `after`, `offset` and `limit` are
  bool has_more = false;
};

// All that pass a filter, in no order.
struct NumberList {
  std::vector<ObjectNumber> numbers = {};
  ObjectNumber until = 0;  // the newest object of the space at that time, whether it passes or not
};

struct KindCount {
  std::string kind = {};
  int64_t documents = 0;
  bool operator==(const KindCount&) const = default;
};

}  // namespace holdfast::search
