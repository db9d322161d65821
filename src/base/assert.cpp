#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace holdfast {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "holdfast: broken invariant: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace holdfast
