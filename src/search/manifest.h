// The list of a space's segment files, and the journal position up to which they hold everything.
// Replaced as a whole; what it does not name does not count.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/object.h"

namespace holdfast::search {

struct Manifest {
  struct SegmentFile {
    uint64_t id = 0;
    uint64_t size = 0;
    uint64_t checksum = 0;            // XXH3 of the file
    std::vector<uint32_t> dead = {};  // documents that no longer count, ascending
  };

  JournalPosition position = 0;
  // The time of the journal entry at `position`: another time there means another history (a
  // restored backup).
  int64_t position_time = 0;
  uint64_t next_file_id = 1;
  std::vector<SegmentFile> segments = {};
};

std::string encode_manifest(const Manifest& manifest);
// kCorrupted if it is damaged, or of another version of the format or the analyser.
Result<Manifest> decode_manifest(std::string_view bytes);

std::string segment_file_name(uint64_t id);
uint64_t checksum(std::string_view bytes);
uint64_t checksum(std::span<const std::string_view> pieces);  // of bytes one behind the other

}  // namespace holdfast::search
