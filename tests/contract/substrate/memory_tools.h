// The memory tools as a client on stdio sees them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "support/json.h"
#include "support/mcp.h"

namespace holdfast::testing {

struct ToolAnswer {
  bool is_error = false;
  std::string text = {};
  Value result = {};  // the text as JSON; null for an error
};

class MemoryTools {
 public:
  explicit MemoryTools(const std::string& data, std::vector<std::string> more = {})
      : mcp_(data, std::move(more)) {
    mcp_.begin();
  }

  // `input` and `options` are JSON.
  ToolAnswer call(const std::string& tool, const std::string& mode, const std::string& input,
                  const std::string& options = "{}") {
    Value args = Value::object({{"mode", mode}});
    args.set("input_data", parsed(input));
    args.set("options", parsed(options));
    return read(mcp_.ask(
        "tools/call",
        Value::object({{"name", tool}, {"arguments", Value::object({{"args", std::move(args)}})}}),
        ++last_id_));
  }
  Value ingest(const std::string& mode, const std::string& input,
               const std::string& options = "{}") {
    const ToolAnswer answer = call("memory_ingest", mode, input, options);
    EXPECT_FALSE(answer.is_error) << answer.text;
    return answer.result;
  }
  std::string refusal(const std::string& mode, const std::string& input) {
    const ToolAnswer answer = call("memory_ingest", mode, input);
    EXPECT_TRUE(answer.is_error) << answer.text;
    return answer.text;
  }
  // The stored object.
  Value page(const Value& id) {
    const ToolAnswer answer =
        call("memory_query", "page", R"({"id":)" + to_json(id) + "}", R"({"detail":"full"})");
    EXPECT_FALSE(answer.is_error) << answer.text;
    return at(answer.result, "data.object");
  }
  size_t events() {
    const ToolAnswer answer = call("memory_maintain", "audit", "{}", R"({"max_items":100000})");
    return at(answer.result, "data.events").if_array()->size();
  }
  McpStdio& mcp() { return mcp_; }
  int64_t last_id() const { return last_id_; }

 private:
  static ToolAnswer read(const Value& message) {
    ToolAnswer answer;
    const Value text = at(message, "result.content.0.text");
    if (text.if_string() != nullptr) answer.text = *text.if_string();
    const Value failed = at(message, "result.isError");
    answer.is_error = failed.if_bool() == nullptr || *failed.if_bool();
    if (!answer.is_error) answer.result = parsed(answer.text);
    return answer;
  }

  McpStdio mcp_;
  int64_t last_id_ = 0;
};

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// {"path": "..."}
inline std::string path_input(const std::string& path) {
  return to_json(Value::object({{"path", path}}));
}

inline std::string shown(const Value& value) {
  return value.if_string() != nullptr ? *value.if_string() : to_json(value);
}

}  // namespace holdfast::testing
