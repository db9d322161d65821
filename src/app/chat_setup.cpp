#include "app/chat_setup.h"

#include <fmt/format.h>

#include "access/token_bucket.h"
#include "embed/openai_completer.h"
#include "service/chat/chat_service.h"
#include "service/chat/distill_service.h"
#include "service/chat/embedded_provider.h"
#include "service/chat/memory_service.h"
#include "service/chat/openai_provider.h"
#include "service/chat/transmission_service.h"
#include "service/chat/usage.h"
#include "surface/chat/identity.h"
#include "surface/chat/surface.h"

namespace holdfast::app {
namespace {

namespace chat = service::chat;

constexpr size_t kBackgroundThreads = 4;
constexpr size_t kMostWaiting = 256;

Result<double> price(const Settings& settings, std::string_view name) {
  const std::string text = settings.text(name);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0))
    return settings.bad(name, "a price: 0 or more dollars");
  return value;
}

// key=user, comma-separated.
Result<std::vector<access::ApiKey>> api_keys(const Settings& settings) {
  std::vector<access::ApiKey> keys;
  if (const std::string key = settings.text("chat.api_key"); !key.empty())
    keys.push_back({.key = key});
  for (const std::string& entry : settings.list("chat.api_keys")) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size())
      return invalid_argument("SOL_API_KEYS must be a list of key=user.");
    keys.push_back({.key = entry.substr(0, equals), .user_id = entry.substr(equals + 1)});
  }
  return keys;
}

Result<std::string> base_url(const Settings& settings) {
  std::string url = settings.text("openai.base_url");
  if (embed::is_endpoint_url(url)) return url;
  return invalid_argument("OPENAI_BASE_URL must be a URL like https://api.openai.com/v1.");
}

// Whether a setting with these possible words has the first of them.
Result<bool> is_first_of(const Settings& settings, std::string_view name,
                         const std::vector<std::string>& words) {
  const auto word = settings.one_of(name, words);
  if (!word) return word.error();
  return *word == words.front();
}

Status read_provider(const Settings& settings, chat::ChatSettings& chat) {
  HOLDFAST_TRY(chat.openai, is_first_of(settings, "chat.provider", {"openai", "embedded", "fake"}));
  HOLDFAST_TRY(chat.fall_back_to_embedded,
               is_first_of(settings, "chat.fallback", {"embedded", "none"}));
  HOLDFAST_TRY(chat.distill_openai,
               is_first_of(settings, "chat.distill_provider", {"openai", "embedded"}));
  HOLDFAST_TRY(chat.openai_base_url, base_url(settings));
  chat.openai_api_key = settings.text("openai.api_key");
  chat.openai_model = settings.text("openai.model");
  HOLDFAST_TRY(chat.openai_json_mode, settings.boolean("openai.json_mode"));
  HOLDFAST_TRY(const int64_t timeout, settings.integer("openai.timeout_ms", 1, 3'600'000));
  chat.openai_timeout = std::chrono::milliseconds(timeout);
  HOLDFAST_TRY(chat.openai_retries, settings.integer("openai.retries", 0, 20));
  HOLDFAST_TRY(chat.price_in_per_1k, price(settings, "chat.price_in_per_1k"));
  HOLDFAST_TRY(chat.price_out_per_1k, price(settings, "chat.price_out_per_1k"));
  return {};
}

Status read_rules(const Settings& settings, chat::ChatSettings& chat) {
  HOLDFAST_TRY(const bool strict,
               is_first_of(settings, "chat.enforcement", {"strict", "warn", "off"}));
  HOLDFAST_TRY(const bool off,
               is_first_of(settings, "chat.enforcement", {"off", "strict", "warn"}));
  chat.enforcement = strict ? chat::Enforcement::kStrict
                     : off  ? chat::Enforcement::kOff
                            : chat::Enforcement::kWarn;
  HOLDFAST_TRY(chat.max_regenerations, settings.integer("chat.max_regenerations", 0, 10));
  HOLDFAST_TRY(chat.max_output_tokens, settings.integer("chat.max_output_tokens", 1, 1'000'000));
  HOLDFAST_TRY(chat.trace_debug_allowed, settings.boolean("chat.trace_debug"));
  HOLDFAST_TRY(chat.audit_always, settings.boolean("chat.audit_always"));
  HOLDFAST_TRY(chat.inline_processing, settings.boolean("chat.inline"));
  HOLDFAST_TRY(const int64_t hours, settings.integer("chat.idempotency_hours", 24, 87'600));
  chat.idempotency_lifetime = std::chrono::hours(hours);
  HOLDFAST_TRY(const int64_t hazy, settings.integer("chat.hazy_after_seconds", 0, 3'153'600'000));
  chat.hazy_after = std::chrono::seconds(hazy);
  chat.default_user = settings.text("chat.default_user");
  chat.driver_block_file = settings.text("chat.driver_blocks");
  return {};
}

bool is_loopback(const std::string& url) {
  return url.starts_with("http://127.") || url.starts_with("http://localhost") ||
         url.starts_with("http://[::1]");
}

// What the endpoint lacks, or nothing.
std::string missing_setting(const chat::ChatSettings& settings) {
  if (settings.openai_model.empty()) return "OPENAI_MODEL";
  if (settings.openai_api_key.empty() && !is_loopback(settings.openai_base_url))
    return "OPENAI_API_KEY";
  return {};
}

std::unique_ptr<embed::Completer> make_completer(const chat::ChatSettings& settings,
                                                 const Curfew& curfew) {
  return embed::make_openai_completer(
      {.endpoint = {.base_url = settings.openai_base_url,
                    .api_key = settings.openai_api_key,
                    .timeout = settings.openai_timeout,
                    .attempts = static_cast<int>(1 + settings.openai_retries),
                    .curfew = &curfew},
       .model = settings.openai_model});
}

std::unique_ptr<chat::Provider> make_provider(const chat::ChatSettings& settings,
                                              embed::Completer& completer) {
  if (!settings.openai) return chat::make_embedded_provider();
  const std::string missing = missing_setting(settings);
  return missing.empty() ? chat::make_openai_provider(completer, settings.openai_json_mode)
                         : chat::make_missing_provider(missing);
}

class RealChatSetup : public ChatSetup {
 public:
  RealChatSetup(http::Router& router, const ChatOptions& options, const SurfaceParts& parts,
                chat::BlockRegistry registry)
      : options_(options),
        settings_(options_.settings),
        registry_(std::move(registry)),
        completer_(make_completer(settings_, parts.curfew)),
        provider_(make_provider(settings_, *completer_)),
        embedded_(chat::make_embedded_provider()),
        background_(kBackgroundThreads, kMostWaiting),
        retriever_(parts.store, parts.gatekeeper, parts.index, parts.clock, settings_),
        chat_(parts.store, parts.gatekeeper,
              {.retriever = retriever_,
               .registry = registry_,
               .provider = *provider_,
               .embedded = *embedded_,
               .clock = parts.clock,
               .settings = settings_},
              background_, flights_),
        memories_(parts.store, parts.gatekeeper, parts.index, parts.clock, settings_),
        distill_(parts.store, parts.gatekeeper, parts.index, parts.clock, settings_,
                 settings_.distill_openai && missing_setting(settings_).empty() ? completer_.get()
                                                                                : nullptr,
                 background_, flights_),
        transmissions_(parts.store, parts.gatekeeper, flights_),
        usage_(parts.store, parts.gatekeeper),
        buckets_(parts.clock),
        keys_(parts.tokens && !options_.keys.empty()
                  ? access::make_key_authenticator(options_.keys,
                                                   std::string(surface::chat::kKeyPrincipal),
                                                   parts.authenticator)
                  : nullptr),
        surface_(surface::chat::mount(router,
                                      {.chat = chat_,
                                       .memories = memories_,
                                       .distill = distill_,
                                       .transmissions = transmissions_,
                                       .usage = usage_},
                                      face(parts))) {}

  ~RealChatSetup() override { RealChatSetup::stop(); }
  void stop() override { background_.stop(); }

 private:
  surface::chat::Face face(const SurfaceParts& parts) {
    surface::chat::Face face{.settings = settings_,
                             .authenticator = keys_.get(),
                             .now = [&clock = parts.clock] { return clock.now(); },
                             .requests_per_minute = options_.requests_per_minute,
                             .distills_per_minute = options_.distills_per_minute};
    if (parts.rates != nullptr) {
      face.rate_limit = [this](const std::string& bucket, int64_t limit) -> std::optional<Error> {
        const int64_t wait = buckets_.take(bucket, limit);
        if (wait == 0) return std::nullopt;
        return Error{.code = ErrorCode::kRateLimited,
                     .message = fmt::format("At most {} of these requests a minute.", limit),
                     .retry_after_seconds = wait};
      };
    }
    return face;
  }

  const ChatOptions options_;
  const chat::ChatSettings& settings_;
  const chat::BlockRegistry registry_;
  const std::unique_ptr<embed::Completer> completer_;
  const std::unique_ptr<chat::Provider> provider_;
  const std::unique_ptr<chat::Provider> embedded_;
  chat::Flights flights_;
  chat::Background background_;
  const chat::MemoryRetriever retriever_;
  chat::ChatService chat_;
  chat::MemoryService memories_;
  chat::DistillService distill_;
  chat::TransmissionService transmissions_;
  chat::UsageService usage_;
  access::TokenBuckets buckets_;
  const std::unique_ptr<access::Authenticator> keys_;
  const std::unique_ptr<surface::chat::Surface> surface_;
};

}  // namespace

Result<ChatOptions> chat_options(const Settings& settings) {
  ChatOptions options;
  HOLDFAST_CHECK_OK(read_provider(settings, options.settings));
  HOLDFAST_CHECK_OK(read_rules(settings, options.settings));
  HOLDFAST_TRY(options.keys, api_keys(settings));
  HOLDFAST_TRY(options.requests_per_minute,
               settings.integer("chat.requests_per_minute", 0, 100'000'000));
  HOLDFAST_TRY(options.distills_per_minute,
               settings.integer("chat.distills_per_minute", 0, 100'000'000));
  return options;
}

void add_chat_nouns(NounCatalog& nouns) {
  nouns.add(chat::memory_noun());
  nouns.add(chat::transmission_noun());
  nouns.add(chat::call_noun());
}

Result<chat::BlockRegistry> chat_blocks(const ChatOptions& options) {
  chat::BlockRegistry registry;
  if (!options.settings.driver_block_file.empty())
    HOLDFAST_CHECK_OK(registry.add_file(options.settings.driver_block_file));
  return registry;
}

std::unique_ptr<ChatSetup> set_up_chat(http::Router& router, const ChatOptions& options,
                                       const chat::BlockRegistry& blocks,
                                       const SurfaceParts& parts) {
  return std::make_unique<RealChatSetup>(router, options, parts, blocks);
}

}  // namespace holdfast::app
