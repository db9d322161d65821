// Which texts of an observation are looked through for secrets, and what becomes of the findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "model/label.h"
#include "model/value.h"
#include "service/observation/observation.h"
#include "text/secret_scan.h"

namespace holdfast::service::observation {

struct Finding {
  std::vector<Issue::Step> path = {};  // from the root of the body
  text::SecretFinding secret = {};
};

// In the order of the members, then of their places.
std::vector<Finding> scan_observation(const Observation& observation);
std::vector<Finding> scan_text(std::string_view field, std::string_view text);

// What stands in an answer for a text that it may not tell.
inline constexpr std::string_view kHidden = "[hidden]";
// A name or a short text as an answer may tell it: hidden if there is a secret in it.
std::string without_secret(std::string_view text);

struct ContentWarning {
  std::vector<Issue::Step> path = {};
  std::string_view code = {};
  std::string_view severity = {};  // in words
};

struct Judgement {
  std::vector<ContentWarning> warnings = {};
  bool quarantined = false;  // accepted with what looks like a secret
};

// What decides: who writes, how sensitive the result is, and where it lies.
struct Circumstances {
  int trust_tier = 0;
  Sensitivity sensitivity = Sensitivity::kNormal;
  bool sensitive_workspace = false;  // whose default is sensitive: mail addresses are told then
};

// Errors: kInvalidArgument with reason sensitive_content; its issues never carry the text itself.
Result<Judgement> judge(const std::vector<Finding>& findings, const Circumstances& circumstances);

}  // namespace holdfast::service::observation
