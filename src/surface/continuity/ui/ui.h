// The operator UI: read-only HTML below /ui for people on this machine.
#pragma once

#include <deque>
#include <memory>

#include "http/router.h"
#include "service/continuity/read_service.h"
#include "service/continuity/task_service.h"
#include "surface/continuity/operations.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {

struct Face {
  // Who looks: the local owner. No credential is asked for.
  const access::Authenticator& owner;
  const std::deque<Operation>& operations;  // the published ones
  service::continuity::ReadService& reads;
  service::continuity::TaskService& tasks;
  Posture posture = {};
};

class Ui {
 public:
  virtual ~Ui() = default;
};

// What the face refers to outlives it.
std::unique_ptr<Ui> mount(http::Router& router, const Face& face);

}  // namespace holdfast::surface::continuity::ui
