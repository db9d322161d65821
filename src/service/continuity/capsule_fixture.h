// Capsules for tests.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/continuity/capsule.h"

namespace holdfast::service::continuity {

inline Value capsule(const std::string& id, const std::string& at, const std::string& more = {}) {
  const auto sent = parse_json(
      R"({"subject_kind":"thread","subject_id":")" + id + R"(","updated_at":")" + at +
      R"(","verified_at":")" + at +
      R"(","source":{"producer":"t","update_reason":"manual"},)"
      R"("confidence":{"continuity":1,"relationship_model":1},"continuity":{"top_priorities":["p"],)"
      R"("active_concerns":[],"active_constraints":["c"],"open_loops":["l"],)"
      R"("stance_summary":"Long enough to be called adequate.","drift_signals":[]})" +
      more + "}");
  EXPECT_TRUE(sent.has_value());
  std::vector<ShapeIssue> issues;
  Value taken = tidy(take(capsule_shape(), *sent, issues));
  EXPECT_TRUE(issues.empty());
  return taken;
}

}  // namespace holdfast::service::continuity
