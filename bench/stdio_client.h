// A JSON-RPC server on stdio, started and asked one line at a time.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace holdfast::bench {

class StdioClient {
 public:
  // Ends the program with a message if it cannot be started.
  explicit StdioClient(const std::vector<std::string>& command,
                       const std::vector<std::string>& environment = {});
  ~StdioClient();  // closes its input and waits
  StdioClient(const StdioClient&) = delete;
  StdioClient& operator=(const StdioClient&) = delete;

  // Initialises the protocol.
  void begin();
  // The line of the answer to a request. `params` is JSON.
  std::string ask(const std::string& method, const std::string& params);
  // Waits until the server does nothing any more: what was written leaves it work in the
  // background.
  void settle() const;
  std::string call(const std::string& tool, const std::string& arguments) {
    return ask("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }

 private:
  void send(const std::string& line) const;
  std::string read_line();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;
  int last_id_ = 0;
};

}  // namespace holdfast::bench
