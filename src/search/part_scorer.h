// Scores single documents of one part from their token sequences: for neighbours, phrases and
// explanations. Gives the very score that the walk over the postings gives.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/explanation.h"
#include "search/plan.h"

namespace holdfast::search {

class PartScorer {
 public:
  // `part` is number `index` of the plan's view.
  PartScorer(const Plan& plan, const Part& part, uint32_t index);

  // For a caller that scores many documents, most of which have no term: these cost a look at a bit
  // from now on.
  void expect_many();
  double lexical(uint32_t doc);
  // Every phrase of the query is in it, and nothing that is excluded.
  bool passes_phrases(uint32_t doc) const;
  bool has_phrases() const { return !phrases_.empty() || !excluded_.empty(); }
  // The groups that the document matches which lexical() was last asked for, as bits.
  uint64_t groups() const { return groups_; }
  // `frequency`: the weighted one of all terms together, where it is known; else 0.
  // The fields that have a word of each group; good until the next call.
  std::span<const FieldSet> find_fields(uint32_t doc, uint32_t frequency);
  std::vector<Explanation::Term> explain_terms(uint32_t doc, uint32_t frequency);

 private:
  struct Wanted {
    uint32_t stem = 0;
    uint32_t alternative = 0;
  };

  // Calls use(field, alternative) for every token that is one of the query's, until `frequency` of
  // them, weighted, were seen; 0: for all.
  template <typename Use>
  void for_each_wanted(uint32_t doc, uint32_t frequency, Use&& use) const;
  void count(uint32_t doc);
  // Counts, also by field, and calls use(alternative, contribution) for the best alternative of
  // each group that matches, group by group.
  template <typename Use>
  void for_each_best(uint32_t doc, uint32_t frequency, Use&& use);
  bool has_phrase(const std::vector<uint32_t>& sequence, const std::vector<uint32_t>& phrase) const;
  std::vector<uint32_t> plain_sequence(uint32_t doc) const;

  const Plan& plan_;
  const Part& part_;
  std::vector<Wanted> wanted_;
  uint64_t wanted_bits_ = 0;  // a quick look whether a stem may be wanted
  std::vector<std::vector<uint32_t>> phrases_;
  std::vector<std::vector<uint32_t>> excluded_;
  bool impossible_ = false;   // a phrase has a word that no document here has
  std::vector<uint32_t> tf_;  // an alternative, of the document last counted
  uint64_t groups_ = 0;
  std::vector<std::array<uint32_t, kFieldCount>> field_tf_;  // the same by field
  std::vector<FieldSet> group_fields_;
  std::vector<uint64_t> with_term_;  // documents, as bits; empty: not known
};

// The sum that is the lexical score, always made in the same order: a group's best alternative,
// group by group.
double sum_groups(const Plan& plan, const std::vector<uint32_t>& tf, uint32_t length);

// The groups with a term that occurs, as bits.
uint64_t groups_of(const Plan& plan, const std::vector<uint32_t>& tf);

}  // namespace holdfast::search
