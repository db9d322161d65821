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
#include <string_view>
#include <vector>

#include "search/build_input.h"

namespace holdfast::search {

// The bytes of a segment where they were made: to write them to a file they need not be brought
// together, in memory that nobody has touched before.
struct BuiltSegment {
  // One behind the other. They lie in `memory` and in the parts the segment was made of.
  std::vector<std::string_view> pieces = {};
  std::shared_ptr<const void> memory = nullptr;  // shared with nobody, but of a hidden type
  std::string bytes() const;                     // a copy, in one piece
};

// No pieces if `cancelled` became true meanwhile. The inputs must outlive them. Needs no lock. 2 to
// 4 µs a short document. `meanwhile` is called every few milliseconds.
BuiltSegment build_segment(std::span<const BuildInput> inputs, const std::atomic<bool>& cancelled,
                           const std::function<void()>& meanwhile = {});

}  // namespace holdfast::search
