#include "app/command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::app {
namespace {

TEST(CommandRunTest, OutputThatCannotBeWrittenIsNoSuccess) {
  CommandRun run({}, Settings());
  const int kept = dup(STDOUT_FILENO);
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_TRUE(kept >= 0 && full >= 0);
  std::fflush(stdout);

  dup2(full, STDOUT_FILENO);
  run.print(Value(), [](const Value&) { return "a token that is shown once\n"; });
  dup2(kept, STDOUT_FILENO);
  close(full);
  close(kept);

  EXPECT_TRUE(run.output_lost());
}

}  // namespace
}  // namespace holdfast::app
