// The floor under the injection decision: a change that makes it worse than this fails here.
#include <gtest/gtest.h>

#include "relevance/injection_report.h"

namespace holdfast::relevance {
namespace {

TEST(InjectionRelevanceTest, PrecisionAndRecallStayAboveTheirFloors) {
  const InjectionReport report = measure_injection(HOLDFAST_INJECTION_SET);
  std::string mistakes;
  for (const std::string& line : report.mistakes) mistakes += line + "\n";
  ASSERT_GE(
      report.tuned.right + report.tuned.missed + report.held_out.right + report.held_out.missed,
      75);
  for (const InjectionCounts& counts : {report.tuned, report.held_out}) {
    EXPECT_GE(counts.precision(), 0.80) << mistakes;
    EXPECT_GE(counts.recall(), 0.60) << mistakes;
  }
}

}  // namespace
}  // namespace holdfast::relevance
