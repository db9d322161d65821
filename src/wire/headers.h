// HTTP header fields, of a request or an answer: in order, repeats kept, names compared without
// case.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::wire {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

// ASCII only, as header names are.
bool equal_ignoring_case(std::string_view a, std::string_view b);
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);

class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<Header> list) : list_(list) {}

  void add(std::string name, std::string value) {
    list_.push_back({std::move(name), std::move(value)});
  }
  // Replaces every field of that name.
  void set(std::string_view name, std::string value);

  // The first field of that name, or nullptr.
  const std::string* find(std::string_view name) const;
  // The first value of that name, or an empty text. Points into this object.
  std::string_view get(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  // Every field whose name begins with `prefix`, e.g. "mcp-param-".
  std::vector<Header> with_prefix(std::string_view prefix) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  const std::vector<Header>& list() const { return list_; }
  bool operator==(const Headers&) const = default;

 private:
  std::vector<Header> list_;
};

}  // namespace holdfast::wire
