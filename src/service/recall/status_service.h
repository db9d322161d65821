// The service at a glance.
#pragma once

#include <map>
#include <string>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "search/index.h"
#include "service/recall/queue_service.h"

namespace holdfast::service::recall {

// What the settings say, and since when.
struct ServiceFacts {
  std::string version = {};
  std::string extractor_mode = "rules";
  std::string vector_mode = "off";
  bool retention = false;
  Timestamp started_at = {};
};

struct ServiceStatus {
  ServiceFacts facts = {};
  int64_t uptime_seconds = 0;
  std::map<std::string, int64_t> items = {};     // by status
  std::map<std::string, int64_t> memories = {};  // active ones, by type
};

class StatusService {
 public:
  StatusService(const access::Gatekeeper& gatekeeper, const search::Index& index,
                const QueueService& queue, const Clock& clock, ServiceFacts facts)
      : gatekeeper_(gatekeeper),
        index_(index),
        queue_(queue),
        clock_(clock),
        facts_(std::move(facts)) {}

  // Counts what the caller's token reaches.
  Result<ServiceStatus> status(const CallContext& call) const;

 private:
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const QueueService& queue_;
  const Clock& clock_;
  const ServiceFacts facts_;
};

}  // namespace holdfast::service::recall
