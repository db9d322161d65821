// Transfers of libcurl that end at a curfew.
#pragma once

#include <curl/curl.h>

#include "base/curfew.h"

namespace holdfast::embed {

// The transfer then fails with CURLE_ABORTED_BY_CALLBACK, within the second after which libcurl
// looks up at the latest. `curfew` may be nullptr and outlives the transfer.
void obey(CURL* transfer, const Curfew* curfew);

}  // namespace holdfast::embed
