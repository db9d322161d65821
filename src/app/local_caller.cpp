#include "app/local_caller.h"

#include <thread>

#include "app/data_folder.h"
#include "app/engine.h"
#include "app/in_process_call.h"
#include "app/socket_call.h"
#include "app/terminal.h"
#include "base/ids.h"
#include "base/log.h"
#include "base/mutex.h"
#include "http/server.h"

namespace holdfast::app {
namespace {

// How long a call looks for an owner or tries to become one. Starting owners need some time to
// answer.
constexpr std::chrono::seconds kPatience{20};
// How long an owner that says it is not ready is asked again: it may be building its index.
constexpr std::chrono::seconds kOpeningPatience{120};
constexpr std::chrono::milliseconds kPause{10};
constexpr std::chrono::seconds kCallLimit{3600};
constexpr int kNotReady = 503;  // the owner is still opening, or has too much to do

class LocalCaller : public Caller {
 public:
  LocalCaller(EngineOptions options, std::unique_ptr<SocketPath> socket)
      : options_(std::move(options)), socket_(std::move(socket)) {}

  ~LocalCaller() override {
    if (server_) server_->stop(std::chrono::seconds(2));
    if (engine_) engine_->close();
  }

  Result<IncomingAnswer> call(const OutgoingCall& wanted) override {
    OutgoingCall call = wanted;
    // A repetition after the owner died in the middle must not store twice.
    if (call.method == "POST") call.headers.emplace_back("Idempotency-Key", "local-" + make_uuid());
    const auto began = std::chrono::steady_clock::now();
    for (;;) {
      if (const Engine* engine = owned()) return in_process_call(engine->pipeline(), call);
      Result<IncomingAnswer> answer = socket_call(socket_->text(), call, kCallLimit);
      const auto waited = std::chrono::steady_clock::now() - began;
      if (answer && (answer->status != kNotReady || waited > kOpeningPatience)) return answer;
      if (!answer && answer.error().reason != reason::kNobodyAnswers) return answer;
      if (!answer) {
        const Status owner = become_owner();
        if (!owner && owner.error().reason != reason::kOwnedByAnother) return owner.error();
        if (!owner && waited > kPatience) return owner.error();
        if (owner) continue;
      }
      if (call.is_cancelled && call.is_cancelled()) return unavailable("The call was cancelled.");
      std::this_thread::sleep_for(kPause);
    }
  }

 private:
  const Engine* owned() {
    MutexLock lock(mutex_);
    return engine_.get();
  }

  // One thread at a time; the others find it done.
  Status become_owner() {
    MutexLock lock(mutex_);
    if (engine_) return {};
    HOLDFAST_TRY(auto engine, Engine::create(options_));
    std::unique_ptr<Progress> bar;
    HOLDFAST_CHECK_OK(engine->open_index([&](const std::string& what, double share) {
      if (!bar) bar = std::make_unique<Progress>(what);
      bar->update(share);
    }));
    if (bar) bar->done();
    // Others may need the folder while this process has it.
    HOLDFAST_TRY(server_, http::Server::start(engine->pipeline(), {.unix_socket = socket_->text(),
                                                                   .worker_threads = 16}));
    engine_ = std::move(engine);
    return {};
  }

  const EngineOptions options_;
  const std::unique_ptr<SocketPath> socket_;
  Mutex mutex_;  // held while the folder is being opened: whoever calls then waits for it
  // Set once, then only read; gone last, when nobody calls any more.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace

Result<std::unique_ptr<Caller>> open_local_caller(const Settings& settings) {
  log::configure(log::Format::kText, log::Level::kWarn);
  HOLDFAST_TRY(EngineOptions options, engine_options(settings));
  // A command offers its test items itself; others who find this process as the owner do not.
  options.mcp_fixtures = false;
  HOLDFAST_CHECK_OK(prepare_folder(options.paths));
  HOLDFAST_TRY(auto socket, SocketPath::open(options.paths));
  return std::unique_ptr<Caller>(
      std::make_unique<LocalCaller>(std::move(options), std::move(socket)));
}

}  // namespace holdfast::app
