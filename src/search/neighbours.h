// Second look at the best documents: a turn of a conversation is judged together with the turns
// around it. Only turns that the viewer may see count, also for who is next to whom.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "search/flat_table.h"
#include "search/scan.h"

namespace holdfast::search {

// How many of the best documents are looked at again, at least. On LoCoMo 40 give what 256 do
// (bench/locomo_benchmark.cpp); each costs about as much as a hit.
inline constexpr size_t kNeighbourPool = 40;
// ... and at most, for pages far down.
inline constexpr size_t kLargestPool = 4096;

struct NeighbourScore {
  double sum = 0;
  std::vector<Explanation::Neighbour> parts = {};
};

class NeighbourRanker {
 public:
  // All references must outlive the ranker. `filters` and `scorers` go with view.parts.
  // `pool`: about how many documents rank() will be given.
  NeighbourRanker(const SearchRequest& request, const Plan& plan, const View& view,
                  const std::vector<PartFilter>& filters, std::vector<PartScorer>& scorers,
                  size_t pool);

  // Judged anew, and turns next to them added where the query only asks for any of its words; in no
  // order. Once.
  std::vector<Ranked> rank(const std::vector<Ranked>& best);
  // What the surroundings added to a document that rank() returned.
  NeighbourScore explain(const Ranked& ranked);

 private:
  struct Turn {
    int64_t at = 0;
    ObjectNumber number = 0;
    uint32_t part = 0;
    uint32_t doc = 0;
  };
  // A stretch of a conversation, in its order.
  struct Window {
    std::vector<Turn> turns = {};
    size_t centre = 0;
  };
  struct Conversation {
    std::vector<std::optional<uint32_t>> ids = {};  // in each part
    double best_lexical = 0;
    ObjectNumber best = 0;
  };

  // What is known of a document so far.
  struct Known {
    bool scored = false;
    bool judged = false;
    double lexical = 0;
    uint64_t groups = 0;
  };

  // The columns of these lie anywhere in memory; asked for at once, they come side by side.
  void fetch(const std::vector<Ranked>& best) const;
  Conversation* conversation_of(uint32_t part, uint32_t doc);
  // The turn with up to `reach` visible ones before and after it. Good until the next call.
  const Window& around(uint32_t part, uint32_t doc, const Conversation& conversation, size_t reach);
  void collect(uint32_t part, uint32_t conversation, const Turn& centre, size_t reach);
  void judge(const Window& window, const Conversation& conversation, size_t place, double own,
             std::vector<Ranked>& out);
  // The score of a turn that was not among the best, by itself.
  double own_score(const Turn& turn);
  const Known& known(const Turn& turn);  // scored; good until the next call
  NeighbourScore score(const Window& window, const Conversation& conversation, size_t place,
                       bool with_parts);
  static uint64_t key(uint32_t part, uint32_t id) { return uint64_t{part} << 32 | id; }

  const SearchRequest& request_;
  const Plan& plan_;
  const View& view_;
  const std::vector<PartFilter>& filters_;
  std::vector<PartScorer>& scorers_;
  std::vector<Boosts> boosts_;  // of each part
  std::deque<Conversation> conversations_;
  FlatTable<Conversation*> conversation_by_id_;  // by the keys of a part and its number there
  FlatTable<Known> known_;                       // by the keys of a part and a document
  // Of around(), kept for the next call.
  std::vector<Turn> before_;
  std::vector<Turn> after_;
  Window window_;
};

}  // namespace holdfast::search
