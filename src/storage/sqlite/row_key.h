// The integer keys of wide rows: a space's number and a counter inside it (object number, journal
// position), packed so that the rows of a space lie together and in order. A space has room for
// 2^40 rows, a store for 2^23 spaces.
#pragma once

#include <cstdint>

#include "access/space_access.h"

namespace holdfast::storage::sqlite {

// A space as rows know it. 0 is a space that does not exist: it has no rows.
using SpaceNumber = int64_t;

// Where a call works: the rows of one space, and the proof that it may.
struct Scope {
  SpaceNumber space = 0;
  const access::SpaceAccess& access;
};

inline constexpr int64_t kMaxCounter = (int64_t{1} << 40) - 1;

constexpr int64_t row_key(SpaceNumber space, int64_t counter) {
  const int64_t bounded = counter < 0 ? 0 : counter > kMaxCounter ? kMaxCounter : counter;
  return space * (kMaxCounter + 1) + bounded;
}
constexpr int64_t row_counter(int64_t key) { return key & kMaxCounter; }

}  // namespace holdfast::storage::sqlite
