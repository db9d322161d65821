// Running another program: never through a shell, always within bounds, never left behind.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast {

struct ChildOrder {
  std::vector<std::string> command = {};  // the program, found in PATH, and its arguments
  std::string input = {};                 // its standard input
  std::chrono::milliseconds timeout{30'000};
  size_t max_output_bytes = size_t{64} << 20;
  size_t max_memory_bytes = size_t{2} << 30;  // of its address space
};

struct ChildOutcome {
  int exit_code = 0;  // 128 and the signal's number if one ended it
  std::string output = {};
};

// Runs it to its end; its standard error goes nowhere. Blocks the caller. Errors: kNotFound (no
// such program), kDeadlineExceeded, kTooLarge (the child is killed in both cases), kUnavailable.
Result<ChildOutcome> run_child(const ChildOrder& order);

}  // namespace holdfast
