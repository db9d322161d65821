// The writes of objects: put, remove, erase, count.
#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "storage/sqlite/projection_text.h"
#include "storage/sqlite/write_txn.h"

namespace holdfast::storage::sqlite {
namespace {

using std::chrono::microseconds;

Error exists_already(const ObjectKey& key) {
  return Error{.code = ErrorCode::kAlreadyExists,
               .reason = std::string(reason::kExists),
               .message = fmt::format("There is already a {} '{}'.", key.kind, key.id)};
}

Error stale(const Object& object) {
  return conflict(reason::kRevisionConflict,
                  fmt::format("The {} '{}' was changed meanwhile; it is at revision {}. Read it "
                              "again and repeat the change.",
                              object.key.kind, object.key.id, object.revision));
}

// What the put indexes; counters of the object it replaces are carried over.
Result<IndexedProjection> indexed(const Projection& projection, const StoredObject* old) {
  IndexedProjection index{.facets = normalised(projection.facets),
                          .links = normalised(projection.links)};
  if (old != nullptr && may_have_counters(old->facets)) {
    HOLDFAST_TRY(const FacetSet before, read_facets(old->facets));
    for (const Facet& facet : before.facets) {
      const bool counter = std::ranges::find(before.counters, facet.name) != before.counters.end();
      if (!counter || std::ranges::find(index.facets.facets, facet.name, &Facet::name) !=
                          index.facets.facets.end()) {
        continue;
      }
      index.facets.facets.push_back(facet);
      index.facets.counters.push_back(facet.name);
    }
    std::ranges::sort(index.facets.facets);
  }
  index.facets_text = write_facets(index.facets);
  index.links_text = write_links(index.links);
  if (!is_valid_utf8(index.facets_text) || !is_valid_utf8(index.links_text)) {
    return invalid_argument("Facets and links must be valid UTF-8.");
  }
  return index;
}

Result<int64_t> count_up(FacetSet& set, const CountStep& step) {
  auto& facets = set.facets;
  auto counter = std::ranges::find_if(
      facets, [&](const Facet& f) { return f.is_number && f.name == step.facet; });
  if (counter == facets.end()) {
    counter = facets.insert(counter, Facet::of(step.facet, int64_t{0}));
    set.counters.push_back(step.facet);
  }
  int64_t value = 0;
  if (__builtin_add_overflow(counter->number, step.delta, &value)) {
    return invalid_argument("The counter has no room for that.");
  }
  counter->number = value;
  return value;
}

Object state_from(Put& put) {
  return Object{.key = std::move(put.key),
                .state = std::move(put.state),
                .body = std::move(put.body),
                .label = std::move(put.label)};
}

}  // namespace

Result<Object> SqliteWriteTxn::put(const access::SpaceAccess& access, Put put) {
  HOLDFAST_TRY(const Object* stored, put_here(access, std::move(put)));
  return *stored;
}

Status SqliteWriteTxn::add(const access::SpaceAccess& access, Put put) {
  HOLDFAST_CHECK_OK(put_here(access, std::move(put)));
  return {};
}

Result<const Object*> SqliteWriteTxn::put_here(const access::SpaceAccess& access, Put&& put) {
  if (put.key.kind.empty() || put.key.id.empty()) {
    return invalid_argument("An object needs a kind and an id.");
  }
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  if (put.fresh) return create(space, access, std::move(put));
  HOLDFAST_TRY(auto old, find_object(db_, space, put.key));
  if (!old) return create(space, access, std::move(put));
  if (!access.may_see(old->object.label)) {
    return put.expected == 0 ? exists_already(put.key) : not_found(put.key.kind, put.key.id);
  }
  if (put.expected == 0) return exists_already(put.key);
  if (put.expected && *put.expected != old->object.revision) return stale(old->object);
  return replace(space, access, std::move(put), *old);
}

Result<const Object*> SqliteWriteTxn::create(SpaceNumber space, const access::SpaceAccess& access,
                                             Put&& put) {
  if (put.expected && *put.expected != 0) return not_found(put.key.kind, put.key.id);
  std::optional<Object> last;
  if (!put.fresh) {
    HOLDFAST_TRY(last, last_state(db_, space, put.key));
  }
  // Making it anew would show its history, which belongs to those who could see the deleted object.
  if (last && !access.may_see(last->label)) {
    return put.expected == 0 ? exists_already(put.key) : not_found(put.key.kind, put.key.id);
  }
  HOLDFAST_TRY(const auto index, indexed(put.projection, nullptr));
  Object object = state_from(put);
  object.number = ledger_.next_object(access.space());
  object.revision = last ? last->revision + 1 : 1;
  object.created_at = put.created_at.value_or(now_);
  object.updated_at = put.updated_at.value_or(put.created_at.value_or(now_));
  if (last) object.updated_at = std::max(object.updated_at, last->updated_at + microseconds(1));
  JournalEntry entry =
      next_entry(object, put.action.empty() ? journal_action::kCreated : put.action, put.message);
  object.position = entry.position;
  const bool plain = index.facets_text.empty() && index.links_text.empty();
  if (put.fresh && plain && changes_ != nullptr) {
    const Object* const made =
        recorded(access.space(), std::move(object), std::move(put.projection), std::move(entry));
    HOLDFAST_CHECK_OK(new_objects_.add(space));
    return made;
  }
  HOLDFAST_CHECK_OK(insert_object(db_, space, object, index));
  HOLDFAST_CHECK_OK(insert_journal_entry(db_, space, entry));
  return recorded(access.space(), std::move(object), std::move(put.projection), std::move(entry));
}

Result<const Object*> SqliteWriteTxn::replace(SpaceNumber space, const access::SpaceAccess& access,
                                              Put&& put, StoredObject& old) {
  HOLDFAST_TRY(const auto index, indexed(put.projection, &old));
  Object& before = old.object;
  if (before.body == put.body && before.state == put.state && before.label == put.label) {
    if (old.facets != index.facets_text || old.links != index.links_text) {
      HOLDFAST_CHECK_OK(refresh_projection(db_, space, old, index));
      return recorded(access.space(), std::move(before), std::move(put.projection), {});
    }
    return kept(std::move(before));
  }
  Object object = state_from(put);
  object.number = before.number;
  object.revision = before.revision + 1;
  object.created_at = put.created_at.value_or(before.created_at);
  object.updated_at = std::max(put.updated_at.value_or(now_), before.updated_at + microseconds(1));
  JournalEntry entry =
      next_entry(object, put.action.empty() ? journal_action::kUpdated : put.action, put.message);
  object.position = entry.position;
  HOLDFAST_CHECK_OK(insert_revision(db_, space, before, /*deleted=*/false));
  HOLDFAST_CHECK_OK(replace_object(db_, space, object, old, index));
  HOLDFAST_CHECK_OK(insert_journal_entry(db_, space, entry));
  return recorded(access.space(), std::move(object), std::move(put.projection), std::move(entry));
}

Status SqliteWriteTxn::remove(const access::SpaceAccess& access, const ObjectKey& key,
                              std::string_view message) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  HOLDFAST_TRY(auto old, find_object(db_, space, key));
  if (!old || !access.may_see(old->object.label)) return not_found(key.kind, key.id);
  HOLDFAST_CHECK_OK(retire(access.space(), space, *old));
  Object gone = std::move(old->object);
  gone.body.clear();
  ++gone.revision;
  gone.updated_at = std::max(now_, gone.updated_at + microseconds(1));
  JournalEntry entry = next_entry(gone, journal_action::kDeleted, message);
  gone.position = entry.position;
  HOLDFAST_CHECK_OK(insert_revision(db_, space, gone, /*deleted=*/true));
  HOLDFAST_CHECK_OK(insert_journal_entry(db_, space, entry));
  record(access.space(), Change::What::kDeleted, std::move(gone), {}, std::move(entry));
  return {};
}

Status SqliteWriteTxn::erase(const access::SpaceAccess& access, const ObjectKey& key,
                             std::string_view message) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  HOLDFAST_TRY(auto current, find_object(db_, space, key));
  HOLDFAST_TRY(auto past, last_state(db_, space, key));
  if (!current && !past) return not_found(key.kind, key.id);
  Object gone = current ? std::move(current->object) : std::move(*past);
  if (!access.may_see(gone.label)) return not_found(key.kind, key.id);
  gone.body.clear();
  ++gone.revision;
  gone.updated_at = std::max(now_, gone.updated_at + microseconds(1));
  HOLDFAST_CHECK_OK(wipe(access.space(), space, key));
  JournalEntry entry = next_entry(gone, journal_action::kErased, message);
  gone.position = entry.position;
  HOLDFAST_CHECK_OK(insert_journal_entry(db_, space, entry));
  record(access.space(), Change::What::kErased, std::move(gone), {}, std::move(entry));
  return {};
}

Result<std::vector<int64_t>> SqliteWriteTxn::count(const access::SpaceAccess& access,
                                                   const ObjectKey& key,
                                                   const std::vector<CountStep>& steps) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  HOLDFAST_TRY(const auto old, find_object(db_, space, key));
  if (!old || !access.may_see(old->object.label)) return not_found(key.kind, key.id);
  IndexedProjection index{.links_text = old->links};
  HOLDFAST_TRY(index.facets, read_facets(old->facets));
  std::vector<int64_t> values;
  for (const CountStep& step : steps) {
    HOLDFAST_TRY(values.emplace_back(), count_up(index.facets, step));
  }
  std::ranges::sort(index.facets.facets);
  index.facets_text = write_facets(index.facets);
  HOLDFAST_CHECK_OK(refresh_projection(db_, space, *old, index));
  return values;
}

}  // namespace holdfast::storage::sqlite
