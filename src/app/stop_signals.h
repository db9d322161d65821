// Commands that run until they are told to stop.
#pragma once

#include <signal.h>

namespace holdfast::app {

// Blocks SIGTERM and SIGINT in this thread and every one started later, so that whoever waits for
// the result gets them; a broken pipe becomes an error of the write.
sigset_t block_stop_signals();

// One line on standard error for --mcp-fixtures.
void warn_of_fixtures();

}  // namespace holdfast::app
