// A part that a segment is made of, and what of it need not be made anew.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/part.h"

namespace holdfast::search {

struct BuildInput {
  std::shared_ptr<const Part> part;  // frozen; shared with the readers of the space
  std::vector<uint64_t> live = {};   // a copy, taken under the space's mutex
};

// One memtable whose documents all live and came in the order of their numbers, as new objects do:
// its documents keep their places, so its lists are taken as they are and the sequences of tokens
// by their bytes.
bool is_whole(std::span<const BuildInput> inputs);

// Segments whose documents all live, each one's newer than those of the one before: every text they
// have is needed, and their lists follow each other.
bool are_joined(std::span<const BuildInput> inputs);

}  // namespace holdfast::search
