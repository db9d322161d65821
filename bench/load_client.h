// A load generator: many keep-alive connections driven by one thread with epoll, so that it takes
// little of the machine it measures. Each connection sends a request, waits for its answer, sends
// the next.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace holdfast::bench {

struct Load {
  int port = 0;
  int connections = 1;
  int64_t requests = 1000;
  // The bytes of request number n. Called on the client's thread.
  std::function<std::string(int64_t)> request;
};

struct LoadResult {
  double seconds = 0;
  int64_t answers = 0;              // with a 2xx status
  int64_t refusals = 0;             // other answers
  std::vector<double> millis = {};  // of each answer, unsorted

  double rate() const { return seconds > 0 ? static_cast<double>(answers) / seconds : 0; }
  double median() const;
};

// Ends the program with a message if a connection fails: a benchmark that lost requests measured
// nothing.
LoadResult run_load(const Load& load);

std::string http_get(const std::string& target);
// `headers`: further lines, each with its line end.
std::string http_post(const std::string& target, const std::string& json,
                      const std::string& headers = {});

}  // namespace holdfast::bench
