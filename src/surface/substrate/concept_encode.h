// Concept candidates as they are published: short with an ingest, whole in a maintenance report.
#pragma once

#include <cstddef>

#include "model/value.h"
#include "service/substrate/concept_candidates.h"

namespace holdfast::surface::substrate {

// Without the skeleton of a write: cheap enough for every ingest.
Value encode_compact(const service::substrate::ConceptCandidate& candidate);
// With suggested_memory.input_data, which memory_remember takes as it is.
Value encode_full(const service::substrate::ConceptCandidate& candidate);

// `limit` cuts the lists `skipped` and `noise_classes`.
Value encode(const service::substrate::CandidateDiagnostics& diagnostics, size_t limit);

}  // namespace holdfast::surface::substrate
