#include "http/metrics.h"

#include <atomic>
#include <map>
#include <utility>

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "base/mutex.h"

namespace holdfast::http {
namespace {

const prometheus::Histogram::BucketBoundaries& buckets() {
  static const prometheus::Histogram::BucketBoundaries bounds = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
      0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};
  return bounds;
}

class RouteMetricsOf : public RouteMetrics {
 public:
  RouteMetricsOf(prometheus::Family<prometheus::Counter>& requests, prometheus::Histogram& seconds,
                 prometheus::Labels labels)
      : requests_(requests), seconds_(seconds), labels_(std::move(labels)) {}

  void count(int status, std::chrono::nanoseconds elapsed) override {
    counter(status).Increment();
    seconds_.Observe(std::chrono::duration<double>(elapsed).count());
  }

 private:
  // A route answers with few statuses; finding their counters must not cost a look-up by labels
  // each time.
  prometheus::Counter& counter(int status) {
    {
      ReaderLock lock(mutex_);
      if (const auto found = counters_.find(status); found != counters_.end())
        return *found->second;
    }
    WriterLock lock(mutex_);
    auto& counter = counters_[status];
    if (counter == nullptr) {
      prometheus::Labels labels = labels_;
      labels["status"] = std::to_string(status);
      counter = &requests_.Add(labels);
    }
    return *counter;
  }

  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Histogram& seconds_;
  const prometheus::Labels labels_;
  SharedMutex mutex_;
  std::map<int, prometheus::Counter*> counters_ HOLDFAST_GUARDED_BY(mutex_);
};

struct Callback {
  std::string name;
  std::string help;
  prometheus::MetricType type;
  std::function<std::vector<Metrics::Sample>()> samples;
};

prometheus::MetricFamily collect(const Callback& callback) {
  prometheus::MetricFamily family{callback.name, callback.help, callback.type, {}};
  for (const auto& sample : callback.samples()) {
    prometheus::ClientMetric metric;
    for (const auto& label : sample.labels) metric.label.push_back({label.name, label.value});
    if (callback.type == prometheus::MetricType::Counter) {
      metric.counter.value = sample.value;
    } else {
      metric.gauge.value = sample.value;
    }
    family.metric.push_back(std::move(metric));
  }
  return family;
}

std::function<std::vector<Metrics::Sample>()> single(std::function<double()> value) {
  return [value = std::move(value)] {
    return std::vector<Metrics::Sample>{{.labels = {}, .value = value()}};
  };
}

}  // namespace

struct Metrics::Parts {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& requests = prometheus::BuildCounter()
                                                          .Name("holdfast_http_requests_total")
                                                          .Help("Requests answered.")
                                                          .Register(registry);
  prometheus::Family<prometheus::Histogram>& seconds =
      prometheus::BuildHistogram()
          .Name("holdfast_http_request_seconds")
          .Help("Time from a complete request to its answer.")
          .Register(registry);
  std::atomic<int64_t> in_flight = 0;
  mutable Mutex mutex;
  std::map<std::string, std::unique_ptr<RouteMetricsOf>> routes HOLDFAST_GUARDED_BY(mutex);
  std::vector<Callback> callbacks HOLDFAST_GUARDED_BY(mutex);
};

Metrics::Metrics() : parts_(std::make_unique<Parts>()) {
  add_gauge("holdfast_http_requests_in_flight", "Requests being answered now.",
            [parts = parts_.get()] { return static_cast<double>(parts->in_flight.load()); });
}

Metrics::~Metrics() = default;

RouteMetrics& Metrics::route(const std::string& surface, const std::string& route,
                             const std::string& method) {
  MutexLock lock(parts_->mutex);
  auto& entry = parts_->routes[surface + '\n' + route + '\n' + method];
  if (!entry) {
    const prometheus::Labels labels = {{"surface", surface}, {"route", route}, {"method", method}};
    entry = std::make_unique<RouteMetricsOf>(parts_->requests,
                                             parts_->seconds.Add(labels, buckets()), labels);
  }
  return *entry;
}

void Metrics::request_began() { parts_->in_flight.fetch_add(1, std::memory_order_relaxed); }
void Metrics::request_ended() { parts_->in_flight.fetch_sub(1, std::memory_order_relaxed); }

void Metrics::add_gauge(std::string name, std::string help, std::function<double()> value) {
  add_gauges(std::move(name), std::move(help), single(std::move(value)));
}

void Metrics::add_counter(std::string name, std::string help, std::function<double()> value) {
  MutexLock lock(parts_->mutex);
  parts_->callbacks.push_back({std::move(name), std::move(help), prometheus::MetricType::Counter,
                               single(std::move(value))});
}

void Metrics::add_gauges(std::string name, std::string help,
                         std::function<std::vector<Sample>()> samples) {
  MutexLock lock(parts_->mutex);
  parts_->callbacks.push_back(
      {std::move(name), std::move(help), prometheus::MetricType::Gauge, std::move(samples)});
}

std::string Metrics::text() const {
  std::vector<prometheus::MetricFamily> families = parts_->registry.Collect();
  std::vector<Callback> callbacks;
  {
    MutexLock lock(parts_->mutex);
    callbacks = parts_->callbacks;
  }
  for (const Callback& callback : callbacks) families.push_back(collect(callback));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace holdfast::http
