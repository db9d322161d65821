#include "app/engine.h"

#include <atomic>

#include <fmt/format.h>

#include "access/authenticator.h"
#include "access/gatekeeper.h"
#include "access/rate_limiter.h"
#include "app/bootstrap_file.h"
#include "app/continuity_setup.h"
#include "app/curl_fetcher.h"
#include "app/key_set.h"
#include "app/mcp_identity.h"
#include "app/observation_setup.h"
#include "app/ownership_route.h"
#include "app/recall_parts.h"
#include "app/server_time.h"
#include "app/substrate_parts.h"
#include "app/version.h"
#include "base/log.h"
#include "embed/hashed_embedder.h"
#include "http/router.h"
#include "http/steps.h"
#include "jobs/job_runner.h"
#include "mcp/server.h"
#include "search/index.h"
#include "search/store_source.h"
#include "service/continuity/nouns.h"
#include "service/native/record.h"
#include "storage/sqlite/sqlite_store.h"
#include "surface/fixtures/fixtures.h"
#include "surface/mcp/surface.h"
#include "surface/native/surface.h"
#include "wire/dialect.h"

namespace holdfast::app {
namespace {

// Calls that the engine itself makes at the start.
CallContext engine_call() {
  return {.surface = "engine",
          .principal = PrincipalId{"engine"},
          .scopes = {"admin"},
          .local_owner = true};
}

NounCatalog all_nouns() {
  NounCatalog nouns;
  nouns.add(service::memory_noun());
  nouns.add(service::evidence_noun());
  add_substrate_nouns(nouns);
  add_chat_nouns(nouns);
  add_continuity_nouns(nouns);
  add_recall_nouns(nouns);
  add_observation_nouns(nouns);
  return nouns;
}

std::unique_ptr<Clock> make_clock(bool test_clock) {
  if (test_clock) return std::make_unique<OffsetClock>();
  return std::make_unique<SystemClock>();
}

EngineOptions with_curfew(EngineOptions options, const Curfew& curfew) {
  options.embeddings.endpoint.curfew = &curfew;
  options.recall.completer.endpoint.curfew = &curfew;
  return options;
}

// Members are in the order of their making; the last made goes first.
class RealEngine : public Engine {
 public:
  RealEngine(const EngineOptions& options, std::unique_ptr<FolderLock> lock,
             std::unique_ptr<Clock> clock, std::unique_ptr<storage::Store> store,
             Timestamp ids_from, const service::chat::BlockRegistry& chat_blocks)
      : options_(with_curfew(options, curfew_)),
        lock_(std::move(lock)),
        clock_(std::move(clock)),
        nouns_(all_nouns()),
        store_(std::move(store)),
        gatekeeper_(*store_, /*spaces_on_demand=*/!options.tokens),
        authenticator_(options.tokens ? access::make_token_authenticator(*store_, *clock_)
                                      : access::make_open_authenticator()),
        id_clock_(*clock_, ids_from),
        ids_(id_clock_),
        rates_(*clock_),
        index_source_(*store_, nouns_, gatekeeper_),
        index_({.folder = options.paths.index,
                .vector_dimensions = options.vectors ? options.embeddings.dimensions : 0,
                .vector_model = options.vectors ? options.embeddings.model : ""}),
        jobs_(*store_, gatekeeper_, *clock_),
        memories_(*store_, gatekeeper_, ids_),
        objects_(*store_, gatekeeper_),
        search_(*store_, gatekeeper_, index_, nouns_, *clock_),
        context_(gatekeeper_, search_, service::continuity::capsule_noun().kind),
        admin_(*store_, gatekeeper_, ids_),
        archive_(*store_, gatekeeper_, nouns_),
        care_(*store_, gatekeeper_, index_, index_source_),
        substrate_({.store = *store_,
                    .gatekeeper = gatekeeper_,
                    .index = index_,
                    .nouns = nouns_,
                    .clock = *clock_,
                    .curfew = curfew_,
                    .pages_folder = options.paths.pages,
                    .ingest = options.ingest,
                    .isolated = options.isolate_surfaces}),
        fallback_{.dialect = &plain_},
        router_(fallback_),
        native_(surface::native::mount(router_, services(), face())),
        mcp_server_({.registry = registry_,
                     .changes = changes_,
                     .identity = mcp_identity(),
                     .clock = *clock_}),
        mcp_(surface::mcp::mount(router_, mcp_server_, oauth_face())),
        ownership_(options.yield ? mount_ownership(router_, options.yield) : nullptr),
        chat_(set_up_chat(router_, options_.chat, chat_blocks, surface_parts())),
        continuity_(set_up_continuity(router_, options_.continuity, surface_parts())),
        recall_(router_, options_.recall, *store_, gatekeeper_, index_, *clock_, jobs_),
        observations_(set_up_observations(router_, observation_parts())),
        pipeline_({.router = router_,
                   .authenticator = *authenticator_,
                   .clock = *clock_,
                   .metrics = metrics_,
                   .hosts = options.hosts,
                   .ready = [this] { return ready_.load(); },
                   .access_log = options.access_log}) {
    store_->add_listener(index_);
    store_->add_listener(events_);
    store_->add_listener(substrate_.listener());
    if (options.vectors) {
      embedder_ = options.hashed_vectors ? embed::make_hashed_embedder()
                                         : embed::make_openai_embedder(options_.embeddings);
      embeddings_ = std::make_unique<service::EmbeddingService>(*embedder_, index_, index_source_);
      store_->add_listener(*embeddings_);
      search_.use_embeddings(embeddings_.get());
      care_.use_embeddings(embeddings_.get());
      substrate_.use_embeddings(embeddings_.get());
      recall_.use_embeddings(embeddings_.get(), /*semantic=*/!options.hashed_vectors);
    }
    add_metrics();
  }

  ~RealEngine() override { RealEngine::close(); }

  Status open_index(const ProgressFn& progress) override {
    HOLDFAST_TRY(const int64_t expected, objects_in_store());
    HOLDFAST_CHECK_OK(index_.open(index_source_, [&](const search::IndexProgress& step) {
      const double share =
          expected > 0 ? static_cast<double>(step.documents) / static_cast<double>(expected) : 1;
      if (progress && step.rebuilding) progress("building the search index", share);
    }));
    HOLDFAST_CHECK_OK(observations_->start());
    HOLDFAST_CHECK_OK(jobs_.start());
    if (embeddings_) embeddings_->start();
    continuity_->start();
    ready_ = true;
    return {};
  }

  // What MCP clients are offered, group by group. Complete before the first request.
  Status offer_tools() {
    HOLDFAST_CHECK_OK(registry_.add(substrate_.group()));
    if (options_.recall.mcp) HOLDFAST_CHECK_OK(registry_.add(recall_.group()));
    if (options_.mcp_fixtures)
      HOLDFAST_CHECK_OK(registry_.add(surface::fixtures::make_group(changes_)));
    return {};
  }

  const http::Pipeline& pipeline() const override { return pipeline_; }
  http::Metrics& metrics() override { return metrics_; }
  http::RouteMetrics& mcp_metrics() override { return mcp_metrics_; }
  const mcp::Registry& registry() const override { return registry_; }

  Status bootstrap(const std::string& file) override {
    HOLDFAST_TRY(const auto seeds, read_bootstrap_file(file, clock_->now()));
    const Status seeded = observations_->seed(seeds.registry, [&](storage::WriteTxn& txn) {
      return admin_.seed(engine_call(), txn, seeds.people);
    });
    const bool wrong = !seeded && (seeded.error().code == ErrorCode::kInvalidArgument ||
                                   seeded.error().code == ErrorCode::kConflict ||
                                   seeded.error().code == ErrorCode::kAlreadyExists);
    return wrong ? wrong_file(file, seeded.error().message) : seeded;
  }

  Result<std::optional<std::string>> first_token() override {
    return admin_.first_token(engine_call());
  }

  void serving_at(const std::string& url) override { observations_->serving_at(url); }
  void stop_waiting(Deadline for_others) override {
    mcp_server_.stop_waiting();
    curfew_.set(for_others);
  }

  void close() override {
    if (closed_.exchange(true)) return;
    ready_ = false;
    curfew_.set(std::chrono::steady_clock::now());
    if (embeddings_) embeddings_->stop();
    chat_->stop();
    continuity_->stop();
    jobs_.stop();
    observations_->stop();
    store_->close();
    index_.close();
  }

 private:
  std::optional<surface::mcp::OAuthFace> oauth_face() {
    if (options_.oauth_issuer.empty()) return std::nullopt;
    std::string url = options_.hosts.public_url;
    while (url.ends_with('/')) url.pop_back();
    oauth_keys_ = make_key_source(options_.oauth_jwks);
    oauth_ = access::make_oauth_authenticator(
        *authenticator_, *oauth_keys_,
        {.issuer = options_.oauth_issuer, .resource = surface::mcp::resource_url(url)}, *clock_);
    return surface::mcp::OAuthFace{
        .issuer = options_.oauth_issuer, .public_url = url, .authenticator = oauth_.get()};
  }

  SurfaceParts surface_parts() {
    return {.store = *store_,
            .gatekeeper = gatekeeper_,
            .index = index_,
            .clock = *clock_,
            .authenticator = *authenticator_,
            .curfew = curfew_,
            .rates = options_.rate_limits ? &rates_ : nullptr,
            .tokens = options_.tokens,
            .isolated = options_.isolate_surfaces};
  }

  ObservationSetupParts observation_parts() {
    return {.store = *store_,
            .gatekeeper = gatekeeper_,
            .index = index_,
            .clock = *clock_,
            .ids = ids_,
            .rates = rates_,
            .jobs = jobs_,
            .rate_limits = options_.rate_limits,
            .public_url = options_.hosts.public_url,
            .advance_clock = clock_mover()};
  }

  // Empty unless the clock can be moved.
  std::function<void(int64_t)> clock_mover() {
    auto* movable = dynamic_cast<OffsetClock*>(clock_.get());
    if (movable == nullptr) return {};
    return [movable](int64_t seconds) { movable->advance(std::chrono::seconds(seconds)); };
  }

  surface::native::Services services() {
    return {.memories = memories_,
            .objects = objects_,
            .search = search_,
            .context = context_,
            .admin = admin_,
            .archive = archive_,
            .care = care_,
            .events = events_};
  }

  bool knows(const access::Credentials& credentials) const {
    return authenticator_->authenticate(credentials).has_value();
  }

  surface::native::ServerFace face() {
    surface::native::ServerFace face{.version = std::string(kVersion),
                                     .contract_version = options_.continuity.contract_version,
                                     .metrics = [this] { return metrics_.text(); },
                                     .now = [this] { return clock_->now(); },
                                     .ready = [this] { return ready_.load(); },
                                     .knows_caller =
                                         [this](const http::Request& request) {
                                           return knows(http::step::credentials_of(request));
                                         }};
    if (options_.rate_limits) {
      face.rate_limit = [this](const CallContext& call) { return check_rate(call); };
    }
    face.advance_clock = clock_mover();
    return face;
  }

  // The local owner has nobody to be protected from; health and metrics are asked by nobody in
  // particular.
  std::optional<Error> check_rate(const CallContext& call) {
    if (call.local_owner || call.principal.empty()) return std::nullopt;
    const auto state =
        rates_.spend("native/" + call.principal.value, {.limit = options_.requests_per_minute});
    if (state.allowed) return std::nullopt;
    return Error{
        .code = ErrorCode::kRateLimited,
        .message = fmt::format("This principal may make {} requests a minute; try again in {} s.",
                               state.limit, state.retry_after_seconds),
        .retry_after_seconds = state.retry_after_seconds};
  }

  // About how many objects there are, for the progress bar.
  Result<int64_t> objects_in_store() {
    HOLDFAST_TRY(const auto txn, store_->begin_read(kNoDeadline));
    return txn->position();
  }

  void add_metrics() {
    metrics_.add_gauge("holdfast_store_bytes", "Size of the store's file.",
                       [this] { return static_cast<double>(store_->sizes().file_bytes); });
    metrics_.add_gauge("holdfast_store_wal_bytes", "Size of the store's write-ahead log.",
                       [this] { return static_cast<double>(store_->sizes().wal_bytes); });
    add_index_metric("holdfast_index_documents", "Objects in the search index.",
                     [](const search::SpaceSizes& s) { return static_cast<double>(s.documents); });
    add_index_metric("holdfast_index_parts", "Parts of the search index.",
                     [](const search::SpaceSizes& s) { return static_cast<double>(s.parts); });
    add_index_metric("holdfast_index_working", "Spaces whose index is being flushed or merged.",
                     [](const search::SpaceSizes& s) { return s.has_work ? 1.0 : 0.0; });
    metrics_.add_counter("holdfast_jobs_succeeded_total", "Background jobs done.",
                         [this] { return static_cast<double>(jobs_.counts().succeeded); });
    metrics_.add_counter("holdfast_jobs_failed_total", "Background jobs given up.",
                         [this] { return static_cast<double>(jobs_.counts().failed); });
    metrics_.add_gauge("holdfast_mcp_sessions", "Open MCP sessions.",
                       [this] { return static_cast<double>(mcp_server_.sessions()); });
    metrics_.add_gauge("holdfast_mcp_streams", "Standing MCP streams.",
                       [this] { return static_cast<double>(changes_.open()); });
    metrics_.add_gauge("holdfast_event_subscribers", "Live event streams.",
                       [this] { return static_cast<double>(events_.subscribers()); });
  }

  // The sum over all spaces.
  void add_index_metric(const std::string& name, const std::string& help,
                        const std::function<double(const search::SpaceSizes&)>& of) {
    metrics_.add_gauge(name, help, [this, of] {
      double sum = 0;
      for (const auto& [space, sizes] : index_.sizes()) sum += of(sizes);
      return sum;
    });
  }

  Curfew curfew_;  // of calls to other servers
  const EngineOptions options_;
  const std::unique_ptr<FolderLock> lock_;
  const std::unique_ptr<Clock> clock_;
  const NounCatalog nouns_;
  const std::unique_ptr<storage::Store> store_;
  const access::Gatekeeper gatekeeper_;
  const std::unique_ptr<access::Authenticator> authenticator_;
  std::unique_ptr<access::KeySource> oauth_keys_;
  std::unique_ptr<access::Authenticator> oauth_;
  const LaterClock id_clock_;
  UlidGenerator ids_;
  access::RateLimiter rates_;
  search::StoreSource index_source_;
  search::Index index_;
  service::EventHub events_;
  std::unique_ptr<embed::Embedder> embedder_;
  std::unique_ptr<service::EmbeddingService> embeddings_;
  jobs::JobRunner jobs_;
  service::MemoryService memories_;
  service::ObjectService objects_;
  service::SearchService search_;
  service::ContextService context_;
  service::AdminService admin_;
  service::ArchiveService archive_;
  service::CareService care_;
  SubstrateParts substrate_;
  std::atomic<bool> ready_ = false;
  std::atomic<bool> closed_ = false;
  const wire::PlainDialect plain_;
  const http::SurfaceMount fallback_;
  http::Router router_;
  http::Metrics metrics_;
  http::RouteMetrics& mcp_metrics_ = metrics_.route("mcp", "/mcp", "POST");
  const std::unique_ptr<surface::native::Surface> native_;
  mcp::Changes changes_;
  mcp::Registry registry_;
  mcp::Server mcp_server_;
  const std::unique_ptr<surface::mcp::Surface> mcp_;
  const std::unique_ptr<OwnershipRoute> ownership_;
  const std::unique_ptr<ChatSetup> chat_;
  const std::unique_ptr<ContinuitySetup> continuity_;
  RecallParts recall_;
  const std::unique_ptr<ObservationSetup> observations_;
  const http::Pipeline pipeline_;
};

// Asks the endpoint how long its vectors are, where the settings do not say.
Status find_dimensions(embed::OpenAiOptions& embeddings) {
  if (embeddings.dimensions > 0) return {};
  const auto length = embed::ask_dimensions(embeddings);
  if (length) return embeddings.dimensions = *length, Status();
  return unavailable(fmt::format(
      "The embedding endpoint {} does not answer ({}). Start it, set vector.dimensions, or turn "
      "vector.mode off.",
      embeddings.endpoint.base_url, length.error().message));
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::create(const EngineOptions& wanted) {
  EngineOptions options = wanted;
  if (options.vectors) HOLDFAST_CHECK_OK(find_dimensions(options.embeddings));
  HOLDFAST_TRY(const auto blocks, chat_blocks(options.chat));
  HOLDFAST_CHECK_OK(prepare_folder(options.paths));
  HOLDFAST_TRY(auto lock, FolderLock::acquire(options.paths));
  auto clock = make_clock(options.test_clock);
  HOLDFAST_TRY(auto store,
               storage::open_sqlite_store({.path = options.paths.database, .clock = *clock}));
  const Timestamp resumed = resume_time(*store, engine_call(), *clock);
  auto engine = std::make_unique<RealEngine>(options, std::move(lock), std::move(clock),
                                             std::move(store), resumed, blocks);
  HOLDFAST_CHECK_OK(engine->offer_tools());
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace holdfast::app
