// A new git repository, written commit by commit through `git fast-import`: no shell, no hooks, no
// working tree in between.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::app {

struct GitCommit {
  Timestamp at = {};
  std::string message = {};
  std::map<std::string, std::optional<std::string>> files = {};  // nothing: the file goes
};

class GitHistory {
 public:
  // `author`: Name <address>.
  GitHistory(std::string folder, std::string author)
      : folder_(std::move(folder)), author_(std::move(author)) {}

  // Makes the repository in a folder that is empty or does not exist. kInvalidArgument otherwise,
  // kUnavailable without the program git.
  Status create();
  Status add(const GitCommit& commit);
  // Writes what is left and the files of the last commit into the folder.
  Status finish();
  int64_t commits() const { return commits_; }

 private:
  Status run(std::vector<std::string> arguments, std::string input) const;
  Status flush();

  const std::string folder_;
  const std::string author_;
  std::string stream_ = {};
  int64_t commits_ = 0;
  int64_t written_ = 0;
};

}  // namespace holdfast::app
