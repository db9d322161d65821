// Short ways to read JSON answers in tests.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "support/process.h"

namespace holdfast::testing {

inline Value parsed(const std::string& text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? std::move(*value) : Value();
}

// The value at a path like "hits.0.id"; null if there is none.
inline Value at(const Value& root, std::string_view path) {
  const Value* here = &root;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (const auto* list = here->if_array()) {
      const size_t index = static_cast<size_t>(std::stoul(std::string(step)));
      if (index >= list->size()) return {};
      here = &(*list)[index];
    } else {
      here = here->find(step);
      if (here == nullptr) return {};
    }
  }
  return *here;
}

inline Value at(const HttpAnswer& answer, std::string_view path) {
  return at(parsed(answer.body), path);
}

inline std::string text_at(const HttpAnswer& answer, std::string_view path) {
  const Value value = at(answer, path);
  return value.is_string() ? *value.if_string() : to_json(value);
}

inline size_t size_at(const HttpAnswer& answer, std::string_view path) {
  const Value value = at(answer, path);
  return value.is_array() ? value.if_array()->size() : 0;
}

}  // namespace holdfast::testing
