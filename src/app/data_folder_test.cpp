#include "app/data_folder.h"

#include <filesystem>
#include <fstream>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

class DataFolderTest : public testing::Test {
 protected:
  DataFolderTest()
      : root_(fs::temp_directory_path() / ("holdfast-folder-" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~DataFolderTest() override { fs::remove_all(root_); }

  fs::path root_;
};

TEST_F(DataFolderTest, AFolderHasOneOwnerAndTheMessageNamesIt) {
  const FolderPaths paths(root_ / "data");
  ASSERT_TRUE(prepare_folder(paths).has_value());
  auto first = FolderLock::acquire(paths);
  ASSERT_TRUE(first.has_value());

  const auto second = FolderLock::acquire(paths);

  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().reason, reason::kOwnedByAnother);
  EXPECT_NE(second.error().message.find("process " + std::to_string(getpid())), std::string::npos);
  first->reset();
  EXPECT_TRUE(FolderLock::acquire(paths).has_value());
}

TEST_F(DataFolderTest, AKilledOwnerLeavesTheFolderFree) {
  const FolderPaths paths(root_.string());
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FolderLock::acquire(paths);
    const char byte = lock ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1) _exit(2);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  ASSERT_FALSE(FolderLock::acquire(paths).has_value());

  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);

  EXPECT_TRUE(FolderLock::acquire(paths).has_value());
}

TEST_F(DataFolderTest, AFileInItsPlaceIsRefusedWithAdvice) {
  std::ofstream(root_ / "file") << "x";

  EXPECT_NE(prepare_folder(FolderPaths(root_ / "file")).error().message.find("--data"),
            std::string::npos);
  EXPECT_NE(prepare_folder(FolderPaths(root_ / "file" / "below")).error().message.find("--data"),
            std::string::npos);
}

TEST_F(DataFolderTest, TheFolderIsForItsUserOnly) {
  const FolderPaths paths(root_ / "a" / "b");

  ASSERT_TRUE(prepare_folder(paths).has_value());

  EXPECT_EQ(fs::status(paths.folder).permissions(), fs::perms::owner_all);
}

TEST_F(DataFolderTest, TheSocketPathIsShortHoweverDeepTheFolder) {
  const FolderPaths paths(root_ / std::string(120, 'd'));
  ASSERT_TRUE(prepare_folder(paths).has_value());

  const auto path = SocketPath::open(paths);

  ASSERT_TRUE(path.has_value());
  EXPECT_LT((*path)->text().size(), 64U);
  std::ofstream((*path)->text()) << "x";
  EXPECT_TRUE(fs::exists(paths.socket));
}

}  // namespace
}  // namespace holdfast::app
