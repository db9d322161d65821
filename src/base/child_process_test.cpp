#include "base/child_process.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(ChildProcessTest, InputGoesInAndOutputComesBack) {
  const std::string large(5'000'000, 'x');

  const auto outcome = run_child({.command = {"cat"}, .input = large});

  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->exit_code, 0);
  EXPECT_EQ(outcome->output, large);
}

TEST(ChildProcessTest, ArgumentsAreNeverReadByAShell) {
  const auto outcome = run_child({.command = {"printf", "%s", "$(id) ; `id` *"}});

  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->output, "$(id) ; `id` *");
}

TEST(ChildProcessTest, AProgramThatIsNotThereIsNotFound) {
  const auto outcome = run_child({.command = {"holdfast-no-such-program"}});

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kNotFound);
}

TEST(ChildProcessTest, ExitCodesAndSignalsAreTold) {
  EXPECT_EQ(run_child({.command = {"false"}})->exit_code, 1);
  EXPECT_EQ(run_child({.command = {"sh", "-c", "kill -SEGV $$"}})->exit_code, 128 + 11);
}

TEST(ChildProcessTest, OneThatHangsIsKilled) {
  const auto outcome =
      run_child({.command = {"sleep", "1000"}, .timeout = std::chrono::milliseconds(50)});

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kDeadlineExceeded);
}

TEST(ChildProcessTest, OneThatFloodsIsKilled) {
  const auto outcome = run_child({.command = {"yes"}, .max_output_bytes = 1000});

  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kTooLarge);
}

TEST(ChildProcessTest, OneThatDoesNotReadDoesNotEndUs) {
  const auto outcome = run_child({.command = {"true"}, .input = std::string(5'000'000, 'x')});

  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->exit_code, 0);
}

}  // namespace
}  // namespace holdfast
