// What the wording of a query asks for.
#pragma once

#include "service/recall/query_types.h"

namespace holdfast::service::recall {

// Fills signals and content words: words of a cue phrase are no content.
void read_signals(Run& run);

}  // namespace holdfast::service::recall
