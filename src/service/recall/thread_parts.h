// What a thread's memory is made of: its topic, conclusions and where the work stands.
#pragma once

#include "service/recall/extract.h"
#include "service/recall/thread_memory.h"

namespace holdfast::service::recall {

struct Artifact {
  Signal signal = {};
  const Item* item = nullptr;
};

struct Parts {
  std::vector<Artifact> artifacts = {};
  std::vector<std::string> conclusions = {};
  std::string topic = {};
  std::string progress = {};
  std::string blocker = {};
  std::string next = {};

  std::string first() const;   // what a summary begins with
  std::string second() const;  // ... and goes on with
};

// Points into the view's items.
Parts parts_of(const ThreadView& view);

}  // namespace holdfast::service::recall
