// What is added to a document's lexical score besides its words.
#pragma once

#include <cstdint>
#include <vector>

#include "search/plan.h"

namespace holdfast::search {

// What recency and the speaker add to a lexical score, as a share of it.
class Boosts {
 public:
  Boosts(const SearchRequest& request, const Plan& plan, const Part& part);

  bool none() const { return !recency_ && !speaker_; }
  double most() const {
    return (recency_ ? request_.recency.weight : 0) + (speaker_ ? request_.speaker_boost : 0);
  }
  double recency(uint32_t doc) const;
  double speaker(uint32_t doc);

 private:
  bool is_named(uint32_t speaker);
  bool may_name_one();

  const SearchRequest& request_;
  const Plan& plan_;
  const Part& part_;
  bool recency_;
  bool speaker_;
  std::vector<uint8_t> named_;  // a speaker: 0 not yet known, 1 no, 2 yes
};

}  // namespace holdfast::search
