// continuity.related_documents: metadata of documents, never their content.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/paths.h"
#include "service/continuity/rules.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<std::string_view, 7> kContent = {"content",  "body", "text",   "excerpt",
                                                      "markdown", "html", "payload"};
struct Key {
  std::string_view name;
  size_t max;
  bool required;
};
constexpr std::array<Key, 4> kEntryKeys = {
    {{"path", 240, true}, {"kind", 32, true}, {"label", 120, true}, {"relevance", 32, false}}};

bool is_content(std::string_view name) {
  return std::ranges::find(kContent, name) != kContent.end();
}

bool carries_content(const Value& value) {
  if (const auto* members = value.if_object()) {
    return std::ranges::any_of(*members, [](const Value::Member& member) {
      return is_content(member.name) || carries_content(member.value);
    });
  }
  const auto* elements = value.if_array();
  return elements != nullptr && std::ranges::any_of(*elements, carries_content);
}

bool is_kind_word(std::string_view text) {
  if (text.empty() || text.front() < 'a' || text.front() > 'z') return false;
  return std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

// Keeps the problem of the lowest category; earlier ones win among equals.
struct Worst {
  int category = 99;
  std::string detail = {};
  void add(int found, std::string text) {
    if (found >= category) return;
    category = found;
    detail = std::move(text);
  }
};

void check_format(const Key& key, const std::string& text, Worst& worst) {
  const bool path_ok =
      has_path_letters(text) && text.front() != '/' && text.find("..") == std::string::npos;
  if (key.name == "path" && !path_ok)
    worst.add(5, "Invalid path in continuity.related_documents[].path");
  if (key.name == "kind" && !is_kind_word(text))
    worst.add(6, "Invalid kind format in continuity.related_documents[]");
  if (key.name == "relevance" && text != "primary" && text != "supporting" && text != "background")
    worst.add(6, "Invalid relevance in continuity.related_documents[]");
}

void check_key(const Key& key, const std::string& text, Worst& worst) {
  if (text.empty()) {
    worst.add(7, "Value too short in continuity.related_documents[]");
  } else if (trim_space(text).size() != text.size()) {
    worst.add(8, "Leading or trailing whitespace is not allowed in continuity.related_documents[]");
  } else if (count_code_points(text) > key.max) {
    worst.add(9, fmt::format("Value too long in continuity.related_documents[].{}", key.name));
  } else {
    check_format(key, text, worst);
  }
}

void check_entry(const Value& entry, std::set<std::string>& seen, Worst& worst) {
  const auto* members = entry.if_object();
  if (members == nullptr)
    return worst.add(3, "Invalid value type in continuity.related_documents[]");
  for (const auto& member : *members) {
    const auto known = [&](const Key& key) { return key.name == member.name; };
    if (std::ranges::none_of(kEntryKeys, known) && !is_content(member.name))
      worst.add(2, "Unknown key in continuity.related_documents[]");
  }
  std::string identity;
  for (const Key& key : kEntryKeys) {
    const Value* value = entry.find(key.name);
    if (value == nullptr) {
      if (key.required) worst.add(4, "Missing required key in continuity.related_documents[]");
      identity += "-|";
    } else if (const std::string* text = value->if_string()) {
      check_key(key, *text, worst);
      identity += fmt::format("{}:{}|", text->size(), *text);
    } else {
      worst.add(3, "Invalid value type in continuity.related_documents[]");
    }
  }
  if (!seen.insert(identity).second) worst.add(10, "Duplicate related_documents entry");
}

}  // namespace

DocumentsProblem related_documents_problem(const Value& documents) {
  Worst worst;
  const bool embedded = carries_content(documents);
  if (embedded) worst.add(1, "Embedded content is not allowed in continuity.related_documents[]");
  if (const auto* entries = documents.if_array()) {
    std::set<std::string> seen;
    for (const Value& entry : *entries) check_entry(entry, seen, worst);
    if (entries->size() > 8) worst.add(11, "Too many entries in continuity.related_documents");
  } else {
    worst.add(3, "Invalid value type in continuity.related_documents[]");
  }
  return {.detail = worst.detail, .embedded = embedded};
}

}  // namespace holdfast::service::continuity
