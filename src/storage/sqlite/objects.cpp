#include "storage/sqlite/objects.h"

#include <algorithm>
#include <iterator>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kFindObject[] = "SELECT " HOLDFAST_OBJECT_COLUMNS
                               ", o.facets, o.links FROM objects o "
                               "WHERE o.space_id = ?1 AND o.kind = ?2 AND o.id = ?3";

constexpr char kLabelNow[] = "SELECT " HOLDFAST_LABEL_COLUMNS(
    "o") " FROM objects o WHERE o.space_id = ?1 AND o.kind = ?2 AND o.id = ?3";

constexpr char kLastLabel[] = "SELECT " HOLDFAST_LABEL_COLUMNS(
    "r") " FROM revisions r WHERE r.space_id = ?1 AND r.kind = ?2 AND r.id = ?3 "
         "ORDER BY r.revision DESC LIMIT 1";

constexpr char kInsertObject[] =
    "INSERT INTO " HOLDFAST_OBJECT_ROW
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

constexpr char kReplaceObject[] =
    "UPDATE objects SET revision = ?2, state = ?3, visibility = ?4, sensitivity = ?5, container = "
    "?6, "
    "owner = ?7, compartments = ?8, updated_at = ?9, position = ?10, facets = ?11, links = ?12, "
    "body = ?13, created_at = ?14 WHERE row_key = ?1";

constexpr char kRefreshObject[] = "UPDATE objects SET facets = ?2, links = ?3 WHERE row_key = ?1";
constexpr char kDeleteObject[] = "DELETE FROM objects WHERE row_key = ?1";

constexpr char kInsertFacet[] =
    "INSERT INTO facets (space_id, kind, name, value, object_number) VALUES (?1, ?2, ?3, ?4, ?5)";
constexpr char kDeleteFacet[] =
    "DELETE FROM facets WHERE space_id = ?1 AND kind = ?2 AND name = ?3 AND value = ?4 "
    "AND object_number = ?5";

constexpr char kInsertLink[] =
    "INSERT INTO links (space_id, to_kind, to_id, relation, from_kind, from_id, provenance) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr char kDeleteLink[] =
    "DELETE FROM links WHERE space_id = ?1 AND to_kind = ?2 AND to_id = ?3 AND relation = ?4 "
    "AND from_kind = ?5 AND from_id = ?6 AND provenance = ?7";

Status write_facet_row(Connection& db, const char* sql, SpaceNumber space, const Object& object,
                       const Facet& facet) {
  if (facet.is_number) {
    return db.run(sql, space, object.key.kind, facet.name, facet.number, object.number);
  }
  return db.run(sql, space, object.key.kind, facet.name, facet.text, object.number);
}

Status write_link_row(Connection& db, const char* sql, SpaceNumber space, const ObjectKey& from,
                      const Link& link) {
  return db.run(sql, space, link.target.kind, link.target.id, link.relation, from.kind, from.id,
                link.provenance);
}

template <typename T>
std::vector<T> only_in_first(const std::vector<T>& first, const std::vector<T>& second) {
  std::vector<T> rest;
  std::ranges::set_difference(first, second, std::back_inserter(rest));
  return rest;
}

// Touches only the rows that differ: most replacements keep most facets.
Status exchange_facets(Connection& db, SpaceNumber space, const Object& object,
                       const std::vector<Facet>& before, const std::vector<Facet>& after) {
  for (const Facet& facet : only_in_first(before, after)) {
    HOLDFAST_CHECK_OK(write_facet_row(db, kDeleteFacet, space, object, facet));
  }
  for (const Facet& facet : only_in_first(after, before)) {
    HOLDFAST_CHECK_OK(write_facet_row(db, kInsertFacet, space, object, facet));
  }
  return {};
}

Status exchange_links(Connection& db, SpaceNumber space, const ObjectKey& from,
                      const std::vector<Link>& before, const std::vector<Link>& after) {
  for (const Link& link : only_in_first(before, after)) {
    HOLDFAST_CHECK_OK(write_link_row(db, kDeleteLink, space, from, link));
  }
  for (const Link& link : only_in_first(after, before)) {
    HOLDFAST_CHECK_OK(write_link_row(db, kInsertLink, space, from, link));
  }
  return {};
}

Status exchange_projection(Connection& db, SpaceNumber space, const StoredObject& old,
                           const IndexedProjection& projection) {
  if (old.facets != projection.facets_text) {
    HOLDFAST_TRY(const auto before, read_facets(old.facets));
    HOLDFAST_CHECK_OK(
        exchange_facets(db, space, old.object, before.facets, projection.facets.facets));
  }
  if (old.links != projection.links_text) {
    HOLDFAST_TRY(const auto before, read_links(old.links));
    HOLDFAST_CHECK_OK(exchange_links(db, space, old.object.key, before, projection.links));
  }
  return {};
}

}  // namespace

Result<std::optional<StoredObject>> find_object(Connection& db, SpaceNumber space,
                                                const ObjectKey& key) {
  std::optional<StoredObject> found;
  const auto read = [&](const Row& row) {
    found = StoredObject{.object = read_object(row),
                         .facets = row.text(kObjectColumns),
                         .links = row.text(kObjectColumns + 1)};
  };
  HOLDFAST_CHECK_OK(db.one_or_none(kFindObject, read, space, key.kind, key.id));
  return found;
}

Result<std::optional<Label>> label_of_today(Connection& db, SpaceNumber space,
                                            const ObjectKey& key) {
  std::optional<Label> label;
  const auto read = [&](const Row& row) { label = read_label(row, 0); };
  HOLDFAST_TRY(const bool exists, db.one_or_none(kLabelNow, read, space, key.kind, key.id));
  if (!exists) HOLDFAST_CHECK_OK(db.one_or_none(kLastLabel, read, space, key.kind, key.id));
  return label;
}

Status insert_object(Connection& db, SpaceNumber space, const Object& object,
                     const IndexedProjection& projection) {
  const Label& label = object.label;
  HOLDFAST_CHECK_OK(db.run(kInsertObject, row_key(space, object.number), space, object.key.kind,
                           object.key.id, object.revision, object.state,
                           static_cast<int>(label.visibility), static_cast<int>(label.sensitivity),
                           label.container, label.owner, write_list(label.compartments),
                           object.created_at, object.updated_at, object.position,
                           projection.facets_text, projection.links_text, object.body));
  for (const Facet& facet : projection.facets.facets) {
    HOLDFAST_CHECK_OK(write_facet_row(db, kInsertFacet, space, object, facet));
  }
  for (const Link& link : projection.links) {
    HOLDFAST_CHECK_OK(write_link_row(db, kInsertLink, space, object.key, link));
  }
  return {};
}

Status replace_object(Connection& db, SpaceNumber space, const Object& object,
                      const StoredObject& old, const IndexedProjection& projection) {
  const Label& label = object.label;
  HOLDFAST_CHECK_OK(db.run(
      kReplaceObject, row_key(space, object.number), object.revision, object.state,
      static_cast<int>(label.visibility), static_cast<int>(label.sensitivity), label.container,
      label.owner, write_list(label.compartments), object.updated_at, object.position,
      projection.facets_text, projection.links_text, object.body, object.created_at));
  return exchange_projection(db, space, old, projection);
}

Status refresh_projection(Connection& db, SpaceNumber space, const StoredObject& old,
                          const IndexedProjection& projection) {
  HOLDFAST_CHECK_OK(db.run(kRefreshObject, row_key(space, old.object.number),
                           projection.facets_text, projection.links_text));
  return exchange_projection(db, space, old, projection);
}

Status delete_object(Connection& db, SpaceNumber space, const StoredObject& old) {
  HOLDFAST_CHECK_OK(exchange_projection(db, space, old, IndexedProjection{}));
  return db.run(kDeleteObject, row_key(space, old.object.number));
}

}  // namespace holdfast::storage::sqlite
