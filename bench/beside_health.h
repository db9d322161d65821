// A request beside one that does nothing, such as GET /health: what the work costs over the way
// there and back.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace holdfast::bench {

struct BesideHealth {
  std::string what;  // the row's text
  int port = 0;
  std::function<std::string(int64_t)> request;
  double bar = 0;  // at most so many times the other; 0: no bar
  int64_t samples = 1000;
  // Another than GET /health.
  std::string other_name = "GET /health";
  std::string other_request = {};
};

// Both go over one connection in turn, so that they meet the machine in the same state: a processor
// that slept through a longer answer wakes up as slowly for either. The row also says what the
// other takes with nothing in between.
void print_beside_health(const BesideHealth& asked);

}  // namespace holdfast::bench
