// The tables objects, facets and links, row by row. Visibility is judged by the callers that read
// for somebody (reads.h); these functions see everything in the space.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/object_row.h"
#include "storage/sqlite/projection_text.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

// An object with the facets and links that are stored with it, as their texts (projection_text.h).
struct StoredObject {
  Object object = {};
  std::string facets = {};
  std::string links = {};
};

// What a put indexes: the sorted facets and links, and their texts.
struct IndexedProjection {
  FacetSet facets = {};
  std::vector<Link> links = {};
  std::string facets_text = {};
  std::string links_text = {};
};

Result<std::optional<StoredObject>> find_object(Connection& db, SpaceNumber space,
                                                const ObjectKey& key);
// The label that decides who sees this key today: the object's, or the last one of an object that
// was deleted. Nothing if it never existed or was erased.
Result<std::optional<Label>> label_of_today(Connection& db, SpaceNumber space,
                                            const ObjectKey& key);

Status insert_object(Connection& db, SpaceNumber space, const Object& object,
                     const IndexedProjection& projection);
Status replace_object(Connection& db, SpaceNumber space, const Object& object,
                      const StoredObject& old, const IndexedProjection& projection);
// Only facets and links; the object stays as it is.
Status refresh_projection(Connection& db, SpaceNumber space, const StoredObject& old,
                          const IndexedProjection& projection);
Status delete_object(Connection& db, SpaceNumber space, const StoredObject& old);

}  // namespace holdfast::storage::sqlite
