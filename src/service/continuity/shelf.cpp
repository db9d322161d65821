#include "service/continuity/shelf.h"

#include <algorithm>
#include <tuple>

#include "base/log.h"
#include "service/continuity/paths.h"

namespace holdfast::service::continuity {
namespace {

// The order of salience up to the age, which is counted in whole seconds.
auto salience_place(const ShelfEntry& entry, int64_t now) {
  const int64_t age = std::max<int64_t>(0, now - entry.updated) / 1'000'000;
  return std::tuple(entry.inadequate, -entry.verification, age);
}

auto salience_key(const ShelfEntry& entry, int64_t now) {
  return std::tuple_cat(std::tuple(entry.lifecycle, entry.health, entry.severity(now)),
                        salience_place(entry, now), std::tie(entry.subject.kind, entry.subject.id));
}

// At most `limit` of one group in their order, with all that are as old as the last one.
class Bucket {
 public:
  bool wants(const ShelfEntry& entry, size_t limit, int64_t now) const {
    return entries_.size() < limit ||
           salience_place(*entries_.back(), now) == salience_place(entry, now);
  }
  void add(const ShelfEntry& entry) { entries_.push_back(&entry); }
  size_t size() const { return entries_.size(); }
  void move_to(std::vector<ShelfEntry>& out, size_t limit, int64_t now) {
    std::ranges::sort(entries_, {},
                      [&](const ShelfEntry* entry) { return salience_key(*entry, now); });
    for (const ShelfEntry* entry : entries_) {
      if (out.size() < limit) out.push_back(*entry);
    }
  }

 private:
  std::vector<const ShelfEntry*> entries_ = {};
};

}  // namespace

bool Shelf::BySubject::operator()(const ShelfEntry* left, const ShelfEntry* right) const {
  const auto place = [](const ShelfEntry& entry) {
    return std::tie(entry.subject.kind, entry.subject.id, entry.state, entry.path, entry.key);
  };
  return place(*left) < place(*right);
}

bool Shelf::BySalience::operator()(const ShelfEntry* left, const ShelfEntry* right) const {
  const auto place = [](const ShelfEntry& entry) {
    return std::tuple(entry.inadequate, -entry.verification, -entry.updated,
                      std::tie(entry.subject.kind, entry.subject.id));
  };
  return place(*left) < place(*right);
}

void Shelf::start() {
  loader_ = std::thread([this] { load(); });
}

void Shelf::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  loaded_changed_.notify_all();
  if (loader_.joinable()) loader_.join();
}

void Shelf::load() {
  std::map<SpaceId, SpaceShelf> spaces;
  const auto read = [&]() -> Status {
    HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
    HOLDFAST_TRY(const auto known, txn->spaces(gatekeeper_.engine_admin()));
    for (const storage::Space& space : known) HOLDFAST_CHECK_OK(load_space(space.id, spaces));
    return {};
  };
  if (const Status done = read(); !done) {
    // A command that is done before the capsules are read has no use for them.
    const MutexLock lock(mutex_);
    if (!stopping_) log::warn("capsules_not_listed", {{"problem", done.error().message}});
    return;
  }
  {
    const MutexLock lock(mutex_);
    for (const storage::Change& change : missed_) apply(change, spaces);
    missed_.clear();
    spaces_ = std::move(spaces);
    loaded_ = true;
  }
  loaded_changed_.notify_all();
}

Status Shelf::await_loaded(MutexLock& lock, Deadline deadline) const {
  while (!loaded_ && !stopping_) {
    if (deadline == kNoDeadline) {
      loaded_changed_.wait(lock);
    } else if (!loaded_changed_.wait_until(lock, deadline)) {
      return Error{.code = ErrorCode::kDeadlineExceeded,
                   .message = "The capsules are still being read; try again."};
    }
  }
  if (!loaded_) return unavailable("The server is stopping.");
  return {};
}

bool Shelf::matches(const access::SpaceAccess& access, const ShelfQuery& query,
                    const ShelfEntry& entry) {
  for (const std::string& wanted : query.traits) {
    if (!entry.has(wanted)) return false;
  }
  return access.may_see(entry.label) && (!query.readable || query.readable(entry));
}

const Shelf::Ordered* Shelf::narrowest(const SpaceShelf& shelf, ArtefactState state,
                                       const std::vector<std::string>& traits) {
  static const Ordered kNothing;
  const auto& sets = shelf.by_trait.at(static_cast<size_t>(state));
  const auto all = sets.find("");
  const Ordered* best = all != sets.end() ? &all->second : &kNothing;
  for (const std::string& wanted : traits) {
    const auto found = sets.find(wanted);
    if (found == sets.end()) return &kNothing;
    if (found->second.size() < best->size()) best = &found->second;
  }
  return best;
}

Result<std::vector<ShelfEntry>> Shelf::list(const access::SpaceAccess& access,
                                            const ShelfQuery& query, Deadline deadline) const {
  std::vector<ShelfEntry> out;
  MutexLock lock(mutex_);
  HOLDFAST_CHECK_OK(await_loaded(lock, deadline));
  const SpaceShelf* shelf = find(access.space());
  if (shelf == nullptr) return out;
  size_t looked_at = 0;
  for (const ArtefactState state : query.states) {
    size_t found = 0;
    for (const ShelfEntry* entry : *narrowest(*shelf, state, query.traits)) {
      if (found == query.limit || looked_at++ >= query.most_looked_at) break;
      if (!matches(access, query, *entry)) continue;
      out.push_back(*entry);
      ++found;
    }
  }
  std::ranges::sort(out, [](const ShelfEntry& left, const ShelfEntry& right) {
    return BySubject()(&left, &right);
  });
  if (out.size() > query.limit) out.resize(query.limit);
  return out;
}

Result<std::vector<ShelfEntry>> Shelf::of_subject(const access::SpaceAccess& access,
                                                  const Subject& subject, const ShelfQuery& query,
                                                  Deadline deadline) const {
  std::vector<ShelfEntry> out;
  MutexLock lock(mutex_);
  HOLDFAST_CHECK_OK(await_loaded(lock, deadline));
  const SpaceShelf* shelf = find(access.space());
  if (shelf == nullptr) return out;
  const ShelfEntry first{.subject = subject};
  for (const auto& sets : shelf->by_trait) {
    const auto all = sets.find("");
    if (all == sets.end()) continue;
    for (auto at = all->second.lower_bound(&first);
         at != all->second.end() && (*at)->subject == subject; ++at) {
      if (matches(access, query, **at)) out.push_back(**at);
    }
  }
  return out;
}

Result<size_t> Shelf::count(const access::SpaceAccess& access, const ShelfQuery& query,
                            Deadline deadline) const {
  MutexLock lock(mutex_);
  HOLDFAST_CHECK_OK(await_loaded(lock, deadline));
  const SpaceShelf* shelf = find(access.space());
  if (shelf == nullptr) return size_t{0};
  const bool all = access.viewer().sees_everything() && !query.readable && query.traits.size() <= 1;
  size_t found = 0;
  for (const ArtefactState state : query.states) {
    const Ordered& entries = *narrowest(*shelf, state, query.traits);
    found += all ? entries.size()
                 : static_cast<size_t>(std::ranges::count_if(entries, [&](const ShelfEntry* entry) {
                     return matches(access, query, *entry);
                   }));
  }
  return found;
}

Status Shelf::visit(const access::SpaceAccess& access, const ShelfQuery& query, Deadline deadline,
                    const std::function<void(const ShelfEntry&)>& visitor) const {
  MutexLock lock(mutex_);
  HOLDFAST_CHECK_OK(await_loaded(lock, deadline));
  const SpaceShelf* shelf = find(access.space());
  if (shelf == nullptr) return {};
  for (const ArtefactState state : query.states) {
    for (const ShelfEntry* entry : *narrowest(*shelf, state, query.traits)) {
      if (matches(access, query, *entry)) visitor(*entry);
    }
  }
  return {};
}

Result<std::vector<ShelfEntry>> Shelf::by_salience(const access::SpaceAccess& access,
                                                   const ShelfQuery& query, Timestamp at,
                                                   Deadline deadline) const {
  constexpr size_t kFew = 1000;
  std::vector<ShelfEntry> out;
  const int64_t now = to_micros(at);
  MutexLock lock(mutex_);
  HOLDFAST_CHECK_OK(await_loaded(lock, deadline));
  const SpaceShelf* shelf = find(access.space());
  if (shelf == nullptr) return out;
  const Ordered* few = narrowest(*shelf, ArtefactState::kActive, query.traits);
  if (few->size() <= kFew) {
    Bucket all;
    for (const ShelfEntry* entry : *few) {
      if (matches(access, query, *entry)) all.add(*entry);
    }
    all.move_to(out, query.limit, now);
    return out;
  }
  for (const auto& [group, entries] : shelf->groups) {
    const size_t room = query.limit - out.size();
    if (room == 0) break;
    std::array<Bucket, 5> buckets;  // by severity
    for (const ShelfEntry* entry : entries) {
      const auto severity = static_cast<size_t>(entry->severity(now));
      const bool wanted = buckets.at(severity).wants(*entry, room, now);
      if (wanted && matches(access, query, *entry)) buckets.at(severity).add(*entry);
      if (!wanted && severity == 0) break;
    }
    for (Bucket& bucket : buckets) bucket.move_to(out, query.limit, now);
  }
  return out;
}

const Shelf::SpaceShelf* Shelf::find(const SpaceId& space) const {
  const auto found = spaces_.find(space);
  return found == spaces_.end() ? nullptr : &found->second;
}

}  // namespace holdfast::service::continuity
