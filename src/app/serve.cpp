// holdfast serve
#include <csignal>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "app/command.h"
#include "app/engine.h"
#include "app/ownership_route.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "base/log.h"
#include "http/server.h"

namespace holdfast::app {
namespace {

constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kGraceOfOthers{9};  // leaves time to answer who waits for them

using http::ListenAddress;

// HOST:PORT, [::1]:PORT or :PORT.
Result<ListenAddress> parse_listen(const std::string& text) {
  const size_t colon = text.rfind(':');
  const Error bad = invalid_argument(
      fmt::format("--listen is '{}', but must be HOST:PORT, like 127.0.0.1:7070.", text));
  if (colon == std::string::npos) return bad;
  ListenAddress address{.host = text.substr(0, colon)};
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty()) address.host = "127.0.0.1";
  const std::string port = text.substr(colon + 1);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    return bad;
  const int number = std::stoi(port);
  if (number > 65535) return bad;
  address.port = static_cast<uint16_t>(number);
  return address;
}

Status check_exposure(const ListenAddress& address, bool tokens) {
  if (tokens || http::is_loopback_name(address.host)) return {};
  return invalid_argument(
      fmt::format("Serving {} without tokens would give this memory to the whole network. Add "
                  "'--auth tokens' (the first "
                  "start prints a token), or listen on 127.0.0.1.",
                  address.host));
}

Status configure_log(const Settings& settings) {
  HOLDFAST_TRY(const std::string format, settings.one_of("log", {"text", "json"}));
  HOLDFAST_TRY(const std::string level,
               settings.one_of("log-level", {"debug", "info", "warn", "error", "off"}));
  const auto threshold = level == "debug"  ? log::Level::kDebug
                         : level == "info" ? log::Level::kInfo
                         : level == "warn" ? log::Level::kWarn
                         : level == "off"  ? log::Level::kOff
                                           : log::Level::kError;
  log::configure(format == "json" ? log::Format::kJson : log::Format::kText, threshold);
  return {};
}

Result<http::ServerSettings> server_settings(const Settings& settings, const ListenAddress& address,
                                             const std::string& socket) {
  http::ServerSettings out;
  HOLDFAST_TRY(const int64_t workers, settings.integer("workers", 1, 1024));
  HOLDFAST_TRY(const int64_t connections, settings.integer("max-connections", 1, 100'000));
  out.listen = {address};
  out.unix_socket = socket;
  out.worker_threads = static_cast<size_t>(workers);
  out.max_connections = static_cast<size_t>(connections);
  out.max_streams = out.max_connections;  // each is a connection of its own
  out.tls_certificate = settings.text("tls-cert");
  out.tls_key = settings.text("tls-key");
  if (out.tls_certificate.empty() != out.tls_key.empty()) {
    return invalid_argument("--tls-cert and --tls-key go together.");
  }
  return out;
}

Status start_tokens(Engine& engine, const Settings& settings, bool tokens) {
  if (const std::string file = settings.text("bootstrap"); !file.empty())
    return engine.bootstrap(file);
  if (!tokens) return {};
  HOLDFAST_TRY(const auto token, engine.first_token());
  if (token) std::cout << "bootstrap-token: " << *token << std::endl;
  return {};
}

std::string url_host(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

Status serve(CommandRun& run) {
  const Settings& settings = run.settings();
  HOLDFAST_CHECK_OK(configure_log(settings));
  HOLDFAST_TRY(const ListenAddress address, parse_listen(settings.text("listen")));
  HOLDFAST_TRY(EngineOptions options, engine_options(settings));
  HOLDFAST_CHECK_OK(check_exposure(address, options.tokens));
  options.hosts.listen_host = address.host;
  options.recall.stop = [] { ::kill(::getpid(), SIGTERM); };
  if (options.mcp_fixtures) warn_of_fixtures();
  const sigset_t signals = block_stop_signals();

  HOLDFAST_TRY(const auto engine, create_engine_in_turn(options));
  HOLDFAST_TRY(const auto socket, SocketPath::open(options.paths));
  HOLDFAST_TRY(const auto server_options, server_settings(settings, address, socket->text()));
  HOLDFAST_CHECK_OK(start_tokens(*engine, settings, options.tokens));
  HOLDFAST_TRY(const auto server, http::Server::start(engine->pipeline(), server_options));
  const char* scheme = server_options.tls_certificate.empty() ? "http" : "https";
  const std::string url = fmt::format("{}://{}:{}", scheme, url_host(address.host), server->port());
  engine->serving_at(url);
  std::unique_ptr<Progress> bar;
  HOLDFAST_CHECK_OK(engine->open_index([&](const std::string& what, double share) {
    if (!bar) bar = std::make_unique<Progress>(what);
    bar->update(share);
  }));
  if (bar) bar->done();
  std::cout << "listening on " << url << std::endl;

  int received = 0;
  sigwait(&signals, &received);
  log::info("stopping", {{"signal", received == SIGTERM ? "SIGTERM" : "SIGINT"}});
  engine->stop_waiting(std::chrono::steady_clock::now() + kGraceOfOthers);
  server->stop(kGrace);
  engine->close();
  return {};
}

}  // namespace

std::vector<CommandSpec> serve_commands() {
  std::vector<std::string> all;
  for (const SettingSpec& spec : setting_specs()) {
    if (spec.name != "space") all.push_back(spec.name);  // that of commands
  }
  return {{.name = "serve",
           .summary = "Serve the memory over HTTP.",
           .teach = "  holdfast serve\n"
                    "  holdfast serve --listen 0.0.0.0:7070 --auth tokens --tls-cert cert.pem "
                    "--tls-key key.pem\n"
                    "  HOLDFAST_DATA=/srv/holdfast holdfast serve --log json",
           .settings = all,
           .run = serve}};
}

}  // namespace holdfast::app
