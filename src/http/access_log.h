// One line a request in the log, as PipelineSettings::access_log asks. Paths appear as their
// templates: what follows may hold names that belong to the caller.
#pragma once

#include <chrono>

#include "http/exchange.h"

namespace holdfast::http {

void log_access(const Exchange& exchange, int status, std::chrono::nanoseconds elapsed);

}  // namespace holdfast::http
