// What kind of thing a term names, and what that says for and against it.
#pragma once

#include <string_view>

#include "service/substrate/concept_candidates.h"

namespace holdfast::service::substrate {

struct CandidateType {
  std::string_view name;  // concept, procedure, decision, tool_library, implementation_detail
  std::string_view kind;  // of the knowledge it would become
};
CandidateType candidate_type_of(std::string_view title);

// Fills bonuses, penalties and score_adjustment from the type, the title and the scopes.
void weigh(ConceptCandidate& candidate);

double round3(double value);

}  // namespace holdfast::service::substrate
