// What callers are shown.
#pragma once

#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/query_types.h"
#include "service/recall/queue_service.h"
#include "service/recall/source_service.h"

namespace holdfast::surface::recall {

Value ingest_value(const service::recall::ItemState& state);
Value processing_value(const service::recall::ItemState& state);
Value query_value(const service::recall::Run& run);
// How ranks by words and by vectors became one; null without vectors.
Value fusion_value(const service::recall::Run& run);
Value trace_value(const service::recall::Run& run);
Value expand_value(const service::recall::Expanded& expanded);
Value context_value(const service::recall::SourceContext& context);
Value flag_value(const service::recall::Flagged& flagged);
Value queue_value(const service::recall::QueueHealth& health);

// A memory as a line for a prompt.
std::string block_text(const service::recall::Candidate& candidate);
// lexical, vector, fused, or null for what was found by its kind alone.
Value retrieval_of(const service::recall::Candidate& candidate);
// The payload as it may be shown.
Value public_payload(const service::recall::Memory& memory);

using holdfast::or_null;
Value or_null(const std::optional<Timestamp>& at);

}  // namespace holdfast::surface::recall
