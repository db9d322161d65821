// What of the settings concerns the engine.
#include "app/chat_setup.h"
#include "app/curl_fetcher.h"
#include "app/engine.h"
#include "embed/hashed_embedder.h"
#include "http/host_policy.h"

namespace holdfast::app {
namespace {

Status read_vectors(const Settings& settings, EngineOptions& options) {
  const auto mode = settings.one_of("vector.mode", {"off", "hashed", "endpoint"});
  if (!mode) return mode.error();
  options.vectors = *mode != "off";
  options.hashed_vectors = *mode == "hashed";
  HOLDFAST_TRY(const int64_t dimensions, settings.integer("vector.dimensions", 0, 65536));
  options.embeddings = {.endpoint = {.base_url = settings.text("vector.base_url"),
                                     .api_key = settings.text("vector.api_key")},
                        .model = settings.text("vector.model"),
                        .dimensions = static_cast<size_t>(dimensions)};
  const bool named =
      !options.embeddings.endpoint.base_url.empty() && !options.embeddings.model.empty();
  if (options.hashed_vectors)
    options.embeddings = {.model = embed::kHashedModel, .dimensions = embed::kHashedDimensions};
  if (!options.vectors || options.hashed_vectors || named) return {};
  return invalid_argument(
      "vector.mode is 'endpoint', which needs vector.base_url and vector.model.");
}

Status read_access_log(const Settings& settings, EngineOptions& options) {
  const auto wanted = settings.one_of("access-log", {"off", "failures", "all"});
  if (!wanted) return wanted.error();
  options.access_log = *wanted == "off"   ? http::AccessLog::kOff
                       : *wanted == "all" ? http::AccessLog::kAll
                                          : http::AccessLog::kFailures;
  return {};
}

// scheme://host[:port], with http or https where `web`. Paths and the rest are not judged.
bool is_origin(std::string_view text, bool web) {
  const size_t mark = text.find("://");
  if (mark == std::string_view::npos || mark == 0) return false;
  const std::string_view scheme = text.substr(0, mark);
  const std::string_view rest = text.substr(mark + 3);
  return (!web || scheme == "http" || scheme == "https") &&
         !http::host_name(rest.substr(0, rest.find('/'))).empty();
}

Status read_hosts(const Settings& settings, http::HostPolicySettings& hosts) {
  hosts.public_url = settings.text("public-url");
  hosts.allowed_hosts = settings.list("allow-host");
  hosts.allowed_origins = settings.list("allow-origin");
  if (!hosts.public_url.empty() && !is_origin(hosts.public_url, true))
    return settings.bad("public-url", "a URL like https://memory.example");
  for (const std::string& host : hosts.allowed_hosts) {
    if (http::host_name(host).empty() || host.find('/') != std::string::npos)
      return settings.bad("allow-host", "a list of host names like memory.example");
  }
  for (const std::string& origin : hosts.allowed_origins) {
    // What browsers send for pages from files.
    if (origin != "null" && !is_origin(origin, false))
      return settings.bad("allow-origin", "a list of origins like https://console.example");
  }
  return {};
}

// Who may call, and from where.
Status read_access(const Settings& settings, EngineOptions& options) {
  const auto auth = settings.one_of("auth", {"off", "tokens"});
  if (!auth) return auth.error();
  options.tokens = *auth == "tokens";
  HOLDFAST_CHECK_OK(read_hosts(settings, options.hosts));
  options.oauth_issuer = settings.text("oauth-issuer");
  options.oauth_jwks = settings.text("oauth-jwks");
  const bool complete =
      options.tokens && !options.oauth_jwks.empty() && !options.hosts.public_url.empty();
  if (options.oauth_issuer.empty() || complete) return {};
  return invalid_argument(
      "--oauth-issuer needs --auth tokens, --public-url and --oauth-jwks as well.");
}

}  // namespace

Result<EngineOptions> engine_options(const Settings& settings) {
  EngineOptions options{.paths = FolderPaths(settings.text("data"))};
  HOLDFAST_CHECK_OK(read_access(settings, options));
  HOLDFAST_TRY(options.rate_limits, settings.boolean("rate-limits"));
  HOLDFAST_TRY(options.requests_per_minute,
               settings.integer("requests-per-minute", 1, 100'000'000));
  HOLDFAST_TRY(options.test_clock, settings.boolean("test-clock"));
  HOLDFAST_TRY(options.mcp_fixtures, settings.boolean("mcp-fixtures"));
  HOLDFAST_TRY(options.isolate_surfaces, settings.boolean("isolate-surfaces"));
  HOLDFAST_CHECK_OK(read_vectors(settings, options));
  HOLDFAST_CHECK_OK(read_access_log(settings, options));
  HOLDFAST_TRY(options.ingest, ingest_options(settings));
  HOLDFAST_TRY(options.chat, chat_options(settings));
  HOLDFAST_TRY(options.continuity, continuity_options(settings));
  HOLDFAST_TRY(options.recall, recall_options(settings));
  return options;
}

}  // namespace holdfast::app
