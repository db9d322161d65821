#include <algorithm>

#include "storage/sqlite/object_row.h"
#include "storage/sqlite/reads.h"

namespace holdfast::storage::sqlite {
namespace {

// Everything in the order of creation. ?1 ?2: exclusive start, inclusive end, both row keys.
constexpr char kAll[] = "SELECT " HOLDFAST_OBJECT_COLUMNS
                        ", 0 FROM objects o WHERE o.row_key > ?1 AND o.row_key <= ?2 "
                        "ORDER BY o.row_key LIMIT ?3";
constexpr char kAllDescending[] = "SELECT " HOLDFAST_OBJECT_COLUMNS
                                  ", 0 FROM objects o WHERE o.row_key < ?1 AND o.row_key >= ?2 "
                                  "ORDER BY o.row_key DESC LIMIT ?3";

constexpr char kKind[] = "SELECT " HOLDFAST_OBJECT_COLUMNS
                         ", 0 FROM objects o INDEXED BY objects_by_kind "
                         "WHERE o.space_id = ?1 AND o.kind = ?2 AND o.row_key > ?3 "
                         "ORDER BY o.row_key LIMIT ?4";
constexpr char kKindDescending[] = "SELECT " HOLDFAST_OBJECT_COLUMNS
                                   ", 0 FROM objects o INDEXED BY objects_by_kind "
                                   "WHERE o.space_id = ?1 AND o.kind = ?2 AND o.row_key < ?3 "
                                   "ORDER BY o.row_key DESC LIMIT ?4";

// ?6 is row_key(space, 0), to which the number is added.
constexpr char kEqual[] =
    "SELECT " HOLDFAST_OBJECT_COLUMNS
    ", 0 FROM facets f CROSS JOIN objects o ON o.row_key = ?6 + f.object_number "
    "WHERE f.space_id = ?1 AND f.kind = ?2 AND f.name = ?3 AND f.value = ?4 "
    "AND f.object_number > ?5 ORDER BY f.object_number LIMIT ?7";
constexpr char kEqualDescending[] =
    "SELECT " HOLDFAST_OBJECT_COLUMNS
    ", 0 FROM facets f CROSS JOIN objects o ON o.row_key = ?6 + f.object_number "
    "WHERE f.space_id = ?1 AND f.kind = ?2 AND f.name = ?3 AND f.value = ?4 "
    "AND f.object_number < ?5 ORDER BY f.object_number DESC LIMIT ?7";

// ?4 ?5: strictly after this value and number; ?6: the inclusive end of the range. Text facets of
// the same name sort above all integers: ascending, the end keeps them out; descending, the start.
constexpr char kRange[] =
    "SELECT " HOLDFAST_OBJECT_COLUMNS
    ", f.value FROM facets f CROSS JOIN objects o ON o.row_key = ?7 + f.object_number "
    "WHERE f.space_id = ?1 AND f.kind = ?2 AND f.name = ?3 "
    "AND (f.value, f.object_number) > (?4, ?5) AND f.value <= ?6 "
    "ORDER BY f.value, f.object_number LIMIT ?8";
constexpr char kRangeDescending[] =
    "SELECT " HOLDFAST_OBJECT_COLUMNS
    ", f.value FROM facets f CROSS JOIN objects o ON o.row_key = ?7 + f.object_number "
    "WHERE f.space_id = ?1 AND f.kind = ?2 AND f.name = ?3 "
    "AND (f.value, f.object_number) < (?4, ?5) AND f.value >= ?6 "
    "ORDER BY f.value DESC, f.object_number DESC LIMIT ?8";

constexpr size_t kMaxLimit = 1000;
// So that a page of few objects among many hidden ones is not filled row by row.
constexpr size_t kLeastFetch = 16;

struct Found {
  Object object;
  ScanPosition at;
};

ScanPosition start_of(const Scan& scan) {
  if (scan.after) return *scan.after;
  if (!scan.descending) return {.sort_value = scan.range ? scan.range->from : 0, .number = 0};
  return {.sort_value = scan.range ? scan.range->to : 0, .number = kMaxCounter};
}

Status fetch(Connection& db, const Scope& scope, const Scan& scan, const ScanPosition& after,
             size_t limit, std::vector<Found>& found) {
  const SpaceNumber space = scope.space;
  const bool down = scan.descending;
  const auto read = [&](const Row& row) {
    Object object = read_object(row);
    const ScanPosition at{.sort_value = row.integer(kObjectColumns), .number = object.number};
    found.push_back({.object = std::move(object), .at = at});
  };
  const int64_t start = row_key(space, after.number);
  const int64_t base = row_key(space, 0);
  if (scan.equal) {
    const Facet& facet = *scan.equal;
    const char* sql = down ? kEqualDescending : kEqual;
    if (facet.is_number) {
      return db.each(sql, read, space, scan.kind, facet.name, facet.number, after.number, base,
                     limit);
    }
    return db.each(sql, read, space, scan.kind, facet.name, facet.text, after.number, base, limit);
  }
  if (scan.range) {
    return db.each(down ? kRangeDescending : kRange, read, space, scan.kind, scan.range->name,
                   after.sort_value, after.number, down ? scan.range->from : scan.range->to, base,
                   limit);
  }
  if (!scan.kind.empty()) {
    return db.each(down ? kKindDescending : kKind, read, space, scan.kind, start, limit);
  }
  return db.each(down ? kAllDescending : kAll, read, start,
                 down ? base : row_key(space, kMaxCounter), limit);
}

Status check(const Scan& scan) {
  if (scan.limit < 1 || scan.limit > kMaxLimit) {
    return invalid_argument("The limit of a list must be from 1 to 1000.");
  }
  if ((scan.equal || scan.range) && scan.kind.empty()) {
    return invalid_argument("A list by a facet needs the kind of object.");
  }
  if (scan.equal && scan.range) {
    return invalid_argument("A list goes by one facet, not by two.");
  }
  return {};
}

}  // namespace

Result<Page> scan(Connection& db, const Scope& scope, const Scan& scan) {
  HOLDFAST_CHECK_OK(check(scan));
  Page page;
  ScanPosition after = start_of(scan);
  ScanPosition last_shown = after;
  // One more than asked for tells whether there is a next page that this viewer can see.
  for (;;) {
    std::vector<Found> found;
    const size_t ask = std::max(scan.limit + 1 - page.objects.size(), kLeastFetch);
    HOLDFAST_CHECK_OK(fetch(db, scope, scan, after, ask, found));
    for (Found& item : found) {
      after = item.at;
      if (!scope.access.may_see(item.object.label)) continue;
      if (page.objects.size() == scan.limit) {
        page.next = last_shown;
        return page;
      }
      last_shown = item.at;
      page.objects.push_back(std::move(item.object));
    }
    if (found.size() < ask) return page;
  }
}

}  // namespace holdfast::storage::sqlite
