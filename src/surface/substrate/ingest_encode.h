// The answers of memory_ingest.
#pragma once

#include "model/value.h"
#include "service/substrate/ingest_service.h"

namespace holdfast::surface::substrate {

Value encode(const service::substrate::DocumentIngestResponse& response);
Value encode(const service::substrate::RepoIngestResponse& response);

}  // namespace holdfast::surface::substrate
