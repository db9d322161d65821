// The web, through libcurl.
#pragma once

#include <memory>

#include "app/settings.h"
#include "base/curfew.h"
#include "base/result.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/web_fetcher.h"

namespace holdfast::app {

// Pages that are being fetched at the curfew are given up.
std::unique_ptr<service::substrate::WebFetcher> make_curl_fetcher(const Curfew& curfew);

// What the settings ingest.* say. kInvalidArgument names the one that is wrong.
Result<service::substrate::IngestOptions> ingest_options(const Settings& settings);

}  // namespace holdfast::app
