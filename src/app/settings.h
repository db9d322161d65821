// Every setting, from three places: the command line wins, then the environment (HOLDFAST_…), then
// holdfast.toml.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::app {

// One setting. Its name with '-' for '_' is the option, HOLDFAST_ + upper case the variable, and
// itself (dots for tables: "vector.mode") the key in the file.
struct SettingSpec {
  std::string name;  // listen, rate-limits, vector.mode
  std::string default_value;
  std::string help;
  bool is_flag = false;  // true or false; an option without a value means true
  // Further environment variables, under the names that a published API gives them. Ours wins, then
  // the first that is set.
  std::vector<std::string> variables = {};
};

// All settings of `holdfast serve`, in the order of --help. Other commands take a part of them.
const std::vector<SettingSpec>& setting_specs();
const SettingSpec& setting_spec(std::string_view name);
// --rate-limits for rate-limits, --vector-mode for vector.mode.
std::string option_name(std::string_view setting);
// HOLDFAST_RATE_LIMITS for rate-limits, HOLDFAST_VECTOR_MODE for vector.mode.
std::string environment_name(std::string_view setting);

// The values in force, and where each came from. Values are texts; typed getters refuse what cannot
// be parsed, naming the setting and its place.
class Settings {
 public:
  using Environment = std::function<std::optional<std::string>(const std::string&)>;

  // `given`: what the command line said. Reads the file named by `config`, or holdfast.toml in the
  // data folder if it is there. Errors: kInvalidArgument with one sentence: an unreadable file, an
  // unknown key, a value of a wrong type.
  static Result<Settings> load(const std::map<std::string, std::string>& given,
                               const Environment& environment);

  std::string text(std::string_view name) const;
  // kInvalidArgument names the setting, its place and what is allowed.
  Result<int64_t> integer(std::string_view name, int64_t min, int64_t max) const;
  Result<bool> boolean(std::string_view name) const;  // on/off, true/false, yes/no, 1/0
  Result<std::string> one_of(std::string_view name, const std::vector<std::string>& allowed) const;
  std::vector<std::string> list(std::string_view name) const;  // comma-separated
  // What to say of a value that is not `allowed`, for rules that only whoever reads it knows.
  Error bad(std::string_view name, std::string_view allowed) const;

 private:
  struct Entry {
    std::string value;
    std::string place;  // "option --listen", "variable HOLDFAST_LISTEN", "listen in
                        // /…/holdfast.toml", "default"
  };
  const Entry& entry(std::string_view name) const;

  std::map<std::string, Entry, std::less<>> entries_;
};

// $MEMORY_SUBSTRATE_ROOT, else $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast. (The option
// and $HOLDFAST_DATA come before it.)
std::string default_data_folder(const Settings::Environment& environment);

}  // namespace holdfast::app
