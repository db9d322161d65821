// A real server for measurements: items in through /items, questions through /query.
#pragma once

#include <string>
#include <vector>

#include "model/json_text.h"
#include "support/process.h"

namespace holdfast::relevance {

class RecallServer {
 public:
  explicit RecallServer(const std::string& data);

  // In arrays of 50, in order; waits where the server asks for patience. Ends the program with a
  // message if an item is refused.
  void store(const std::vector<Value>& items);
  // Waits until nothing is pending and no thread is being rebuilt.
  void drain();
  // The answer of /query.
  Value ask(const Value& question);
  int port() const { return server_.port(); }

 private:
  testing::ServerProcess server_;
  testing::HttpClient client_;
};

// A text member, empty where there is none.
std::string text_in(const Value& value, std::string_view name);
Value read_json_file(const std::string& path);

}  // namespace holdfast::relevance
