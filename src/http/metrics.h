// Counters, histograms and gauges of the process, in the text form that Prometheus reads.
// Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::http {

struct MetricLabel {
  std::string name;
  std::string value;
};

// The numbers of one method of one route. Made by Metrics and owned by it.
class RouteMetrics {
 public:
  virtual ~RouteMetrics() = default;
  virtual void count(int status, std::chrono::nanoseconds elapsed) = 0;
};

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // holdfast_http_requests_total{surface,route,method,status},
  // holdfast_http_request_seconds{surface,route,method}. The same arguments give the same object.
  // Takes a lock: ask once a route.
  RouteMetrics& route(const std::string& surface, const std::string& route,
                      const std::string& method);

  // holdfast_http_requests_in_flight
  void request_began();
  void request_ended();

  // Values that are read when the metrics are. The callbacks live as long as this object and must
  // not block.
  void add_gauge(std::string name, std::string help, std::function<double()> value);
  void add_counter(std::string name, std::string help, std::function<double()> value);
  // Several values of one gauge, told apart by labels.
  struct Sample {
    std::vector<MetricLabel> labels;
    double value = 0;
  };
  void add_gauges(std::string name, std::string help, std::function<std::vector<Sample>()> samples);

  // Everything, as text/plain; version=0.0.4.
  std::string text() const;

 private:
  struct Parts;  // keeps the library out of this header
  std::unique_ptr<Parts> parts_;
};

inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace holdfast::http
