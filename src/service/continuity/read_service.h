// Reading capsules: one with its trust signals and startup view, or a list by facets. Thread-safe.
#pragma once

#include <functional>

#include "search/index.h"
#include "service/continuity/access_trail.h"
#include "service/continuity/capsule_store.h"
#include "service/continuity/request.h"

namespace holdfast::service::continuity {

struct ContinuitySettings {
  int64_t retention_days = 90;
  int64_t due_limit = 10;
  int64_t upcoming_limit = 5;
  int64_t upcoming_window_hours = 72;
};

// What a startup view shows beside the capsule.
struct StartupSources {
  std::function<Result<Value>(const Request&, const Subject&)> graph = {};
  std::function<Result<Value>(const Request&, const Subject&)> schedule = {};
};

class ReadService {
 public:
  ReadService(storage::Store& store, const access::Gatekeeper& gatekeeper,
              const search::Index& index, const Clock& clock, AccessTrail& trail,
              const ContinuitySettings& settings, StartupSources sources)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        clock_(clock),
        trail_(trail),
        settings_(settings),
        sources_(std::move(sources)) {}

  Result<Value> read(const Request& request);
  Result<Value> list(const Request& request);

 private:
  Result<Value> rows_by_salience(const Request& request, const Access& access,
                                 storage::ReadTxn& txn, size_t limit,
                                 std::vector<Value>& rows) const;
  Status collect(const Request& request, const Access& access, storage::ReadTxn& txn,
                 const search::ListRequest& wanted, size_t limit, std::vector<Value>& rows) const;
  Result<int64_t> count(const Access& access, const search::Filter& filter,
                        bool fallback_too) const;
  Value row_of(const StoredCapsule& stored, const std::string& state, Timestamp now) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  AccessTrail& trail_;
  const ContinuitySettings& settings_;
  const StartupSources sources_;
};

// A capsule as callers see it: documents that break today's rules are left out with a warning.
Value shown(const Value& capsule, std::vector<std::string>& recovery);
// The warning of a superseded descriptor, if it is one.
void warn_superseded(const Value& capsule, const Subject& subject,
                     std::vector<std::string>& recovery);

}  // namespace holdfast::service::continuity
