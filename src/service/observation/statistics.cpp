#include "service/observation/statistics.h"

#include "base/log.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

constexpr std::chrono::seconds kFlushEvery{1};
constexpr size_t kStatisticsPage = 1000;

CallContext engine_call() {
  return {.surface = "observations",
          .principal = PrincipalId{"engine"},
          .scopes = {"admin"},
          .local_owner = true};
}

}  // namespace

Statistics::~Statistics() { stop(); }

Status Statistics::start() {
  std::vector<storage::Space> spaces;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    HOLDFAST_TRY(spaces, txn->spaces(gatekeeper_.engine_admin()));
  }
  for (const storage::Space& space : spaces) {
    HOLDFAST_CHECK_OK(load(space.id, counter::kViews));
    HOLDFAST_CHECK_OK(load(space.id, counter::kCitations));
  }
  writer_ = std::thread([this] { work(); });
  return {};
}

// The facet's rows are in the order of its value, so each page tells the values by itself.
Status Statistics::load(const SpaceId& space, std::string_view name) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  const access::SpaceAccess access = gatekeeper_.engine_access(space);
  storage::Scan scan{.kind = observation_noun().kind,
                     .range = storage::Scan::Range{.name = std::string(name), .from = 1},
                     .limit = kStatisticsPage};
  while (true) {
    HOLDFAST_TRY(const storage::Page page, txn->scan(access, scan));
    for (const Object& object : page.objects) {
      HOLDFAST_TRY(const auto facets, txn->facets(access, object.key));
      for (const Facet& facet : facets) {
        if (facet.is_number && facet.name == name)
          index_.counters().set(space, object.number, name, facet.number);
      }
    }
    if (!page.next) return {};
    scan.after = page.next;
  }
}

void Statistics::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    stop_signal_.notify_all();
  }
  if (!writer_.joinable()) return;
  writer_.join();
  flush();
}

void Statistics::work() {
  while (true) {
    {
      MutexLock lock(mutex_);
      const auto until = std::chrono::steady_clock::now() + kFlushEvery;
      while (!stopping_ && stop_signal_.wait_until(lock, until)) {
      }
      if (stopping_) return;
    }
    flush();
  }
}

void Statistics::flush() {
  std::map<Place, Pending> counted;
  {
    const MutexLock lock(mutex_);
    counted.swap(pending_);
  }
  while (!counted.empty()) {
    std::vector<std::pair<SpaceId, Pending>> part;
    while (!counted.empty() && part.size() < kStatisticsPage) {
      auto first = counted.extract(counted.begin());
      part.emplace_back(first.key().first, std::move(first.mapped()));
    }
    const Status written = store_.write(engine_call(), [&](storage::WriteTxn& txn) -> Status {
      for (const auto& [space, views] : part) {
        const auto value =
            txn.count(gatekeeper_.engine_access(space), views.key, counter::kViews, views.views);
        // It may have been deleted since.
        if (!value && value.error().code != ErrorCode::kNotFound) return value.error();
      }
      return {};
    });
    if (!written) log::warn("views_not_kept", {{"detail", written.error().message}});
  }
}

int64_t Statistics::view(const SpaceId& space, const Object& observation) {
  {
    const MutexLock lock(mutex_);
    Pending& pending = pending_[{space, observation.number}];
    pending.key = observation.key;
    ++pending.views;
  }
  return index_.counters().add(space, observation.number, counter::kViews, 1);
}

Stats Statistics::of(const SpaceId& space, ObjectNumber number) const {
  return {.views = index_.counters().value(space, number, counter::kViews),
          .citations = index_.counters().value(space, number, counter::kCitations)};
}

Status Statistics::cite(Mutation& mutation, const std::vector<std::string>& observations,
                        int64_t delta) {
  for (const std::string& id : observations) {
    const ObjectKey key{.kind = observation_noun().kind, .id = id};
    const auto value =
        mutation.write().count(mutation.everything(), key, counter::kCitations, delta);
    if (!value && value.error().code == ErrorCode::kNotFound) continue;
    if (!value) return value.error();
    HOLDFAST_TRY(const Object object, mutation.txn().get(mutation.everything(), key));
    mutation.after_commit([this, space = mutation.eyes().space(), number = object.number, delta] {
      index_.counters().add(space, number, counter::kCitations, delta);
    });
  }
  return {};
}

Status Statistics::seed_views(Mutation& mutation, const Object& observation, int64_t views) {
  if (views == 0) return {};
  const auto value =
      mutation.write().count(mutation.everything(), observation.key, counter::kViews, views);
  if (!value) return value.error();
  return {};
}

}  // namespace holdfast::service::observation
