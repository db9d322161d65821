#include "app/git_history.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/child_process.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBatchBytes = size_t{16} << 20U;
constexpr const char* kBranch = "refs/heads/main";

std::string data_block(std::string_view bytes) {
  return fmt::format("data {}\n", bytes.size()) + std::string(bytes) + "\n";
}

std::string path_text(std::string_view path) {
  std::string out = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

Status GitHistory::run(std::vector<std::string> arguments, std::string input) const {
  std::vector<std::string> command = {"git", "-C", folder_, "-c", "core.hooksPath=/dev/null"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto done = run_child(
      {.command = command, .input = std::move(input), .timeout = std::chrono::minutes(10)});
  if (!done && done.error().code == ErrorCode::kNotFound)
    return unavailable("The program git is needed for this; install it and try again.");
  if (!done) return done.error();
  if (done->exit_code == 0) return {};
  return unavailable(
      fmt::format("git {} failed in {} (status {}).", arguments.front(), folder_, done->exit_code));
}

Status GitHistory::create() {
  std::error_code ignored;
  if (fs::exists(folder_, ignored) && !fs::is_empty(folder_, ignored))
    return invalid_argument(fmt::format("{} is not empty; name a new folder.", folder_));
  fs::create_directories(folder_, ignored);
  if (!fs::is_directory(folder_, ignored))
    return invalid_argument(fmt::format("{} cannot be made.", folder_));
  return run({"init", "--quiet", "--initial-branch=main"}, "");
}

Status GitHistory::add(const GitCommit& commit) {
  stream_ += fmt::format("commit {}\ncommitter {} {} +0000\n", kBranch, author_,
                         to_micros(commit.at) / 1'000'000);
  stream_ += data_block(commit.message);
  if (commits_ > 0 && written_ == commits_) stream_ += fmt::format("from {}^0\n", kBranch);
  for (const auto& [path, bytes] : commit.files) {
    stream_ += bytes ? fmt::format("M 100644 inline {}\n", path_text(path)) + data_block(*bytes)
                     : fmt::format("D {}\n", path_text(path));
  }
  stream_ += '\n';
  ++commits_;
  return stream_.size() >= kBatchBytes ? flush() : Status();
}

Status GitHistory::flush() {
  if (stream_.empty()) return {};
  std::string batch;
  batch.swap(stream_);
  HOLDFAST_CHECK_OK(run({"fast-import", "--quiet"}, std::move(batch)));
  written_ = commits_;
  return {};
}

Status GitHistory::finish() {
  HOLDFAST_CHECK_OK(flush());
  return commits_ > 0 ? run({"reset", "--quiet", "--hard"}, "") : Status();
}

}  // namespace holdfast::app
