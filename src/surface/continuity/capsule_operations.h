// The operations on capsules, reminders, tasks and peers.
#pragma once

#include <vector>

#include "service/continuity/capsule_service.h"
#include "service/continuity/coordination_service.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/read_service.h"
#include "service/continuity/retrieve_service.h"
#include "service/continuity/schedule_service.h"
#include "service/continuity/task_service.h"
#include "surface/continuity/operations.h"

namespace holdfast::surface::continuity {

struct Services {
  service::continuity::CapsuleService& capsules;
  service::continuity::ReadService& reads;
  service::continuity::ScheduleService& schedule;
  service::continuity::TaskService& tasks;
  service::continuity::RetrieveService& retrieval;
  service::continuity::PlanService& plans;
};

// A method of a service as what an operation runs.
template <typename Service>
auto bind(Service& service, Result<Value> (Service::*function)(const Request&)) {
  return [&service, function](const Request& request) { return (service.*function)(request); };
}

std::vector<Operation> capsule_operations(const Services& services);
std::vector<Operation> work_operations(const Services& services);
std::vector<Operation> coordination_operations(service::continuity::CoordinationService& service);

}  // namespace holdfast::surface::continuity
