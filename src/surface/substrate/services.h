// What the tools of this surface call.
#pragma once

#include "service/substrate/ingest_service.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/query_service.h"
#include "service/substrate/remember_service.h"
#include "service/substrate/slice_service.h"

namespace holdfast::surface::substrate {

// Everything given outlives the tools.
struct Services {
  service::substrate::IngestService& ingest;
  service::substrate::QueryService& query;
  service::substrate::SliceService& slices;
  service::substrate::RememberService& remember;
  service::substrate::MaintainService& maintain;
};

}  // namespace holdfast::surface::substrate
