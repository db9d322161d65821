// A command of the program, declared as data: command_line.cpp turns the table into a parser and
// its help.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/caller.h"
#include "app/settings.h"
#include "base/result.h"
#include "model/value.h"

namespace holdfast::app {

struct OptionSpec {
  std::string name;  // "limit" is --limit; "<text>" is a positional
  std::string help = {};
  std::string default_value = {};
  bool is_flag = false;
  bool required = false;
  bool repeated = false;  // may be given several times (a positional: takes all that follow)
};

// What one run of a command was given.
class CommandRun {
 public:
  CommandRun(std::map<std::string, std::vector<std::string>> values, Settings settings)
      : values_(std::move(values)), settings_(std::move(settings)) {}

  std::string text(std::string_view option) const;  // empty if not given and without default
  std::optional<std::string> given(std::string_view option) const;  // nothing if not given
  std::vector<std::string> list(std::string_view option) const;
  bool flag(std::string_view option) const;
  // kInvalidArgument names the option and what is allowed.
  Result<int64_t> integer(std::string_view option, int64_t min, int64_t max) const;

  const Settings& settings() const { return settings_; }
  // The space to work in: --space, else the setting; empty: the default one.
  std::string space() const { return given("space").value_or(settings_.text("space")); }
  bool json() const { return flag("json"); }
  // The memory, opened when first asked for.
  Result<Caller*> caller();
  // A JSON call on the native surface in the space of --space.
  Result<Value> call(std::string_view method, const std::string& target,
                     const Value* body = nullptr);

  // Prints to standard output: the value as JSON with --json, else what `show` makes of it.
  void print(const Value& value, const std::function<std::string(const Value&)>& show);
  // True if something printed could not be written: the disk is full, or the reader has gone.
  bool output_lost() const { return output_lost_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  Settings settings_;
  std::unique_ptr<Caller> caller_;
  bool output_lost_ = false;
};

struct CommandSpec {
  std::string name;  // "search", "token create"
  std::string summary;
  std::string teach = {};  // examples, below the options in --help
  std::vector<OptionSpec> options = {};
  std::vector<std::string> settings = {"data", "config"};  // which settings it takes as options
  // Errors are printed as one sentence and end the program with status 1.
  std::function<Status(CommandRun&)> run;
};

std::vector<CommandSpec> memory_commands();   // remember search context show history forget
std::vector<CommandSpec> admin_commands();    // token space
std::vector<CommandSpec> archive_commands();  // import export backup restore
std::vector<CommandSpec> care_commands();     // verify reindex doctor bench version
std::vector<CommandSpec> serve_commands();    // serve
std::vector<CommandSpec> mcp_commands();      // mcp

// Options that most commands share.
OptionSpec json_option();
OptionSpec space_option();

// A member of a JSON answer as text: "" if absent, numbers and booleans as JSON writes them.
std::string member_text(const Value& value, std::string_view path);

// Parses and runs; the program's exit status: 0, 1 for a failure, 2 for a wrong command line or
// setting.
int run_command_line(int argc, const char* const* argv);

}  // namespace holdfast::app
