// Terms of any text: cleaning is stable, keys are what they are of the cleaned term.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "service/substrate/concept_candidates.h"
#include "service/substrate/concept_terms.h"

using namespace holdfast::service::substrate;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const auto& term : extract_terms(text)) {
    const std::string cleaned = clean_term(term);
    HOLDFAST_ASSERT(clean_term(cleaned) == cleaned);
    skip_reason(cleaned);
  }
  ConceptDiscovery discovery;
  discovery.add_segment(
      {.source_id = "s", .segment_id = "1", .excerpt = text, .heading_path = {"x", text}});
  const auto report = discovery.report({.limit = 5});
  HOLDFAST_ASSERT(report.candidates.size() <= 5);
  return 0;
}
