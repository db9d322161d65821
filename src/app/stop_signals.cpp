#include "app/stop_signals.h"

#include <csignal>

#include "base/log.h"

namespace holdfast::app {

sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void warn_of_fixtures() {
  log::warn("mcp_fixtures", {{"note", "test items are offered to MCP clients; not for real use"}});
}

}  // namespace holdfast::app
