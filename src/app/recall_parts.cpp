#include "app/recall_parts.h"

#include <array>
#include <fstream>
#include <iterator>

#include "app/version.h"
#include "base/utf8.h"
#include "service/recall/forgotten.h"

namespace holdfast::app {
namespace {

constexpr int64_t kMostForModel = 100'000;

Result<std::string> api_key(const Settings& settings) {
  const std::string path = settings.text("extractor.api_key_file");
  if (path.empty()) return settings.text("extractor.api_key");
  std::ifstream file(path);
  if (!file) return invalid_argument("extractor.api_key_file cannot be read: " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return std::string(trim_space(text));
}

Status read_extractor(const Settings& settings, RecallOptions& options) {
  HOLDFAST_TRY(const std::string mode,
               settings.one_of("extractor.mode", {"rules", "llm", "llm_with_fallback"}));
  options.model = mode != "rules";
  options.fall_back = mode == "llm_with_fallback";
  HOLDFAST_TRY(const int64_t timeout, settings.integer("extractor.timeout_ms", 1, 3'600'000));
  HOLDFAST_TRY(const int64_t retry, settings.integer("extractor.retry_base_ms", 0, 60'000));
  HOLDFAST_TRY(const std::string key, api_key(settings));
  options.completer = {.endpoint = {.base_url = settings.text("extractor.base_url"),
                                    .api_key = key,
                                    .timeout = std::chrono::milliseconds(timeout),
                                    .first_backoff = std::chrono::milliseconds(retry),
                                    .max_backoff = std::chrono::milliseconds(12 * retry)},
                       .model = settings.text("extractor.model")};
  for (const std::string_view role : service::recall::role::kAll) {
    const std::string model = settings.text("extractor.model_" + std::string(role));
    if (!model.empty()) options.role_models[std::string(role)] = model;
  }
  if (options.model &&
      (options.completer.endpoint.base_url.empty() || options.completer.model.empty()))
    return invalid_argument(
        "extractor.mode asks for a model, which needs extractor.base_url and extractor.model.");
  return {};
}

// injection.policy.TYPE for every type of memory.
Status read_policy(const Settings& settings, RecallOptions& options) {
  using service::recall::InjectionMode;
  static constexpr std::array<std::pair<std::string_view, InjectionMode>, 4> kModes = {
      {{"proactive", InjectionMode::kProactive},
       {"event", InjectionMode::kEvent},
       {"on_demand", InjectionMode::kOnDemand},
       {"suspended", InjectionMode::kSuspended}}};
  std::map<std::string, InjectionMode, std::less<>> modes;
  for (const std::string_view memory_type : service::recall::type::kAll) {
    HOLDFAST_TRY(const std::string wanted,
                 settings.one_of("injection.policy." + std::string(memory_type),
                                 {"proactive", "event", "on_demand", "suspended"}));
    for (const auto& [name, mode] : kModes) {
      if (name == wanted) modes.emplace(memory_type, mode);
    }
  }
  options.policy = service::recall::InjectionPolicy(std::move(modes));
  return {};
}

service::recall::ServiceFacts facts_of(const RecallOptions& options, const Clock& clock) {
  service::recall::ServiceFacts facts = options.facts;
  facts.version = std::string(kVersion);
  facts.retention = options.queue.retention;
  facts.started_at = clock.now();
  return facts;
}

}  // namespace

Result<RecallOptions> recall_options(const Settings& settings) {
  RecallOptions options;
  HOLDFAST_CHECK_OK(read_extractor(settings, options));
  HOLDFAST_TRY(const int64_t lease, settings.integer("queue.lease_seconds", 1, 86'400));
  HOLDFAST_TRY(const int64_t attempts, settings.integer("queue.max_attempts", 1, 100));
  HOLDFAST_TRY(const int64_t backoff, settings.integer("queue.backoff_seconds", 0, 3600));
  HOLDFAST_TRY(const int64_t bytes, settings.integer("http.max_body_bytes", 1024, 1 << 30));
  options.queue = {.lease = std::chrono::seconds(lease),
                   .max_attempts = static_cast<int>(attempts),
                   .backoff = std::chrono::seconds(backoff)};
  HOLDFAST_TRY(options.queue.retention, settings.boolean("retention.enabled"));
  HOLDFAST_CHECK_OK(read_policy(settings, options));
  HOLDFAST_TRY(options.mcp, settings.boolean("recall.mcp"));
  options.facts = {.extractor_mode = settings.text("extractor.mode"),
                   .vector_mode = settings.text("vector.mode")};
  // A model is slow by nature: its queue may be long.
  if (options.model) options.queue.most_waiting = kMostForModel;
  options.body_limit = static_cast<size_t>(bytes);
  return options;
}

void add_recall_nouns(NounCatalog& nouns) {
  nouns.add(service::recall::item_noun());
  nouns.add(service::recall::memory_noun());
  nouns.add(service::recall::retention_noun());
  nouns.add(service::recall::forgotten_noun());
  nouns.add(service::recall::usage_noun());
  nouns.add(service::recall::feedback_noun());
}

RecallParts::RecallParts(http::Router& router, const RecallOptions& options, storage::Store& store,
                         const access::Gatekeeper& gatekeeper, const search::Index& index,
                         const Clock& clock, jobs::JobRunner& jobs)
    : ingest_(store, gatekeeper, backlog_, options.queue),
      query_(store, gatekeeper, index, clock),
      memories_(store, gatekeeper),
      queue_(store, gatekeeper, index, clock, options.queue),
      sources_(store, gatekeeper, index),
      statements_(store, gatekeeper, index, clock),
      usage_(store, gatekeeper, clock),
      status_(gatekeeper, index, queue_, clock, facts_of(options, clock)),
      completer_(options.model ? embed::make_openai_completer(options.completer) : nullptr),
      pipeline_(store, gatekeeper, index, backlog_, options.queue),
      retention_(gatekeeper),
      services_{.ingest = ingest_,
                .query = query_,
                .memories = memories_,
                .queue = queue_,
                .sources = sources_,
                .statements = statements_,
                .usage = usage_,
                .status = status_,
                .stop = options.stop},
      surface_(surface::recall::mount(router, services_, options.body_limit)) {
  query_.use_policy(options.policy);
  if (completer_) {
    roles_ = std::make_unique<service::recall::ModelRoles>(*completer_, options.role_models,
                                                           options.completer.endpoint.timeout);
    model_ = std::make_unique<service::recall::ModelExtractor>(*roles_);
    pipeline_.use_model(model_.get(), options.fall_back);
  }
  pipeline_.add_to(jobs);
  if (options.queue.retention) retention_.add_to(jobs);
}

void RecallParts::use_embeddings(const service::EmbeddingService* embeddings, bool semantic) {
  query_.use_embeddings(embeddings, semantic);
  ingest_.show_vectors();
}

}  // namespace holdfast::app
