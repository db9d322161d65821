#include "search/store_source.h"

#include <limits>

#include "base/log.h"

namespace holdfast::search {

Result<std::vector<SpaceId>> StoreSource::spaces() {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(const auto spaces, txn->spaces(gatekeeper_.engine_admin()));
  std::vector<SpaceId> ids;
  for (const storage::Space& space : spaces) ids.push_back(space.id);
  return ids;
}

Result<std::optional<DocumentSource::Newest>> StoreSource::newest(const SpaceId& space) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(const auto entries,
               txn->journal_before(gatekeeper_.engine_access(space),
                                   std::numeric_limits<JournalPosition>::max(), 1));
  if (entries.empty()) return std::optional<Newest>();
  return std::optional<Newest>({.position = entries[0].position, .at = entries[0].at});
}

Result<std::vector<SourceObject>> StoreSource::objects_after(const SpaceId& space,
                                                             ObjectNumber after, size_t limit) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  HOLDFAST_TRY(auto page,
               txn->scan(gatekeeper_.engine_access(space),
                         {.after = storage::ScanPosition{.number = after}, .limit = limit}));
  std::vector<SourceObject> objects;
  for (Object& object : page.objects) objects.push_back(with_projection(std::move(object)));
  return objects;
}

Result<std::vector<SourceChange>> StoreSource::changes_after(const SpaceId& space,
                                                             JournalPosition after, size_t limit) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
  const access::SpaceAccess access = gatekeeper_.engine_access(space);
  HOLDFAST_TRY(const auto entries, txn->journal_after(access, after, limit));
  std::vector<SourceChange> changes;
  for (const JournalEntry& entry : entries) {
    SourceChange change{.position = entry.position,
                        .at = entry.at,
                        .key = entry.key,
                        .erased = entry.action == journal_action::kErased};
    auto object = txn->get(access, entry.key);
    if (object) {
      change.now = with_projection(std::move(*object));
    } else if (object.error().code != ErrorCode::kNotFound) {
      return std::move(object).error();
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

// An object whose noun is unknown or whose body cannot be read is listed, but has no text.
SourceObject StoreSource::with_projection(Object object) const {
  Projection projection;
  if (const NounEntry* noun = nouns_.find(object.key.kind)) {
    auto made = noun->project(object);
    if (made) {
      projection = std::move(*made);
    } else {
      log::warn("index_unreadable_object",
                {{"kind", object.key.kind}, {"detail", made.error().detail}});
    }
  }
  return {.object = std::move(object), .projection = std::move(projection)};
}

}  // namespace holdfast::search
