#include "app/local_caller.h"

#include <thread>

#include "app/data_folder.h"
#include "app/engine.h"
#include "app/socket_call.h"
#include "app/terminal.h"
#include "base/ids.h"
#include "base/log.h"
#include "http/server.h"

namespace holdfast::app {
namespace {

// How long a call looks for an owner or tries to become one. Starting owners need some time to
// answer.
constexpr std::chrono::seconds kPatience{20};
constexpr std::chrono::milliseconds kPause{10};
constexpr std::chrono::seconds kCallLimit{3600};

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
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      if (engine_) return own_call(call);
      Result<IncomingAnswer> answer = socket_call(socket_->text(), call, kCallLimit);
      if (answer || answer.error().reason != reason::kNobodyAnswers) return answer;
      const Status owner = become_owner();
      if (!owner && owner.error().reason != reason::kOwnedByAnother) return owner.error();
      if (!owner && std::chrono::steady_clock::now() > deadline) return owner.error();
      if (!owner) std::this_thread::sleep_for(kPause);
    }
  }

 private:
  Status become_owner() {
    HOLDFAST_TRY(auto engine, Engine::create(options_));
    std::unique_ptr<Progress> bar;
    HOLDFAST_CHECK_OK(engine->open_index([&](const std::string& what, double share) {
      if (!bar) bar = std::make_unique<Progress>(what);
      bar->update(share);
    }));
    if (bar) bar->done();
    // Others may need the folder while this process has it.
    HOLDFAST_TRY(server_, http::Server::start(engine->pipeline(), {.unix_socket = socket_->text(),
                                                                   .worker_threads = 8}));
    engine_ = std::move(engine);
    return {};
  }

  Result<IncomingAnswer> own_call(const OutgoingCall& call) {
    wire::Headers headers;
    for (const auto& [name, value] : call.headers) headers.add(name, value);
    http::Reply reply = engine_->pipeline().handle(
        http::make_request(call.method, call.target, call.body, headers));
    return IncomingAnswer{.status = reply.status, .body = std::move(reply.body)};
  }

  const EngineOptions options_;
  const std::unique_ptr<SocketPath> socket_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace

Result<std::unique_ptr<Caller>> open_local_caller(const Settings& settings) {
  log::configure(log::Format::kText, log::Level::kWarn);
  HOLDFAST_TRY(EngineOptions options, engine_options(settings));
  HOLDFAST_CHECK_OK(prepare_folder(options.paths));
  HOLDFAST_TRY(auto socket, SocketPath::open(options.paths));
  return std::unique_ptr<Caller>(
      std::make_unique<LocalCaller>(std::move(options), std::move(socket)));
}

}  // namespace holdfast::app
