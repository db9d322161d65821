// How an index is kept, and how large it is. Apart, so that those who search do not include how it
// is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace holdfast::search {

struct IndexOptions {
  std::string folder = {};            // empty: nothing is kept on disk
  uint32_t flush_documents = 32'768;  // a memtable is frozen at this size,
  size_t flush_bytes = 48U << 20;     // or this one
  size_t merge_width = 8;             // segments of one tier are merged when there are this many,
  size_t quiet_changes = 2000;        // or two, while there are fewer changes a second
  bool background = true;             // false: somebody calls maintain() (tests)
  size_t vector_dimensions = 0;       // 0: no vectors
  std::string vector_model = {};
};

struct SpaceSizes {
  size_t parts = 0;
  size_t segments = 0;
  int64_t documents = 0;
  size_t segment_bytes = 0;  // mapped or on the heap
  size_t memtable_bytes = 0;
  bool has_work = false;  // to flush or to merge, waiting or under way
};

}  // namespace holdfast::search
