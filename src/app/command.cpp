#include "app/command.h"

#include <charconv>
#include <cstdio>

#include <fmt/format.h>

#include "app/local_caller.h"
#include "model/json_text.h"

namespace holdfast::app {

std::string CommandRun::text(std::string_view option) const { return given(option).value_or(""); }

std::optional<std::string> CommandRun::given(std::string_view option) const {
  const auto it = values_.find(std::string(option));
  if (it == values_.end() || it->second.empty()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> CommandRun::list(std::string_view option) const {
  const auto it = values_.find(std::string(option));
  return it == values_.end() ? std::vector<std::string>() : it->second;
}

bool CommandRun::flag(std::string_view option) const { return given(option) == "true"; }

Result<int64_t> CommandRun::integer(std::string_view option, int64_t min, int64_t max) const {
  const std::string value = text(option);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < min || number > max) {
    return invalid_argument(fmt::format("--{} is '{}', but must be a whole number from {} to {}.",
                                        option, value, min, max));
  }
  return number;
}

Result<Caller*> CommandRun::caller() {
  if (!caller_) {
    HOLDFAST_TRY(caller_, open_local_caller(settings_));
  }
  return caller_.get();
}

Result<Value> CommandRun::call(std::string_view method, const std::string& target,
                               const Value* body) {
  HOLDFAST_TRY(Caller* const memory, caller());
  OutgoingCall outgoing{.method = std::string(method), .target = target};
  if (const std::string name = space(); !name.empty())
    outgoing.headers.emplace_back("X-Holdfast-Space", name);
  if (body != nullptr) {
    outgoing.headers.emplace_back("Content-Type", "application/json");
    outgoing.body = to_json(*body);
  }
  return call_json(*memory, outgoing);
}

void CommandRun::print(const Value& value, const std::function<std::string(const Value&)>& show) {
  const std::string text = json() ? to_pretty_json(value) + "\n" : show(value);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) output_lost_ = true;
}

OptionSpec json_option() {
  return {.name = "json", .help = "print JSON for programs", .is_flag = true};
}

OptionSpec space_option() {
  return {.name = "space", .help = "the space to work in (default: default)"};
}

std::string member_text(const Value& value, std::string_view path) {
  const Value* at = &value;
  while (!path.empty() && at != nullptr) {
    const size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  if (at == nullptr || at->is_null()) return "";
  if (const auto* text = at->if_string()) return *text;
  return to_json(*at);
}

}  // namespace holdfast::app
