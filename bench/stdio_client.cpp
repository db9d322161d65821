#include "bench/stdio_client.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace holdfast::bench {
namespace {

// Segments of the index are merged two seconds after the last burst of writes.
constexpr std::chrono::milliseconds kBeforeMerges{2500};
constexpr std::chrono::milliseconds kLook{300};
constexpr int kMostLooks = 200;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// Of all its threads, in clock ticks.
int64_t processor_time(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  int64_t user = 0;
  int64_t system = 0;
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) give_up("no process");
  std::sscanf(line.c_str() + name_end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
              &user, &system);
  return user + system;
}

}  // namespace

StdioClient::StdioClient(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) give_up("no pipe");
  pid_ = fork();
  if (pid_ < 0) give_up("no process");
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDERR_FILENO);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

StdioClient::~StdioClient() {
  close(input_);
  close(output_);
  waitpid(pid_, nullptr, 0);
}

void StdioClient::settle() const {
  std::this_thread::sleep_for(kBeforeMerges);
  int64_t before = -1;
  for (int left = kMostLooks; left > 0; --left) {
    const int64_t now = processor_time(pid_);
    if (now == before) return;
    before = now;
    std::this_thread::sleep_for(kLook);
  }
}

void StdioClient::begin() {
  ask("initialize",
      R"({"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}})");
  send(R"({"jsonrpc":"2.0","method":"notifications/initialized","params":{}})");
}

std::string StdioClient::ask(const std::string& method, const std::string& params) {
  const int id = ++last_id_;
  send(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id, method, params));
  const std::string mark = fmt::format(R"("id":{})", id);
  for (;;) {
    std::string line = read_line();
    if (line.find(mark) != std::string::npos) return line;
  }
}

void StdioClient::send(const std::string& line) const {
  const std::string bytes = line + "\n";
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = write(input_, bytes.data() + at, bytes.size() - at);
    if (sent <= 0) give_up("the server on stdio has gone");
    at += static_cast<size_t>(sent);
  }
}

std::string StdioClient::read_line() {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[65536];
    const ssize_t got = read(output_, bytes, sizeof bytes);
    if (got <= 0) give_up("the server on stdio has gone");
    buffer_.append(bytes, static_cast<size_t>(got));
  }
}

}  // namespace holdfast::bench
