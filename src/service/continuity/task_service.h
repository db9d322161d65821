// Tasks and peers, as far as the continuity contract needs them. Thread-safe.
#pragma once

#include "service/continuity/request.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {

class TaskService {
 public:
  TaskService(storage::Store& store, const access::Gatekeeper& gatekeeper,
              const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock) {}

  Result<Value> create(const Request& request);
  Result<Value> update(const Request& request);
  Result<Value> query(const Request& request);
  Result<Value> get(const Request& request);
  Result<Value> register_peer(const Request& request);
  Result<Value> peers(const Request& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
};

std::string task_path(const Value& task);

}  // namespace holdfast::service::continuity
