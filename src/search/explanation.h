// Why a hit has its score. The parts add up to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/object.h"
#include "search/fields.h"

namespace holdfast::search {

struct Explanation {
  struct FieldMatch {
    Field field = Field::kBody;
    uint32_t frequency = 0;
  };
  struct Term {
    std::string text = {};  // as in the query
    std::string stem = {};  // as looked up
    std::vector<FieldMatch> fields = {};
    uint32_t weighted_frequency = 0;
    int64_t documents = 0;  // that the viewer may see and that have it
    double idf = 0;
    double weight = 1;
    double contribution = 0;
  };
  struct Neighbour {
    ObjectNumber number = 0;
    int distance = 0;    // -2, -1, 1, 2 in the conversation; 0: the conversation's best turn
    double lexical = 0;  // its own score
    double contribution = 0;
  };
  struct StreamRank {
    std::string stream = {};  // lexical, vector
    size_t rank = 0;          // from 1
    double contribution = 0;
  };

  std::vector<Term> terms = {};
  uint32_t length = 0;  // weighted, of the document
  double lexical = 0;   // the sum of the terms' contributions
  double recency = 0;
  double speaker = 0;
  std::vector<Neighbour> neighbours = {};
  double neighbour_sum = 0;
  std::vector<std::string> filters = {};  // that the hit passed
  std::vector<StreamRank> ranks =
      {};  // where streams were fused, their contributions are the score
};

}  // namespace holdfast::search
