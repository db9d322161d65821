// The rules of new knowledge: what becomes of its status, which evidence it has, what it repeats or
// contradicts. Everything is decided inside the write, on the state it changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "service/substrate/claim.h"
#include "service/substrate/remember_service.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// kInvalidArgument with the contract's sentence for a blank reason, and for active knowledge that
// nobody stands for.
Status check_reason(const std::string& reason);
Status check_active(const RememberKnowledge& request, std::string_view status);

// candidate unless said otherwise; what an agent inferred is never active.
std::string governed_status(const RememberKnowledge& request);
// The word, if status or lifecycle state say that it is not meant to last.
std::optional<std::string> temporary_word(const RememberKnowledge& request);

// The first reference that names no stored segment, or another than it says, refuses the call.
Status check_evidence(storage::ReadTxn& txn, const access::SpaceAccess& access,
                      const std::vector<EvidenceRef>& refs);

// What a declaration itself is evidence of: a source of one segment. Nothing where the caller gave
// evidence, or none is to be made.
struct GeneratedSource {
  Source source = {};
  EvidenceRef ref = {};
  std::string provenance = {};
};
std::optional<GeneratedSource> generate_source(const RememberKnowledge& request);

// Ids of knowledge that overlaps in scope; both sorted.
struct ClaimNeighbours {
  std::vector<std::string> duplicates = {};
  std::vector<std::string> conflicts = {};
};
Result<ClaimNeighbours> claim_neighbours(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                         const Claim& claim,
                                         const std::vector<std::string>& scopes);

}  // namespace holdfast::service::substrate
