// Knowledge without a structured claim is compared by its words. The result is advice: nothing is
// refused or merged because of it.
#pragma once

#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "search/index.h"
#include "service/substrate/objects.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {

inline constexpr double kSoftDuplicateScore = 0.5;

// What of a piece of knowledge is compared.
struct SoftText {
  std::string id = {};
  std::string kind = {};
  std::string title = {};
  std::string status = {};
  std::vector<std::string> title_tokens = {};  // sorted, each once
  std::vector<std::string> summary_tokens = {};
  std::vector<std::string> subjects = {};
  std::vector<std::string> evidence = {};  // source#segment
  std::vector<std::string> scopes = {};
};
SoftText soft_text_of(const Knowledge& knowledge);
// True if it may be compared at all: no claim, not contested, superseded or archived.
bool is_soft_comparable(const Knowledge& knowledge);

struct SoftMatch {
  double score = 0;  // three decimals
  std::vector<std::string> reasons = {};
};
// Scores below kSoftDuplicateScore are no duplicates. Scopes are the caller's to compare.
SoftMatch compare(const SoftText& a, const SoftText& b);

struct PossibleDuplicate {
  std::string object_id = {};
  double score = 0;
  std::vector<std::string> reasons = {};
  std::string title = {};
  std::string kind = {};
  std::string status = {};
};
// At most five, best first; found through the index by shared words.
Result<std::vector<PossibleDuplicate>> possible_duplicates(storage::ReadTxn& txn,
                                                           const access::SpaceAccess& access,
                                                           const search::Index& index,
                                                           const SoftText& fresh);

struct SoftPair {
  std::string first = {};  // in the order of ids
  std::string second = {};
  SoftMatch match = {};
};
// All pairs among these, best first, then by ids. Pairs that share no word rare enough to reach the
// score are never looked at; the result is that of comparing all.
std::vector<SoftPair> soft_pairs(const std::vector<SoftText>& texts);

}  // namespace holdfast::service::substrate
