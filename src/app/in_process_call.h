// One HTTP call to the engine of this process, without a socket.
#pragma once

#include "app/caller.h"
#include "http/pipeline.h"

namespace holdfast::app {

// Event streams reach call.on_event while the handler runs, on its threads.
Result<IncomingAnswer> in_process_call(const http::Pipeline& pipeline, const OutgoingCall& call);

}  // namespace holdfast::app
