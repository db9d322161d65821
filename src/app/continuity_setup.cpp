#include "app/continuity_setup.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "app/version.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/graph_service.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/schedule_service.h"
#include "service/continuity/task_service.h"
#include "surface/continuity/capsule_operations.h"
#include "surface/continuity/surface.h"
#include "surface/continuity/ui/ui.h"

namespace holdfast::app {
namespace {

namespace continuity = service::continuity;

constexpr std::array<std::string_view, 9> kScopes = {
    "read:files", "read:index",      "write:journal", "write:messages",  "write:projects",
    "search",     "compact:trigger", "admin:peers",   "replication:sync"};

// The published rule: what is no number is the default, what is out of range is clamped.
int64_t clamped(const Settings& settings, std::string_view name, int64_t otherwise, int64_t min,
                int64_t max) {
  const std::string text = settings.text(name);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return otherwise;
  return std::clamp(number, min, max);
}

// token, token:scope, token:scope|scope…
Result<access::ScopedToken> token_of(const std::string& entry, size_t number) {
  access::ScopedToken token{.peer_id = fmt::format("peer-{}", number)};
  const size_t colon = entry.find(':');
  token.token = entry.substr(0, colon);
  if (colon == std::string::npos) {
    token.scopes = continuity_scopes();
    return token;
  }
  for (std::string_view rest = std::string_view(entry).substr(colon + 1); !rest.empty();) {
    const size_t bar = rest.find('|');
    const std::string_view scope = rest.substr(0, bar);
    rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
    if (std::ranges::find(kScopes, scope) == kScopes.end())
      return invalid_argument(fmt::format("COGNIRELAY_TOKENS has the unknown scope '{}'.", scope));
    token.scopes.emplace_back(scope);
  }
  return token;
}

class RealContinuitySetup : public ContinuitySetup {
 public:
  RealContinuitySetup(http::Router& router, const ContinuityOptions& options,
                      const SurfaceParts& parts)
      : options_(options),
        store_(parts.store),
        shelf_(parts.store, parts.gatekeeper),
        trail_(parts.store, parts.gatekeeper),
        capsules_(parts.store, parts.gatekeeper, parts.clock),
        schedule_(parts.store, parts.gatekeeper, parts.index, parts.clock, options_.settings),
        tasks_(parts.store, parts.gatekeeper, parts.index, parts.clock),
        coordination_(parts.store, parts.gatekeeper, parts.index, parts.clock),
        graph_(parts.index),
        reads_(parts.store, parts.gatekeeper, shelf_, parts.clock, trail_, options_.settings,
               sources()),
        retrieval_(
            parts.store, parts.gatekeeper, parts.index, parts.clock, trail_, graph_, schedule_,
            parts.isolated ? continuity::Reach::kThisSurface : continuity::Reach::kEverySurface),
        plans_(parts.store, parts.gatekeeper, shelf_, parts.clock, trail_, options_.settings),
        tokens_(parts.tokens && !options_.tokens.empty()
                    ? access::make_scoped_authenticator(options_.tokens, parts.authenticator)
                    : nullptr),
        surface_(surface::continuity::mount(router, operations(), face(parts))),
        ui_(options_.ui ? surface::continuity::ui::mount(router, ui_face()) : nullptr) {
    store_.add_listener(shelf_);
  }
  ~RealContinuitySetup() override { store_.remove_listener(shelf_); }

  void start() override { shelf_.start(); }
  void stop() override {
    shelf_.stop();
    trail_.flush();
  }

 private:
  continuity::StartupSources sources() {
    continuity::StartupSources sources;
    sources.graph = [this](const continuity::Request& request, const continuity::Access& access,
                           storage::ReadTxn& txn, const continuity::Subject& subject) {
      return graph_.around(request, access, txn, subject, continuity::kStartupCaps);
    };
    sources.schedule = [this](const continuity::Request& request, const continuity::Access& access,
                              storage::ReadTxn& txn, const continuity::Subject& subject) {
      return schedule_.context(request, access, txn, {subject});
    };
    return sources;
  }

  std::vector<surface::continuity::Operation> operations() {
    const surface::continuity::Services services{.capsules = capsules_,
                                                 .reads = reads_,
                                                 .schedule = schedule_,
                                                 .tasks = tasks_,
                                                 .retrieval = retrieval_,
                                                 .plans = plans_};
    auto all = surface::continuity::capsule_operations(services);
    std::ranges::move(surface::continuity::work_operations(services), std::back_inserter(all));
    std::ranges::move(surface::continuity::coordination_operations(coordination_),
                      std::back_inserter(all));
    return all;
  }

  surface::continuity::Face face(const SurfaceParts& parts) const {
    surface::continuity::Face face{.authenticator = tokens_.get(),
                                   .token_limit = options_.token_limit,
                                   .address_limit = options_.address_limit,
                                   .payload_limit = options_.payload_limit,
                                   .version = std::string(kVersion),
                                   .contract_version = options_.contract_version,
                                   .now = [&clock = parts.clock] { return clock.now(); },
                                   .mcp = options_.mcp};
    face.position = [&store = parts.store]() -> Result<std::string> {
      HOLDFAST_TRY(const auto txn, store.begin_read(kNoDeadline));
      return continuity::position_text(*txn);
    };
    if (parts.rates != nullptr) {
      face.rate_limit = [rates = parts.rates](const std::string& bucket,
                                              int64_t limit) -> std::optional<int64_t> {
        const auto state = rates->spend(bucket, {.limit = limit});
        if (state.allowed) return std::nullopt;
        return state.retry_after_seconds;
      };
    }
    return face;
  }

  surface::continuity::ui::Face ui_face() {
    return {.owner = *owner_,
            .operations = surface_->operations(),
            .reads = reads_,
            .tasks = tasks_,
            .posture = options_.posture};
  }

  const ContinuityOptions options_;
  storage::Store& store_;
  continuity::Shelf shelf_;
  continuity::AccessTrail trail_;
  continuity::CapsuleService capsules_;
  continuity::ScheduleService schedule_;
  continuity::TaskService tasks_;
  continuity::CoordinationService coordination_;
  continuity::GraphService graph_;
  continuity::ReadService reads_;
  continuity::RetrieveService retrieval_;
  continuity::PlanService plans_;
  const std::unique_ptr<access::Authenticator> tokens_;
  // Whoever looks at the pages; they ask for no credential.
  const std::unique_ptr<access::Authenticator> owner_ = access::make_open_authenticator();
  const std::unique_ptr<surface::continuity::Surface> surface_;
  const std::unique_ptr<surface::continuity::ui::Ui> ui_;
};

}  // namespace

Result<ContinuityOptions> continuity_options(const Settings& settings) {
  ContinuityOptions options;
  const auto number = [&](std::string_view name, int64_t otherwise, int64_t min, int64_t max) {
    return clamped(settings, name, otherwise, min, max);
  };
  options.settings = {
      .retention_days = number("continuity.retention_archive_days", 90, 1, INT32_MAX),
      .due_limit = number("continuity.schedule_due_limit", 10, 1, 100),
      .upcoming_limit = number("continuity.schedule_upcoming_limit", 5, 0, 100),
      .upcoming_window_hours = number("continuity.schedule_upcoming_window_hours", 72, 1, 720)};
  options.token_limit = number("continuity.token_rate_limit_per_min", 240, 1, INT32_MAX);
  options.address_limit = number("continuity.ip_rate_limit_per_min", 480, 1, INT32_MAX);
  options.payload_limit = number("continuity.max_payload_bytes", 262'144, 1024, INT32_MAX);
  options.contract_version = settings.text("continuity.contract_version");
  HOLDFAST_TRY(options.mcp, settings.boolean("continuity.mcp"));
  HOLDFAST_TRY(options.ui, settings.boolean("continuity.ui"));
  HOLDFAST_TRY(options.posture.require_localhost,
               settings.boolean("continuity.ui_require_localhost"));
  options.posture.poll_seconds = number("continuity.ui_poll_seconds", 5, 1, 60);
  for (const std::string& entry : settings.list("continuity.tokens")) {
    HOLDFAST_TRY(options.tokens.emplace_back(), token_of(entry, options.tokens.size() + 1));
  }
  return options;
}

std::vector<std::string> continuity_scopes() { return {kScopes.begin(), kScopes.end()}; }

void add_continuity_nouns(NounCatalog& nouns) {
  nouns.add(continuity::capsule_noun());
  nouns.add(continuity::fallback_noun());
  nouns.add(continuity::archive_noun());
  nouns.add(continuity::path_noun());
  nouns.add(continuity::file_noun());
  nouns.add(continuity::reminder_noun());
  nouns.add(continuity::task_noun());
  nouns.add(continuity::peer_noun());
  nouns.add(continuity::plan_noun());
  nouns.add(continuity::handoff_noun());
  nouns.add(continuity::shared_noun());
  nouns.add(continuity::reconciliation_noun());
}

std::unique_ptr<ContinuitySetup> set_up_continuity(http::Router& router,
                                                   const ContinuityOptions& options,
                                                   const SurfaceParts& parts) {
  return std::make_unique<RealContinuitySetup>(router, options, parts);
}

}  // namespace holdfast::app
