// A store of one process for tests: objects, a journal, and the commits that a listener would see.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/gatekeeper.h"
#include "base/mutex.h"
#include "search/source.h"
#include "storage/change.h"

namespace holdfast::search {

class FakeSource : public DocumentSource {
 public:
  // Creates or replaces; returns the change to pass to Index::on_commit.
  storage::Change put(const SpaceId& space, const std::string& kind, const std::string& id,
                      const Label& label, const Projection& projection) {
    const MutexLock lock(mutex_);
    Space& in = spaces_[space];
    ObjectKey key{kind, id};
    ObjectNumber number = 0;
    if (const auto it = in.numbers.find(key); it != in.numbers.end()) number = it->second;
    if (number == 0) number = in.next_number++;
    in.numbers[key] = number;
    Object object{.key = key, .number = number, .label = label, .created_at = from_micros(number)};
    in.objects[number] = {object, projection};
    return {.space = space,
            .what = storage::Change::What::kPut,
            .object = object,
            .projection = projection,
            .entry = record(in, key, journal_action::kUpdated)};
  }
  storage::Change remove(const SpaceId& space, const ObjectKey& key, bool erase = false) {
    const MutexLock lock(mutex_);
    Space& in = spaces_[space];
    const ObjectNumber number = in.numbers.contains(key) ? in.numbers[key] : in.gone[key];
    in.objects.erase(number);
    in.numbers.erase(key);
    in.gone[key] = number;
    return {.space = space,
            .what = erase ? storage::Change::What::kErased : storage::Change::What::kDeleted,
            .object = {.key = key, .number = number},
            .entry = record(in, key, erase ? journal_action::kErased : journal_action::kDeleted)};
  }

  // As if the last change had not been worth a journal entry.
  void forget_last_entry(const SpaceId& space) {
    const MutexLock lock(mutex_);
    spaces_[space].journal.pop_back();
  }

  Result<std::vector<SpaceId>> spaces() override {
    const MutexLock lock(mutex_);
    std::vector<SpaceId> ids;
    for (const auto& [id, space] : spaces_) ids.push_back(id);
    return ids;
  }
  Result<std::optional<Newest>> newest(const SpaceId& space) override {
    const MutexLock lock(mutex_);
    const auto& journal = spaces_[space].journal;
    if (journal.empty()) return std::optional<Newest>();
    return std::optional<Newest>({journal.back().position, journal.back().at});
  }
  Result<std::vector<SourceObject>> objects_after(const SpaceId& space, ObjectNumber after,
                                                  size_t limit) override {
    const MutexLock lock(mutex_);
    ++scans;
    std::vector<SourceObject> page;
    const auto& objects = spaces_[space].objects;
    for (auto it = objects.upper_bound(after); it != objects.end() && page.size() < limit; ++it) {
      page.push_back(it->second);
    }
    return page;
  }
  Result<std::vector<SourceChange>> changes_after(const SpaceId& space, JournalPosition after,
                                                  size_t limit) override {
    const MutexLock lock(mutex_);
    Space& in = spaces_[space];
    std::vector<SourceChange> page;
    for (const JournalEntry& entry : in.journal) {
      if (entry.position <= after || page.size() >= limit) continue;
      SourceChange change{.position = entry.position,
                          .at = entry.at,
                          .key = entry.key,
                          .erased = entry.action == journal_action::kErased};
      const auto it = in.numbers.find(entry.key);
      if (it != in.numbers.end()) change.now = in.objects[it->second];
      page.push_back(std::move(change));
    }
    return page;
  }

  int scans = 0;  // calls of objects_after: did a rebuild happen?

 private:
  struct Space {
    std::map<ObjectNumber, SourceObject> objects;
    std::map<ObjectKey, ObjectNumber> numbers;
    std::map<ObjectKey, ObjectNumber> gone;
    std::vector<JournalEntry> journal;
    ObjectNumber next_number = 1;
  };

  JournalEntry record(Space& in, const ObjectKey& key, std::string_view action)
      HOLDFAST_REQUIRES(mutex_) {
    ++position_;
    in.journal.push_back({.position = position_,
                          .at = from_micros(1'000'000 + position_),
                          .action = std::string(action),
                          .key = key});
    return in.journal.back();
  }

  Mutex mutex_;
  std::map<SpaceId, Space> spaces_ HOLDFAST_GUARDED_BY(mutex_);
  JournalPosition position_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

// Proofs for tests: any viewer, any space.
class AnySpace : public access::SpaceDirectory {
 public:
  bool space_exists(const SpaceId&) const override { return true; }
};

inline access::SpaceAccess access_for(const Viewer& viewer) {
  static const AnySpace spaces;
  const access::Gatekeeper gatekeeper(spaces, true);
  return *gatekeeper.require({.viewer = viewer, .local_owner = true}, access::Permission::kRead);
}

inline access::SpaceAccess owner_access(const SpaceId& space = kDefaultSpace) {
  static const AnySpace spaces;
  return access::Gatekeeper(spaces, true).engine_access(space);
}

}  // namespace holdfast::search
