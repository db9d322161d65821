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

using SteadyTime = std::chrono::steady_clock::time_point;

// How long a call looks for an owner or tries to become one. Starting owners need some time to
// answer.
constexpr std::chrono::seconds kPatience{20};
// How long an owner that says it is not ready is asked again: it may be building its index.
constexpr std::chrono::seconds kOpeningPatience{120};
// How long whoever asked for the folder has to take it.
constexpr std::chrono::seconds kYieldTime{5};
constexpr std::chrono::milliseconds kPause{10};
constexpr std::chrono::seconds kCallLimit{3600};
constexpr std::chrono::seconds kOwnerGrace{2};
constexpr int kNotReady = 503;  // the owner is still opening, or has too much to do

// The folder while this process owns it.
struct Ownership {
  std::unique_ptr<Engine> engine = {};
  std::unique_ptr<http::Server> server = {};  // for other processes that need the folder meanwhile

  ~Ownership() {
    if (engine) engine->stop_waiting(std::chrono::steady_clock::now());
    if (server) server->stop(kOwnerGrace);
    if (engine) engine->close();
  }
};

std::string new_key() { return "local-" + make_uuid(); }

OutgoingCall keyed(OutgoingCall call, const std::string& key) {
  if (call.method == "POST") call.headers.emplace_back("Idempotency-Key", key);
  return call;
}

class LocalCaller : public Caller {
 public:
  LocalCaller(EngineOptions options, std::unique_ptr<SocketPath> socket, Stay stay)
      : options_(std::move(options)), socket_(std::move(socket)) {
    // A command gives the folder up by ending: whoever asks for it may wait for that.
    options_.yield = [] {};
    if (stay == Stay::kShort) return;
    options_.yield = [this] { want_yield(); };
    yielder_ = std::thread([this] { yield_when_asked(); });
  }

  ~LocalCaller() override {
    {
      MutexLock lock(mutex_);
      ending_ = true;
      changed_.notify_all();
    }
    if (yielder_.joinable()) yielder_.join();
  }

  Result<IncomingAnswer> call(const OutgoingCall& wanted) override {
    std::optional<Result<IncomingAnswer>> here;
    HOLDFAST_TRY(auto there, call({.here =
                                       [&](Engine& engine, const std::string& key) {
                                         here = in_process_call(
                                             engine.pipeline(),
                                             keyed(wanted, key.empty() ? new_key() : key));
                                       },
                                   .there = [&] { return wanted; }}));
    return here ? std::move(*here) : std::move(*there);
  }

  Result<std::optional<IncomingAnswer>> call(const TwoShapes& wanted) override {
    std::string key;  // of what was sent: a repetition after the owner died must not store twice
    std::optional<OutgoingCall> call;
    const SteadyTime began = std::chrono::steady_clock::now();
    for (;;) {
      if (const auto owned = ownership()) {
        wanted.here(*owned->engine, key);
        return std::optional<IncomingAnswer>();
      }
      if (!call) {
        key = new_key();
        call = keyed(wanted.there(), key);
      }
      Result<IncomingAnswer> answer = socket_call(socket_->text(), *call, kCallLimit);
      const auto waited = std::chrono::steady_clock::now() - began;
      if (answer && (answer->status != kNotReady || waited > kOpeningPatience))
        return std::optional(std::move(*answer));
      if (!answer && answer.error().reason != reason::kNobodyAnswers) return answer.error();
      if (!answer) {
        const Status owner = become_owner();
        if (!owner && owner.error().reason != reason::kOwnedByAnother) return owner.error();
        if (!owner && waited > kPatience) return owner.error();
        if (owner) continue;
      }
      if (call->is_cancelled && call->is_cancelled()) return unavailable("The call was cancelled.");
      std::this_thread::sleep_for(kPause);
    }
  }

 private:
  std::shared_ptr<Ownership> ownership() {
    MutexLock lock(mutex_);
    return ownership_;
  }

  // One thread at a time; the others wait and find it done.
  Status become_owner() {
    MutexLock lock(mutex_);
    if (ownership_) return {};
    if (std::chrono::steady_clock::now() < not_before_) {
      return Error{.code = ErrorCode::kUnavailable,
                   .reason = std::string(reason::kOwnedByAnother),
                   .message = "Another process is about to open the data folder."};
    }
    auto owned = std::make_shared<Ownership>();
    HOLDFAST_TRY(owned->engine, Engine::create(options_));
    std::unique_ptr<Progress> bar;
    HOLDFAST_CHECK_OK(owned->engine->open_index([&](const std::string& what, double share) {
      if (!bar) bar = std::make_unique<Progress>(what);
      bar->update(share);
    }));
    if (bar) bar->done();
    HOLDFAST_TRY(owned->server,
                 http::Server::start(owned->engine->pipeline(),
                                     {.unix_socket = socket_->text(), .worker_threads = 16}));
    ownership_ = std::move(owned);
    return {};
  }

  void want_yield() {
    MutexLock lock(mutex_);
    yield_wanted_ = true;
    changed_.notify_all();
  }

  // A thread of its own, because the request to yield is one of those that must be finished first.
  void yield_when_asked() {
    for (;;) {
      std::shared_ptr<Ownership> owned;
      {
        MutexLock lock(mutex_);
        while (!yield_wanted_ && !ending_) changed_.wait(lock);
        if (ending_) return;
        yield_wanted_ = false;
        not_before_ = std::chrono::steady_clock::now() + kYieldTime;
        owned = std::move(ownership_);
        ownership_ = nullptr;
      }
      // The last call of this process that still uses it lets it go.
      if (owned) owned->server->stop(kOwnerGrace);
    }
  }

  EngineOptions options_;
  const std::unique_ptr<SocketPath> socket_;
  Mutex mutex_;  // held while the folder is being opened: whoever calls then waits for it
  CondVar changed_;
  // Shared by the calls that use it.
  std::shared_ptr<Ownership> ownership_ HOLDFAST_GUARDED_BY(mutex_);
  SteadyTime not_before_ HOLDFAST_GUARDED_BY(mutex_) = {};
  bool yield_wanted_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool ending_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::thread yielder_;
};

}  // namespace

Result<std::unique_ptr<Caller>> open_local_caller(const Settings& settings, Stay stay) {
  log::configure(log::Format::kText, log::Level::kWarn);
  HOLDFAST_TRY(EngineOptions options, engine_options(settings));
  // A command offers its test items itself; others who find this process as the owner do not.
  options.mcp_fixtures = false;
  HOLDFAST_CHECK_OK(prepare_folder(options.paths));
  HOLDFAST_TRY(auto socket, SocketPath::open(options.paths));
  return std::unique_ptr<Caller>(
      std::make_unique<LocalCaller>(std::move(options), std::move(socket), stay));
}

}  // namespace holdfast::app
