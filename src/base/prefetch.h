// Asking for memory before it is looked at: what lies anywhere in memory takes a hundred
// nanoseconds to come, and several pieces come as fast as one.
#pragma once

#include <cstddef>

namespace holdfast {

inline constexpr size_t kCacheLine = 64;  // what comes at once

// Only a hint: any address will do. A function that did nothing but this would have no effect in
// the compiler's eyes, and calls of it would be left out; the empty statement is one that it keeps.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace holdfast
