// holdfast mcp
#include <atomic>
#include <sys/signalfd.h>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "app/command.h"
#include "app/local_caller.h"
#include "app/mcp_identity.h"
#include "app/mcp_relay.h"
#include "app/stop_signals.h"
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
constexpr int kLookMillis = 500;
constexpr int kStartLookMillis = 10;

// Standard output belongs to the protocol alone: what anything else prints goes to standard error.
int take_over_output() {
  const int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

CallContext local_call(const std::string& space) {
  CallContext call{.surface = "mcp",
                   .principal = PrincipalId{"local"},
                   .scopes = {"admin"},
                   .local_owner = true,
                   .local_process = true};
  if (!space.empty()) call.viewer.space = SpaceId{space};
  return call;
}

// Reads lines until the input ends, a signal comes or the reader of the output has gone.
void read_lines(mcp::LineReader& lines, int signals, const std::atomic<bool>& gone) {
  std::string chunk(size_t{64} * 1024, '\0');
  while (!gone.load()) {
    pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                        {.fd = signals, .events = POLLIN, .revents = 0}};
    if (poll(sources, 2, kLookMillis) <= 0) continue;
    if (sources[1].revents != 0) return;
    const ssize_t count = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return lines.finish();
    lines.feed(std::string_view(chunk).substr(0, static_cast<size_t>(count)));
  }
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
  HOLDFAST_TRY(const auto caller, open_local_caller(run.settings(), Stay::kLong));
  const std::string space = run.text("space");

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
  mcp::StdioServer server(
      {.registry = registry, .changes = changes, .identity = mcp_identity(), .clock = clock},
      local_call(space), [&](const Value& message) {
        if (!writer.write(to_json(message))) gone = true;
      });
  mcp::LineReader lines(mcp::kMaxLineBytes,
                        {.line = [&](std::string_view line) { server.line(line); },
                         .too_long = [&] { server.line_too_long(); }});
  read_lines(lines, signals, gone);
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
           .settings = {"data", "config", "mcp-fixtures"},
           .run = run_mcp}};
}

}  // namespace holdfast::app
