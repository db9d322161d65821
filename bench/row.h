// A row of docs/benchmarks.md: scripts/bench.sh collects the lines that begin with '|'.
#pragma once

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace holdfast::bench {

struct Row {
  std::string what;
  std::string ours;
  std::string alternative = {};  // measured in the same run
  double ratio = 0;
  std::string bar = {};
  bool held = true;
};

inline void print_row(const Row& row) {
  std::puts(fmt::format("| {} | {} | {} | {} | {} | {} |", row.what, row.ours, row.alternative,
                        row.ratio > 0 ? fmt::format("{:.2f}", row.ratio) : "", row.bar,
                        row.bar.empty() ? ""
                        : row.held      ? "yes"
                                        : "NO")
                .c_str());
  std::fflush(stdout);
}

}  // namespace holdfast::bench
