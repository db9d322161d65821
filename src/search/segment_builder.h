// Makes one segment of the living documents of one or several parts: a flush is the case of one
// memtable, a merge that of several segments. Where any document is dead, all are taken from their
// stored token sequences, so nothing of a dead one, not even a word of it in the dictionary, gets
// into the result.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/part.h"

namespace holdfast::search {

struct BuildInput {
  std::shared_ptr<const Part> part;  // frozen; shared with the readers of the space
  std::vector<uint64_t> live = {};   // a copy, taken under the space's mutex
};

// The bytes of the segment; empty if `cancelled` became true meanwhile. Needs no lock. 2 to 4
// µs a short document. `meanwhile` is called every few milliseconds.
std::string build_segment(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled,
                          const std::function<void()>& meanwhile = {});

}  // namespace holdfast::search
