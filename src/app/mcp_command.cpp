// holdfast mcp
#include <atomic>
#include <optional>
#include <sys/signalfd.h>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "access/authenticator.h"
#include "access/gatekeeper.h"
#include "app/command.h"
#include "app/line_input.h"
#include "app/local_caller.h"
#include "app/mcp_identity.h"
#include "app/mcp_relay.h"
#include "app/stop_signals.h"
#include "base/ids.h"
#include "base/turns.h"
#include "mcp/lines.h"
#include "mcp/protocol.h"
#include "mcp/stdio_server.h"
#include "model/json_text.h"
#include "surface/fixtures/fixtures.h"

namespace holdfast::app {
namespace {

// Everything after the end of the input is over within two seconds.
constexpr std::chrono::milliseconds kFinishGrace{600};
constexpr std::chrono::milliseconds kWholeGrace{1900};
constexpr int kStartLookMillis = 10;
constexpr size_t kUsualLine = 8192;
constexpr size_t kThreads = 256;  // one for each call that waits for its client

// Standard output belongs to the protocol alone: what anything else prints goes to standard error.
int take_over_output() {
  const int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

// Who comes through the folder's socket, or from inside.
Result<CallContext> local_call(const std::string& space) {
  HOLDFAST_TRY(CallContext call, access::make_open_authenticator()->authenticate(
                                     {.space = space, .local_process = true}));
  call.surface = "mcp";
  call.request_id = "stdio-" + make_uuid();  // begins the ids of all its requests
  return call;
}

// Ends the process in time whatever still runs. Safe at any moment: what was acknowledged is on
// disk, and what was not is sent again by whoever sent it.
void end_in_time() {
  std::thread([] {
    std::this_thread::sleep_for(kWholeGrace);
    _exit(0);
  }).detach();
}

// A signal ends the process also while it still looks for, or opens, the memory: nothing was
// promised to anybody yet.
class StartWatch {
 public:
  explicit StartWatch(int signals) : thread_([this, signals] { watch(signals); }) {}
  ~StartWatch() {
    started_ = true;
    thread_.join();
  }
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

 private:
  void watch(int signals) {
    while (!started_.load()) {
      pollfd source{.fd = signals, .events = POLLIN, .revents = 0};
      if (poll(&source, 1, kStartLookMillis) > 0) _exit(0);
    }
  }

  std::atomic<bool> started_ = false;
  std::thread thread_;
};

// The items of the folder's owner.
Result<mcp::Group> open_relay(Caller& caller, const std::string& space,
                              const mcp::Registry& registry, int signals) {
  const StartWatch watch(signals);
  return make_relay(caller, space, registry);
}

Status run_mcp(CommandRun& run) {
  const int output = take_over_output();
  const sigset_t stop = block_stop_signals();
  const int signals = signalfd(-1, &stop, SFD_CLOEXEC);
  HOLDFAST_TRY(const bool fixtures, run.settings().boolean("mcp-fixtures"));
  const std::string space = run.space();
  if (!space.empty()) HOLDFAST_CHECK_OK(access::check_space_name(space));
  HOLDFAST_TRY(const auto caller, open_local_caller(run.settings(), Stay::kLong));

  const SystemClock clock;
  mcp::Changes changes;
  mcp::Registry registry;
  if (fixtures) {
    warn_of_fixtures();
    HOLDFAST_CHECK_OK(registry.add(surface::fixtures::make_group(changes)));
  }
  HOLDFAST_TRY(mcp::Group relay, open_relay(*caller, space, registry, signals));
  HOLDFAST_CHECK_OK(registry.add(std::move(relay)));

  mcp::LineWriter writer(output);
  std::atomic<bool> gone = false;
  HOLDFAST_TRY(CallContext call, local_call(space));
  mcp::StdioServer server(
      {.registry = registry, .changes = changes, .identity = mcp_identity(), .clock = clock},
      std::move(call), [&](const Value& message) {
        std::string line;
        line.reserve(kUsualLine);
        append_json(line, message);
        if (!writer.write(std::move(line))) gone = true;
      });
  LineInput input({.input = STDIN_FILENO,
                   .signals = signals,
                   .max_bytes = mcp::kMaxLineBytes,
                   .is_gone = [&] { return gone.load(); },
                   .take = [&](const LineInput::Line& line) -> Turns::Work {
                     if (line.too_long) return server.line_too_long(), Turns::Work();
                     return server.line(line.text);
                   }});
  Turns turns(kThreads, input);
  turns.run();
  end_in_time();
  server.finish(kFinishGrace);
  return {};
}

}  // namespace

std::vector<CommandSpec> mcp_commands() {
  return {{.name = "mcp",
           .summary = "Speak the Model Context Protocol on standard input and output.",
           .teach = "  holdfast mcp\n"
                    "  holdfast mcp --data ~/notes/memory --space work\n"
                    "  claude mcp add holdfast -- holdfast mcp",
           .options = {space_option()},
           .settings = {"data", "config", "isolate-surfaces", "mcp-fixtures"},
           .run = run_mcp}};
}

}  // namespace holdfast::app
