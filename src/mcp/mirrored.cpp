#include "mcp/mirrored.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/utf8.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

constexpr std::string_view kKeyword = "x-mcp-header";
constexpr std::string_view kOpen = "=?base64?";
constexpr std::string_view kClose = "?=";

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

// How often the keyword is used anywhere in a schema. What is below these keywords is data or names
// of properties, not keywords.
size_t count_keyword(const Value& schema) {
  size_t count = 0;
  if (const auto* list = schema.if_array()) {
    for (const Value& element : *list) count += count_keyword(element);
  } else if (const auto* members = schema.if_object()) {
    for (const Value::Member& member : *members) {
      const bool names = member.name == "properties" || member.name == "$defs" ||
                         member.name == "patternProperties" || member.name == "dependentSchemas";
      const bool data = member.name == "const" || member.name == "enum" ||
                        member.name == "default" || member.name == "examples";
      if (member.name == kKeyword) {
        ++count;
      } else if (names && member.value.is_object()) {
        for (const Value::Member& named : *member.value.if_object())
          count += count_keyword(named.value);
      } else if (!data) {
        count += count_keyword(member.value);
      }
    }
  }
  return count;
}

bool is_mirrorable(const Value& property) {
  const Value* type = property.find("type");
  return type != nullptr && (*type == Value("string") || *type == Value("integer") ||
                             *type == Value("boolean"));
}

Status collect(const Value& schema, std::vector<std::string>& path,
               std::vector<MirroredParameter>& out) {
  const Value* properties = schema.find("properties");
  if (properties == nullptr || !properties->is_object()) return {};
  for (const Value::Member& property : *properties->if_object()) {
    path.push_back(property.name);
    if (const Value* name = property.value.find(kKeyword)) {
      if (!name->is_string() || !is_token(*name->if_string()) || !is_mirrorable(property.value)) {
        return invalid_argument(fmt::format(
            "{} of '{}' must be an HTTP token on a string, integer or boolean", kKeyword,
            property.name));
      }
      out.push_back({.header = *name->if_string(), .path = path});
    }
    HOLDFAST_CHECK_OK(collect(property.value, path, out));
    path.pop_back();
  }
  return {};
}

const Value* argument_at(const Value& arguments, const std::vector<std::string>& path) {
  const Value* here = &arguments;
  for (const std::string& name : path) {
    here = here->find(name);
    if (here == nullptr) return nullptr;
  }
  return here;
}

bool says_the_same(const Value& argument, const std::string& text) {
  if (const std::string* string = argument.if_string()) return *string == text;
  if (const bool* flag = argument.if_bool()) return text == (*flag ? "true" : "false");
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  if (const int64_t* integer = argument.if_int()) return whole && number == *integer;
  return argument.is_number() && whole && argument.to_double() == static_cast<double>(number);
}

}  // namespace

Result<std::vector<MirroredParameter>> mirrored_parameters(const Value& input_schema) {
  std::vector<MirroredParameter> found;
  std::vector<std::string> path;
  HOLDFAST_CHECK_OK(collect(input_schema, path, found));
  if (found.size() != count_keyword(input_schema)) {
    return invalid_argument(
        fmt::format("{} may only be used on properties reached through 'properties'", kKeyword));
  }
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (wire::equal_ignoring_case(found[i].header, found[j].header))
        return invalid_argument(fmt::format("{} '{}' is used twice", kKeyword, found[i].header));
    }
  }
  return found;
}

std::optional<std::string> decode_mirrored(std::string_view value) {
  if (value.size() < kOpen.size() + kClose.size() || !value.starts_with(kOpen) ||
      !value.ends_with(kClose)) {
    return std::string(value);
  }
  value.remove_prefix(kOpen.size());
  value.remove_suffix(kClose.size());
  auto decoded = base64_decode(value);
  // Decoding is lenient about padding and alphabet; encoding again is not.
  if (!decoded || base64_encode(*decoded) != value || !is_valid_utf8(*decoded)) return std::nullopt;
  return decoded;
}

std::optional<std::string> single_header(const wire::Headers& headers, std::string_view name) {
  std::optional<std::string> found;
  for (const std::string& field : headers.all(name)) {
    std::string_view value = field;
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    if (found && *found != value) return std::nullopt;
    found = std::string(value);
  }
  return found;
}

std::optional<RpcError> check_mirrored(const std::vector<MirroredParameter>& parameters,
                                       const Value& arguments, const wire::Headers& headers) {
  for (const MirroredParameter& parameter : parameters) {
    const std::string name = std::string(header::kParamPrefix) + parameter.header;
    const Value* argument = argument_at(arguments, parameter.path);
    const bool present = argument != nullptr && !argument->is_null();
    if (!present && !headers.has(name)) continue;
    const auto field = single_header(headers, name);
    const auto text = field ? decode_mirrored(*field) : std::nullopt;
    if (present && text && says_the_same(*argument, *text)) continue;
    return header_mismatch(
        fmt::format("The header {} must say what the argument '{}' says.", name,
                    fmt::join(parameter.path, ".")));
  }
  return std::nullopt;
}

RpcError header_mismatch(std::string message) {
  return {.code = code::kHeaderMismatch, .message = std::move(message), .status = 400};
}

}  // namespace holdfast::mcp
