#include "storage/sqlite/reads.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "storage/sqlite/objects.h"
#include "storage/sqlite/projection_text.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kGetByNumber[] =
    "SELECT " HOLDFAST_OBJECT_COLUMNS " FROM objects o WHERE o.row_key = ?1";
constexpr char kGetBody[] = "SELECT o.row_key, o.kind, o.body FROM objects o WHERE o.row_key = ?1";

// Some at once, in the order of the keys: a statement that goes on costs less than one begun anew.
#define HOLDFAST_WANTED_KEYS \
  "WITH wanted (row_key) AS (VALUES (?1), (?2), (?3), (?4), (?5), (?6), (?7), (?8), (?9), (?10)) "
#define HOLDFAST_WANTED_OBJECTS " FROM wanted CROSS JOIN objects o ON o.row_key = wanted.row_key"
constexpr char kGetByNumbers[] =
    HOLDFAST_WANTED_KEYS "SELECT " HOLDFAST_OBJECT_COLUMNS HOLDFAST_WANTED_OBJECTS;
constexpr char kGetBodies[] =
    HOLDFAST_WANTED_KEYS "SELECT o.row_key, o.kind, o.body" HOLDFAST_WANTED_OBJECTS;
constexpr size_t kReadTogether = 10;
constexpr size_t kFewerAreReadSingly = 3;

constexpr char kIncoming[] =
    "SELECT relation, from_kind, from_id, provenance FROM links "
    "WHERE space_id = ?1 AND to_kind = ?2 AND to_id = ?3 "
    "ORDER BY relation, from_kind, from_id, provenance";

constexpr char kIncomingByRelation[] =
    "SELECT relation, from_kind, from_id, provenance FROM links "
    "WHERE space_id = ?1 AND to_kind = ?2 AND to_id = ?3 AND relation = ?4 "
    "ORDER BY from_kind, from_id, provenance";

constexpr char kPointing[] =
    "SELECT DISTINCT from_id FROM links WHERE space_id = ?1 AND to_kind = ?2 AND to_id = ?3 "
    "AND relation = ?4 AND from_kind = ?5 AND from_id > ?6 ORDER BY from_id";

struct ByNumber {
  const char* one;
  const char* together;
};

template <typename Read>
Status each_by_number(Connection& db, const Scope& scope, std::span<const ObjectNumber> left,
                      const ByNumber& sql, const Read& read) {
  // Nothing has no row.
  const auto key_of = [&](ObjectNumber number) -> std::optional<int64_t> {
    if (number < 1 || number > kMaxCounter) return std::nullopt;
    return row_key(scope.space, number);
  };
  while (!left.empty()) {
    const auto piece = left.first(std::min(kReadTogether, left.size()));
    left = left.subspan(piece.size());
    if (piece.size() < kFewerAreReadSingly) {
      for (const ObjectNumber number : piece)
        HOLDFAST_CHECK_OK(db.each(sql.one, read, key_of(number)));
      continue;
    }
    std::array<std::optional<int64_t>, kReadTogether> k = {};
    std::ranges::transform(piece, k.begin(), key_of);
    HOLDFAST_CHECK_OK(
        db.each(sql.together, read, k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], k[9]));
  }
  return {};
}

bool goes_first(const Neighbour& a, const Neighbour& b) {
  return std::tie(a.relation, a.other, b.outgoing, a.provenance) <
         std::tie(b.relation, b.other, a.outgoing, b.provenance);
}

// Whether an edge to `key` may be shown: to what does not exist, yes; to what may not be seen, no.
Result<bool> may_point_at(Connection& db, const Scope& scope, const ObjectKey& key) {
  HOLDFAST_TRY(const auto label, label_of_today(db, scope.space, key));
  return !label || scope.access.may_see(*label);
}

Status add_outgoing(Connection& db, const Scope& scope, const ObjectKey& key,
                    std::string_view relation, std::vector<Neighbour>& found) {
  HOLDFAST_TRY(const auto stored, find_object(db, scope.space, key));
  if (!stored) return {};
  HOLDFAST_TRY(auto links, read_links(stored->links));
  for (Link& link : links) {
    if (!relation.empty() && link.relation != relation) continue;
    HOLDFAST_TRY(const bool visible, may_point_at(db, scope, link.target));
    if (!visible) continue;
    found.push_back({.relation = std::move(link.relation),
                     .outgoing = true,
                     .other = std::move(link.target),
                     .provenance = std::move(link.provenance)});
  }
  return {};
}

Status add_incoming(Connection& db, const Scope& scope, const ObjectKey& key,
                    std::string_view relation, size_t limit, std::vector<Neighbour>& found) {
  size_t added = 0;
  Status failure;
  const auto read = [&](const Row& row) -> bool {
    Neighbour edge{.relation = row.text(0),
                   .outgoing = false,
                   .other = {.kind = row.text(1), .id = row.text(2)},
                   .provenance = row.text(3)};
    const auto visible = may_point_at(db, scope, edge.other);
    if (!visible) {
      failure = visible.error();
      return false;
    }
    if (*visible) {
      found.push_back(std::move(edge));
      ++added;
    }
    return added < limit;
  };
  if (relation.empty()) {
    HOLDFAST_CHECK_OK(db.each(kIncoming, read, scope.space, key.kind, key.id));
  } else {
    HOLDFAST_CHECK_OK(db.each(kIncomingByRelation, read, scope.space, key.kind, key.id, relation));
  }
  return failure;
}

}  // namespace

Result<Object> get(Connection& db, const Scope& scope, const ObjectKey& key) {
  HOLDFAST_TRY(auto stored, find_object(db, scope.space, key));
  if (!stored || !scope.access.may_see(stored->object.label)) return not_found(key.kind, key.id);
  return std::move(stored->object);
}

Result<std::vector<Object>> get_many(Connection& db, const Scope& scope,
                                     const std::vector<ObjectNumber>& numbers) {
  std::vector<Object> objects;
  objects.reserve(numbers.size());
  const auto read = [&](const Row& row) {
    Object object = read_object(row);
    if (scope.access.may_see(object.label)) objects.push_back(std::move(object));
  };
  HOLDFAST_CHECK_OK(each_by_number(db, scope, numbers, {kGetByNumber, kGetByNumbers}, read));
  return objects;
}

Result<std::vector<ObjectBody>> get_bodies(Connection& db, const Scope& scope,
                                           const std::vector<ObjectNumber>& numbers) {
  std::vector<ObjectBody> bodies;
  bodies.reserve(numbers.size());
  // Labels matter to those from whom some hide something.
  if (!scope.access.viewer().sees_everything()) {
    HOLDFAST_TRY(auto objects, get_many(db, scope, numbers));
    for (Object& object : objects)
      bodies.push_back({object.number, std::move(object.key.kind), std::move(object.body)});
    return bodies;
  }
  const auto read = [&](const Row& row) {
    bodies.push_back({row_counter(row.integer(0)), row.text(1), row.text(2)});
  };
  HOLDFAST_CHECK_OK(each_by_number(db, scope, numbers, {kGetBody, kGetBodies}, read));
  return bodies;
}

Result<std::vector<Facet>> facets(Connection& db, const Scope& scope, const ObjectKey& key) {
  HOLDFAST_TRY(const auto stored, find_object(db, scope.space, key));
  if (!stored || !scope.access.may_see(stored->object.label)) return not_found(key.kind, key.id);
  HOLDFAST_TRY(auto set, read_facets(stored->facets));
  return std::move(set.facets);
}

Result<std::vector<Neighbour>> neighbours(Connection& db, const Scope& scope, const ObjectKey& key,
                                          std::string_view relation, size_t limit) {
  std::vector<Neighbour> found;
  HOLDFAST_TRY(const bool visible, may_point_at(db, scope, key));
  if (!visible || limit == 0) return found;
  HOLDFAST_CHECK_OK(add_outgoing(db, scope, key, relation, found));
  HOLDFAST_CHECK_OK(add_incoming(db, scope, key, relation, limit, found));
  std::ranges::sort(found, goes_first);
  if (found.size() > limit) found.resize(limit);
  return found;
}

Result<std::vector<std::string>> pointing_at(Connection& db, const Scope& scope,
                                             const Pointing& asked) {
  std::vector<std::string> ids;
  HOLDFAST_TRY(const bool known, may_point_at(db, scope, asked.to));
  if (!known || asked.limit == 0) return ids;
  Status failure;
  const auto read = [&](const Row& row) -> bool {
    std::string id = row.text(0);
    const auto visible = may_point_at(db, scope, {.kind = asked.kind, .id = id});
    if (!visible) {
      failure = visible.error();
      return false;
    }
    if (*visible) ids.push_back(std::move(id));
    return ids.size() < asked.limit;
  };
  HOLDFAST_CHECK_OK(db.each(kPointing, read, scope.space, asked.to.kind, asked.to.id,
                            asked.relation, asked.kind, asked.after));
  HOLDFAST_CHECK_OK(failure);
  return ids;
}

}  // namespace holdfast::storage::sqlite
