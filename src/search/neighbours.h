// Second look at the best documents: a turn of a conversation is judged together with the turns
// around it. Only turns that the viewer may see count, also for who is next to whom.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/scan.h"

namespace holdfast::search {

// How many of the best documents are looked at again.
inline constexpr size_t kNeighbourPool = 256;

struct NeighbourScore {
  double sum = 0;
  std::vector<Explanation::Neighbour> parts = {};
};

class NeighbourRanker {
 public:
  // All references must outlive the ranker. `filters` and `scorers` go with view.parts.
  NeighbourRanker(const SearchRequest& request, const Plan& plan, const View& view,
                  const std::vector<PartFilter>& filters, std::vector<PartScorer>& scorers)
      : request_(request), plan_(plan), view_(view), filters_(filters), scorers_(scorers) {}

  // Ranked anew, and turns next to them added where the query only asks for any of its words.
  std::vector<Ranked> rank(const std::vector<Ranked>& best);
  // What the surroundings added to a document that rank() returned.
  NeighbourScore explain(const Ranked& ranked) { return score(ranked.part, ranked.doc); }

 private:
  struct Turn {
    int64_t at = 0;
    ObjectNumber number = 0;
    uint32_t part = 0;
    uint32_t doc = 0;
    int distance = 0;
  };
  struct Best {
    double lexical = 0;
    ObjectNumber number = 0;
  };

  std::vector<Turn> around(uint32_t part, uint32_t doc);
  void collect(uint32_t part, const Turn& centre, uint32_t conversation, int direction,
               std::vector<Turn>& out) const;
  const std::vector<std::optional<uint32_t>>& conversation_ids(std::string_view conversation);
  double lexical(uint32_t part, uint32_t doc);
  NeighbourScore score(uint32_t part, uint32_t doc);
  static uint64_t key(uint32_t part, uint32_t doc) { return uint64_t{part} << 32 | doc; }

  const SearchRequest& request_;
  const Plan& plan_;
  const View& view_;
  const std::vector<PartFilter>& filters_;
  std::vector<PartScorer>& scorers_;
  std::map<std::string, std::vector<std::optional<uint32_t>>, std::less<>>
      ids_;                                        // of a conversation in each part
  std::map<std::string, Best, std::less<>> best_;  // of each conversation
  std::unordered_map<uint64_t, double> lexical_;
};

}  // namespace holdfast::search
