// Turns the tables of commands into a parser. The only file that knows CLI11.
#include <cstdlib>
#include <iostream>
#include <list>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/version.h"

namespace holdfast::app {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

constexpr const char* kAbout =
    "Holdfast: the memory server for AI agents.\n"
    "Keeps what agents see, decide and promise, and gives it back at the right moment.\n";
constexpr const char* kFirstSteps =
    "First steps:\n"
    "  holdfast serve                                        serves http://127.0.0.1:7070\n"
    "  holdfast remember \"We deploy on Tuesdays\" --tag ops   stores a memory\n"
    "  holdfast search when do we deploy                     finds it\n"
    "Every option is also a variable HOLDFAST_… and a key in holdfast.toml.\n";

std::optional<std::string> from_environment(const std::string& name) {
  const char* value =
      std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): read before any thread starts
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// What the parser writes into, for one command.
struct Parsed {
  std::map<std::string, std::vector<std::string>> options = {};
  std::map<std::string, std::string> settings = {};
};

bool is_positional(const OptionSpec& spec) { return spec.name.starts_with('<'); }

std::string parser_name(const OptionSpec& spec) {
  return is_positional(spec) ? spec.name.substr(1, spec.name.size() - 2) : "--" + spec.name;
}

void add_option(CLI::App& command, const OptionSpec& spec, Parsed& parsed) {
  std::vector<std::string>& values = parsed.options[spec.name];
  if (!spec.default_value.empty()) values = {spec.default_value};
  if (spec.is_flag) {
    command.add_flag_callback(
        parser_name(spec), [&values] { values = {"true"}; }, spec.help);
    return;
  }
  const std::string help = spec.default_value.empty()
                               ? spec.help
                               : fmt::format("{} [{}]", spec.help, spec.default_value);
  auto* option = command.add_option_function<std::vector<std::string>>(
      parser_name(spec), [&values](const std::vector<std::string>& given) { values = given; },
      help);
  option->type_name("");
  option->required(spec.required);
  if (is_positional(spec) && spec.repeated) {
    option->expected(spec.required ? 1 : 0, CLI::detail::expected_max_vector_size);
    return;
  }
  // One value each time it is given: what follows belongs to somebody else.
  option->expected(1)->allow_extra_args(false);
  option->multi_option_policy(spec.repeated ? CLI::MultiOptionPolicy::TakeAll
                                            : CLI::MultiOptionPolicy::TakeLast);
}

void add_setting(CLI::App& command, const SettingSpec& spec, Parsed& parsed) {
  const std::string name = option_name(spec.name);
  const std::string help = spec.default_value.empty() || spec.is_flag
                               ? spec.help
                               : fmt::format("{} [{}]", spec.help, spec.default_value);
  auto* settings = &parsed.settings;
  if (spec.is_flag) {
    command.add_flag_callback(
        name, [settings, key = spec.name] { (*settings)[key] = "on"; }, help);
    return;
  }
  command
      .add_option_function<std::string>(
          name, [settings, key = spec.name](const std::string& value) { (*settings)[key] = value; },
          help)
      ->type_name("");
}

// "token create" is the command `create` below `token`.
CLI::App& place_for(CLI::App& root, const std::string& name, const std::string& summary) {
  const size_t space = name.find(' ');
  if (space == std::string::npos) return *root.add_subcommand(name, summary);
  const std::string group = name.substr(0, space);
  const auto same_name =
      root.get_subcommands([&](const CLI::App* app) { return app->get_name() == group; });
  CLI::App* parent = same_name.empty() ? nullptr : same_name.front();
  if (parent == nullptr) {
    parent = root.add_subcommand(group, fmt::format("See 'holdfast {} --help'.", group));
    parent->require_subcommand(1);
  }
  return *parent->add_subcommand(name.substr(space + 1), summary);
}

std::vector<CommandSpec> all_commands() {
  std::vector<CommandSpec> all;
  for (auto part : {serve_commands(), mcp_commands(), memory_commands(), admin_commands(),
                    archive_commands(), care_commands()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

int fail(const Error& error, int status) {
  std::cerr << "holdfast: " << error.message << '\n';
  if (!error.detail.empty()) std::cerr << "  (" << error.detail << ")\n";
  return status;
}

// The barrier for what libraries throw: a command ends with a sentence, whatever happens.
Status guarded(const CommandSpec& spec, CommandRun& run) {
  try {
    return spec.run(run);
  } catch (const std::exception& problem) {
    return internal_error(problem.what());
  }
}

int run_command(const CommandSpec& spec, const Parsed& parsed) {
  auto settings = Settings::load(parsed.settings, from_environment);
  if (!settings) return fail(settings.error(), kUsage);
  CommandRun run(parsed.options, std::move(*settings));
  Status done = guarded(spec, run);
  // Nobody has what was not written: perhaps a token that is shown once.
  if (done && run.output_lost())
    done = Error{.code = ErrorCode::kStorageFull,
                 .message = "The command was carried out, but its output cannot be written."};
  if (done) return 0;
  return fail(done.error(), done.error().code == ErrorCode::kInvalidArgument ? kUsage : kFailure);
}

// The command that was meant but does not exist: the parser only says that one is missing.
std::optional<std::string> unknown_command(const CLI::App& root) {
  const CLI::App* group = &root;
  std::string name;
  for (auto chosen = group->get_subcommands(); !chosen.empty(); chosen = group->get_subcommands()) {
    group = chosen.front();
    name += group->get_name() + " ";
  }
  if (group->get_require_subcommand_min() == 0) return std::nullopt;
  const std::vector<std::string> rest = group->remaining();
  if (rest.empty() || rest.front().starts_with('-')) return std::nullopt;
  return name + rest.front();
}

int wrong_command_line(const CLI::App& root, const CLI::ParseError& error) {
  const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (const auto unknown = required ? unknown_command(root) : std::nullopt) {
    return fail(invalid_argument(fmt::format(
                    "There is no command '{}'. 'holdfast --help' lists them.", *unknown)),
                kUsage);
  }
  // Asking for help is no failure; everything else is a wrong command line.
  return root.exit(error) == 0 ? 0 : kUsage;
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App root(kAbout, "holdfast");
  root.footer(kFirstSteps);
  root.require_subcommand(1);
  root.set_version_flag("--version", std::string(kVersion));

  const std::vector<CommandSpec> specs = all_commands();
  std::list<Parsed> parsed;
  int status = 0;
  for (const CommandSpec& spec : specs) {
    CLI::App& command = place_for(root, spec.name, spec.summary);
    Parsed& target = parsed.emplace_back();
    for (const OptionSpec& option : spec.options) add_option(command, option, target);
    for (const std::string& name : spec.settings) add_setting(command, setting_spec(name), target);
    if (!spec.teach.empty()) command.footer("Examples:\n" + spec.teach);
    command.final_callback([&status, &spec, &target] { status = run_command(spec, target); });
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return wrong_command_line(root, error);
  }
  return status;
}

}  // namespace holdfast::app
