#include "wire/headers.h"

#include <algorithm>

#include "base/ascii.h"

namespace holdfast::wire {
bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (size_t i = 0; i < prefix.size(); ++i) {
    if (ascii_lower(text[i]) != ascii_lower(prefix[i])) return false;
  }
  return true;
}

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(list_,
                [name](const Header& header) { return equal_ignoring_case(header.name, name); });
  list_.push_back({std::string(name), std::move(value)});
}

const std::string* Headers::find(std::string_view name) const {
  for (const Header& header : list_) {
    if (equal_ignoring_case(header.name, name)) return &header.value;
  }
  return nullptr;
}

std::string_view Headers::get(std::string_view name) const {
  const std::string* value = find(name);
  return value != nullptr ? std::string_view(*value) : std::string_view();
}

std::vector<std::string> Headers::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const Header& header : list_) {
    if (equal_ignoring_case(header.name, name)) values.push_back(header.value);
  }
  return values;
}

std::vector<Header> Headers::with_prefix(std::string_view prefix) const {
  std::vector<Header> found;
  for (const Header& header : list_) {
    if (starts_with_ignoring_case(header.name, prefix)) found.push_back(header);
  }
  return found;
}

}  // namespace holdfast::wire
