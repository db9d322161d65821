// The part of a target after `?`, and percent-encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::wire {

// Nothing if a `%` is not followed by two hexadecimal digits. `+` is a space only where asked.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);
// Everything but letters, digits and `-._~` is escaped.
std::string percent_encode(std::string_view text);

// Parameters in the order they were sent, repeats kept. A parameter that cannot be decoded, or is
// no UTF-8, is left out and named by broken().
class QueryString {
 public:
  struct Parameter {
    std::string name;
    std::string value;
    bool operator==(const Parameter&) const = default;
  };

  QueryString() = default;
  // `text` without the `?`. `a&b=` gives both with empty values; empty pieces (`&&`) are skipped.
  static QueryString parse(std::string_view text);

  const std::vector<Parameter>& all() const { return parameters_; }
  bool empty() const { return parameters_.empty() && broken_.empty(); }
  // The first value of that name, or nullptr.
  const std::string* find(std::string_view name) const;
  std::vector<std::string> values(std::string_view name) const;
  // The names, as readable as they are, of parameters that could not be decoded.
  const std::vector<std::string>& broken() const { return broken_; }
  bool operator==(const QueryString&) const = default;

 private:
  std::vector<Parameter> parameters_;
  std::vector<std::string> broken_;
};

}  // namespace holdfast::wire
