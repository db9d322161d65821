// Folders for tests.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::search {

// A path for the test under way: of this process alone, so that two runs at a time do not meet.
inline std::string test_folder(const std::string& name) {
  std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ranges::replace(test, '/', '_');
  return ::testing::TempDir() + "holdfast_" + name + "_" + test + "_" + std::to_string(getpid());
}

}  // namespace holdfast::search
