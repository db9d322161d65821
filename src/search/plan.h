// A request made ready: the terms to look up with their weights, and the statistics of what the
// viewer may see. Lives as long as one query, under the space's mutex.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "search/part_filter.h"
#include "search/request.h"

namespace holdfast::search {

// The parts of a space at one moment, with what is known across them. Everything is owned by the
// space.
struct View {
  std::vector<const Part*> parts = {};
  const Tables* tables = nullptr;
};

inline constexpr uint32_t kNoStem = UINT32_MAX;

struct Plan {
  // One thing that the query asks for.
  struct Group {
    std::string name = {};  // as in the query
    bool required = false;
    bool counts = true;  // for minimum_groups; a whole identifier beside its parts does not
  };
  // One way to say it, looked up as a stem.
  struct Alternative {
    std::string text = {};
    std::string stem = {};
    uint32_t group = 0;
    double weight = 1;
    int64_t documents = 0;  // visible ones that have it; never 0
    double idf = 0;
    double factor = 0;                 // weight * idf * (k1 + 1)
    std::vector<uint32_t> stems = {};  // its number in each part of the view, or kNoStem
  };
  using Phrase = std::vector<std::string>;  // stems

  std::vector<Group> groups = {};
  std::vector<Alternative> alternatives = {};
  std::vector<Phrase> phrases = {};
  std::vector<Phrase> excluded = {};
  std::vector<std::string> names = {};  // every word of the query, folded: does it name a speaker?
  size_t minimum_groups = 1;
  bool impossible = false;  // something required occurs nowhere
  int64_t documents = 0;
  double average_length = 0;

  // BM25's length part: norm(length) = norm_constant + norm_slope * length.
  double norm_constant = 0;
  double norm_slope = 0;

  double contribution(const Alternative& alternative, uint32_t tf, uint32_t length) const {
    const auto frequency = static_cast<double>(tf);
    return alternative.factor * frequency /
           (frequency + norm_constant + norm_slope * static_cast<double>(length));
  }
  // True if a document must match in more ways than having one of the terms.
  bool is_strict() const;
};

inline constexpr double kK1 = 1.2;
inline constexpr double kB = 0.75;

Plan make_plan(const SearchRequest& request, const View& view, const VisibleLabels& visible);

}  // namespace holdfast::search
