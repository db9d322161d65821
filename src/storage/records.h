// Rows that are not objects: what the engine itself needs to remember.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/object.h"

namespace holdfast::storage {

struct Space {
  SpaceId id = {};
  Timestamp created_at = {};
};

// Something to add to a counter.
struct CountStep {
  std::string facet = {};
  int64_t delta = 0;
};

// An answered request, so that a repetition gets the same answer. Committed with the effect it
// describes.
struct IdempotencyKey {
  std::string caller = {};     // the namespace: a principal, a user
  std::string operation = {};  // method and route template, or a word of the surface
  std::string key = {};        // what the client sent
};

struct IdempotencyRecord {
  IdempotencyKey key = {};
  std::string fingerprint = {};  // of the request, computed by the surface
  std::string state = "done";    // the surface's word: done, in_flight, failed
  int status = 200;
  std::string body = {};
  std::string extra = {};  // the surface's own JSON text: headers to repeat, references
  Timestamp created_at = {};
  std::optional<Timestamp> expires_at = std::nullopt;  // nothing: kept for ever
  // Erasing one empties body and extra; state is "erased" then. ObjectKey{}: all this write put.
  std::vector<ObjectKey> about = {};
};

// Bytes kept beside objects, in chunks so that neither reading nor writing needs them whole. A blob
// belongs to an object and is erased with it.
struct BlobInfo {
  std::string id = {};
  ObjectKey owner = {};
  int64_t size = 0;
  std::string sha256 = {};  // raw bytes; empty until finished
  bool finished = false;
  Timestamp created_at = {};
};
inline constexpr size_t kBlobChunkBytes = size_t{256} * 1024;

// Where to go on in a scan, and in what order it goes.
struct ScanPosition {
  int64_t sort_value = 0;  // the facet's number, where the scan is by range
  ObjectNumber number = 0;
};

// Objects of one kind in the order of their creation, or by one facet.
struct Scan {
  std::string kind = {};                      // empty: every kind (only without a facet)
  std::optional<Facet> equal = std::nullopt;  // has this facet; in the order of creation
  struct Range {
    std::string name = {};
    int64_t from = INT64_MIN;  // inclusive
    int64_t to = INT64_MAX;    // inclusive
  };
  // Has this number facet in the range; ordered by its value.
  std::optional<Range> range = std::nullopt;
  bool descending = false;
  std::optional<ScanPosition> after = std::nullopt;  // strictly after, in the order asked for
  size_t limit = 100;                                // 1 to 1000
};

// What an object says.
struct ObjectBody {
  ObjectNumber number = 0;
  std::string kind = {};
  std::string body = {};
};

struct Page {
  std::vector<Object> objects = {};
  std::optional<ScanPosition> next = std::nullopt;  // nothing: this was the last page
};

// One edge as seen from an object: outgoing (to the target) or incoming (from the source).
struct Neighbour {
  std::string relation = {};
  bool outgoing = true;
  ObjectKey other = {};
  std::string provenance = {};
};

// Asks which objects of a kind point at another.
struct Pointing {
  ObjectKey to = {};
  std::string relation = {};
  std::string kind = {};
  std::string after = {};  // goes on behind this id
  size_t limit = 100;
};

// A state of an object: the current one or one that was replaced or deleted.
struct RevisionRecord {
  Object object = {};
  JournalEntry entry = {};  // who, through which surface, why
  bool deleted = false;     // this revision is the deletion
};

struct StoreSizes {
  int64_t file_bytes = 0;
  int64_t wal_bytes = 0;
  int64_t free_bytes = 0;  // inside the file, to be used again
};

}  // namespace holdfast::storage
