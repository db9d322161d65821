#include "app/observation_setup.h"

#include "base/digest.h"
#include "base/log.h"
#include "base/mutex.h"
#include "service/observation/account_service.h"
#include "service/observation/attachment_service.h"
#include "service/observation/budgets.h"
#include "service/observation/link_signer.h"
#include "service/observation/observation_service.h"
#include "service/observation/receipts.h"
#include "service/observation/registry_service.h"
#include "service/observation/statistics.h"
#include "service/observation/text_matches.h"
#include "surface/observations/surface.h"

namespace holdfast::app {
namespace {

namespace observation = service::observation;

constexpr std::string_view kSecretName = "observations_secret";
constexpr size_t kSecretBytes = 32;

CallContext observations_call() {
  return {.surface = "observations",
          .principal = PrincipalId{"engine"},
          .scopes = {"admin"},
          .trust_tier = 4,
          .viewer = {.every_owner = true,
                     .reach = Visibility::kOwner,
                     .clearance = Sensitivity::kSensitive},
          .local_owner = true};
}

// Signs cursors and links; the same as long as the store lives. One that cannot be kept is good
// until the end of the process.
std::string load_secret(storage::Store& store, const access::Gatekeeper& gatekeeper) {
  const auto secret = storage::write_returning<std::string>(
      store, observations_call(), [&](storage::WriteTxn& txn) -> Result<std::string> {
        HOLDFAST_TRY(const auto known, txn.meta(kSecretName));
        if (known) return *known;
        const std::string made = to_hex(random_bytes(kSecretBytes));
        HOLDFAST_CHECK_OK(txn.set_meta(gatekeeper.engine_admin(), kSecretName, made));
        return made;
      });
  if (secret) return *secret;
  log::warn("secret_not_kept", {{"detail", secret.error().message}});
  return to_hex(random_bytes(kSecretBytes));
}

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

class RealObservationSetup : public ObservationSetup {
 public:
  RealObservationSetup(http::Router& router, const ObservationSetupParts& parts)
      : parts_(parts),
        secret_(load_secret(parts.store, parts.gatekeeper)),
        public_url_(without_slash(parts.public_url)),
        links_(secret_, parts.clock),
        budgets_(parts.rates, parts.rate_limits),
        receipts_(parts.store, parts.gatekeeper),
        statistics_(parts.store, parts.gatekeeper, parts.index),
        texts_(parts.store, parts.gatekeeper, parts.index),
        observations_({.store = parts.store,
                       .gatekeeper = parts.gatekeeper,
                       .index = parts.index,
                       .ids = parts.ids,
                       .budgets = budgets_,
                       .statistics = statistics_,
                       .texts = texts_}),
        registry_({.store = parts.store,
                   .gatekeeper = parts.gatekeeper,
                   .ids = parts.ids,
                   .statistics = statistics_}),
        attachments_({.store = parts.store,
                      .gatekeeper = parts.gatekeeper,
                      .ids = parts.ids,
                      .clock = parts.clock}),
        accounts_({.store = parts.store,
                   .gatekeeper = parts.gatekeeper,
                   .ids = parts.ids,
                   .clock = parts.clock}),
        surface_(surface::observations::mount(router,
                                              {.observations = observations_,
                                               .registry = registry_,
                                               .attachments = attachments_,
                                               .accounts = accounts_,
                                               .receipts = receipts_,
                                               .budgets = budgets_,
                                               .links = links_},
                                              face())) {
    add_jobs();
  }

  Status seed(const observation::RegistrySeeds& seeds,
              const storage::WriteClosure& people) override {
    const CallContext call = observations_call();
    return parts_.store.write(call, [&](storage::WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(people(txn));
      HOLDFAST_TRY(observation::Mutation mutation,
                   observation::Mutation::begin(call, txn, parts_.gatekeeper));
      return observation::seed(mutation, parts_.gatekeeper, observations_, seeds);
    });
  }

  void serving_at(const std::string& url) override {
    const MutexLock lock(mutex_);
    if (public_url_.empty()) public_url_ = without_slash(url);
  }

  Status start() override { return statistics_.start(); }
  void stop() override { statistics_.stop(); }

 private:
  surface::observations::Face face() {
    return {.cursor_secret = secret_,
            .public_url =
                [this] {
                  const MutexLock lock(mutex_);
                  return public_url_;
                },
            .now = [&clock = parts_.clock] { return clock.now(); },
            .advance_clock = parts_.advance_clock};
  }

  void add_jobs() {
    parts_.jobs.add({.queue = std::string(observation::kUnfinishedQueue),
                     .run = [this](const storage::Job& job) -> Result<storage::WriteClosure> {
                       return storage::WriteClosure(
                           [this, space = job.space, id = job.payload](storage::WriteTxn& txn) {
                             return attachments_.remove_unfinished(txn, space, id);
                           });
                     }});
    parts_.jobs.add({.queue = std::string(observation::kPurgeQueue),
                     .run = [this](const storage::Job& job) -> Result<storage::WriteClosure> {
                       return storage::WriteClosure([this, space = job.space, id = job.payload](
                                                        storage::WriteTxn& txn) -> Status {
                         const Status erased = txn.erase(
                             parts_.gatekeeper.engine_access(space),
                             {.kind = observation::observation_noun().kind, .id = id}, "");
                         const bool gone = !erased && erased.error().code == ErrorCode::kNotFound;
                         return gone ? Status() : erased;
                       });
                     }});
  }

  const ObservationSetupParts parts_;
  const std::string secret_;
  Mutex mutex_;
  std::string public_url_ HOLDFAST_GUARDED_BY(mutex_);
  const observation::LinkSigner links_;
  observation::Budgets budgets_;
  observation::Receipts receipts_;
  observation::Statistics statistics_;
  observation::TextMatches texts_;
  observation::ObservationService observations_;
  observation::RegistryService registry_;
  observation::AttachmentService attachments_;
  observation::AccountService accounts_;
  const std::unique_ptr<surface::observations::Surface> surface_;
};

}  // namespace

void add_observation_nouns(NounCatalog& nouns) {
  nouns.add(observation::observation_noun());
  nouns.add(observation::workspace_noun());
  nouns.add(observation::member_noun());
  nouns.add(observation::repositories_noun());
  nouns.add(observation::subcortex_noun());
  nouns.add(observation::thread_noun());
  nouns.add(observation::comment_noun());
  nouns.add(observation::artifact_noun());
  nouns.add(observation::task_noun());
  nouns.add(observation::attachment_noun());
  nouns.add(observation::api_key_noun());
}

std::unique_ptr<ObservationSetup> set_up_observations(http::Router& router,
                                                      const ObservationSetupParts& parts) {
  return std::make_unique<RealObservationSetup>(router, parts);
}

}  // namespace holdfast::app
