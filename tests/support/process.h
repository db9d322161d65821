// Real processes for whole-program tests.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace holdfast::testing {

// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct RunResult {
  int status = 0;  // exit status; 128 + signal if it was killed
  std::string out = {};
  std::string err = {};
};

using Environment = std::map<std::string, std::string>;

// Runs the binary with arguments to its end.
RunResult run_holdfast(const std::vector<std::string>& arguments, const std::string& input = {},
                       const Environment& environment = {});

// A process under way, its standard output readable line by line.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments, const Environment& environment = {});
  ~Process();  // ends what still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The next line, or nothing at the end of the output.
  std::optional<std::string> read_line();
  void write(const std::string& text);
  void close_input();
  void signal(int number) const;
  int wait();  // as RunResult::status
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;
  std::optional<int> status_;
};

struct HttpAnswer {
  int status = 0;                                   // 0: no answer
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string body = {};
};

// A keep-alive connection to a server on loopback. Not thread-safe: one a thread.
class HttpClient {
 public:
  explicit HttpClient(int port);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer request(const std::string& method, const std::string& target,
                     const std::string& body = {},
                     const std::map<std::string, std::string>& headers = {});
  HttpAnswer get(const std::string& target) { return request("GET", target); }
  HttpAnswer post(const std::string& target, const std::string& json) {
    return request("POST", target, json);
  }

 private:
  void* handle_;
  int port_;
};

// `holdfast serve` on a free port.
class ServerProcess {
 public:
  explicit ServerProcess(std::string data, std::vector<std::string> arguments = {},
                         Environment environment = {});

  int port() const { return port_; }
  const std::string& first_token() const { return first_token_; }  // what the first start printed
  const std::string& data() const { return data_; }
  // Ends it with a signal and gives its status; starting again uses the same folder.
  int stop(int signal = SIGTERM);
  void start();
  void restart(int signal = SIGTERM) {
    stop(signal);
    start();
  }
  Process& process() { return *process_; }
  HttpAnswer get(const std::string& target) { return HttpClient(port_).get(target); }
  HttpAnswer post(const std::string& target, const std::string& json) {
    return HttpClient(port_).post(target, json);
  }
  HttpAnswer del(const std::string& target) { return HttpClient(port_).request("DELETE", target); }

 private:
  std::string data_;
  std::vector<std::string> arguments_;
  Environment environment_;
  std::unique_ptr<Process> process_;
  int port_ = 0;
  std::string first_token_;
};

// True if any file below the folder contains the bytes.
bool folder_contains(const std::string& folder, const std::string& bytes);

}  // namespace holdfast::testing
