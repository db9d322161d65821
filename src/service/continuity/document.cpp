#include "service/continuity/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/time_text.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "service/continuity/letters.h"

namespace holdfast::service::continuity {
namespace {

void append_canonical(std::string& out, const Value& value);

void append_object(std::string& out, const Value::Object& members) {
  std::vector<const Value::Member*> sorted;
  for (const Value::Member& member : members) sorted.push_back(&member);
  // Bytes of UTF-8 sort as code points.
  std::ranges::sort(sorted, {}, [](const Value::Member* member) { return member->name; });
  out += '{';
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, sorted[i]->name);
    out += ':';
    append_canonical(out, sorted[i]->value);
  }
  out += '}';
}

void append_canonical(std::string& out, const Value& value) {
  if (const auto* members = value.if_object()) return append_object(out, *members);
  if (const auto* number = value.if_double()) {
    out += float_text(*number);
    return;
  }
  const auto* elements = value.if_array();
  if (elements == nullptr) return append_json(out, value);
  out += '[';
  for (size_t i = 0; i < elements->size(); ++i) {
    if (i > 0) out += ',';
    append_canonical(out, (*elements)[i]);
  }
  out += ']';
}

std::string scalar(const Value& value) {
  if (value.is_null()) return "None";
  if (const bool* flag = value.if_bool()) return *flag ? "True" : "False";
  if (const double* number = value.if_double()) return float_text(*number);
  if (const std::string* text = value.if_string()) return *text;
  return to_json(value);
}

std::string literal(const Value& value) {
  if (const std::string* text = value.if_string()) return quoted_literal(*text);
  std::string out;
  if (const auto* members = value.if_object()) {
    for (const auto& member : *members)
      out += (out.empty() ? "" : ", ") + quoted_literal(member.name) + ": " + literal(member.value);
    return fmt::format("{{{}}}", out);
  }
  if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) out += (out.empty() ? "" : ", ") + literal(element);
    return fmt::format("[{}]", out);
  }
  return scalar(value);
}

}  // namespace

std::string text_of(const Value& from, std::string_view name) {
  const Value* member = from.find(name);
  const std::string* text = member != nullptr ? member->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

const Value::Array& list_of(const Value& from, std::string_view name) {
  static const Value::Array kNone;
  const Value* member = from.find(name);
  const Value::Array* list = member != nullptr ? member->if_array() : nullptr;
  return list != nullptr ? *list : kNone;
}

const Value* present(const Value& from, std::string_view name) {
  const Value* member = from.find(name);
  return member != nullptr && !member->is_null() ? member : nullptr;
}

bool flag_of(const Value& from, std::string_view name) {
  const Value* member = from.find(name);
  const bool* flag = member != nullptr ? member->if_bool() : nullptr;
  return flag != nullptr && *flag;
}

int64_t integer_of(const Value& from, std::string_view name, int64_t otherwise) {
  const Value* member = from.find(name);
  const int64_t* number = member != nullptr ? member->if_int() : nullptr;
  return number != nullptr ? *number : otherwise;
}

void remove_member(Value& from, std::string_view name) {
  if (auto* members = from.if_object())
    std::erase_if(*members, [&](const Value::Member& member) { return member.name == name; });
}

Value* find_path(Value& from, std::string_view path) {
  Value* at = &from;
  while (at != nullptr && !path.empty()) {
    const size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return at;
}

const Value* find_path(const Value& from, std::string_view path) {
  return find_path(const_cast<Value&>(from), path);  // NOLINT: the same walk, nothing is written
}

std::string canonical_text(const Value& value) {
  std::string out;
  append_canonical(out, value);
  return out;
}

std::string float_text(double value) {
  const double size = std::abs(value);
  std::array<char, 64> buffer{};
  const bool exponent = size != 0 && (size < 1e-4 || size >= 1e16);
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  std::string out(buffer.data(), end);
  if (!exponent && out.find('.') == std::string::npos) out += ".0";
  return out;
}

std::string rendering(const Value& value) {
  std::string out;
  if (const auto* members = value.if_object()) {
    for (size_t i = 0; i < members->size(); ++i) {
      if (i > 0) out += '\n';
      out += (*members)[i].name;
      out += ": ";
      out += rendering((*members)[i].value);
    }
    return out;
  }
  const auto* elements = value.if_array();
  if (elements == nullptr) return scalar(value);
  for (size_t i = 0; i < elements->size(); ++i) {
    if (i > 0) out += '\n';
    const Value& element = (*elements)[i];
    out += "- ";
    out += element.is_object() || element.is_array() ? literal(element) : scalar(element);
  }
  return out;
}

int64_t tokens_of(const Value& value) {
  return static_cast<int64_t>((count_code_points(rendering(value)) + 3) / 4);
}

std::string format_exact(Timestamp at) {
  return to_micros(at) % 1'000'000 == 0 ? format_seconds(at) : format_micros(at);
}

}  // namespace holdfast::service::continuity
