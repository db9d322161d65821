// continuity_state as it is sent.
#pragma once

#include <string>
#include <vector>

#include "service/continuity/trust.h"

namespace holdfast::service::continuity {

struct StateAnswer {
  std::vector<std::string> requested = {};
  std::vector<std::string> cut = {};      // beyond the number of capsules wanted
  std::vector<std::string> omitted = {};  // for any other reason
  std::vector<std::string> selection = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> recovery = {};
  Value capsules = Value::array();
  std::vector<Value> trust = {};  // of the capsules that carry signals
  std::vector<SalienceKey> keys = {};
  bool fallback_used = false;
  int64_t budget = 0;
  int64_t used = 0;  // tokens

  Value value() const;
};

}  // namespace holdfast::service::continuity
