// HOLDFAST_ASSERT(invariant): a broken invariant ends the process with a message, in every build.
// Continuing with memory that is not what the code believes would be worse for durable data than a
// restart.
#pragma once

namespace holdfast {
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);
}  // namespace holdfast

#define HOLDFAST_ASSERT(expression)    \
  ((expression) ? static_cast<void>(0) \
                : ::holdfast::assertion_failed(#expression, __FILE__, __LINE__))
