#include "wire/issue_text.h"

#include <fmt/format.h>

#include "wire/reading.h"

namespace holdfast::wire {
namespace {

std::string allowed_words(const Issue& issue) {
  std::string words;
  for (const auto& param : issue.params) {
    if (param.name == "allowed") words += (words.empty() ? "" : ", ") + param.value;
  }
  return words;
}

}  // namespace

std::string issue_demand(const Issue& issue) {
  const std::string& name = issue.rule;
  if (name == rule::kRequired) return "is required";
  if (name == rule::kType) return fmt::format("must be of type {}", issue.param("expected"));
  if (name == rule::kLengthMin)
    return fmt::format("must have at least {} characters", issue.param("min"));
  if (name == rule::kLengthMax)
    return fmt::format("must have at most {} characters", issue.param("max"));
  if (name == rule::kRangeMin) return fmt::format("must be at least {}", issue.param("min"));
  if (name == rule::kRangeMax) return fmt::format("must be at most {}", issue.param("max"));
  if (name == rule::kItemsMin)
    return fmt::format("must have at least {} items", issue.param("min"));
  if (name == rule::kItemsMax) return fmt::format("must have at most {} items", issue.param("max"));
  if (name == rule::kOneOf) return fmt::format("must be one of {}", allowed_words(issue));
  if (name == rule::kPattern) return fmt::format("must match {}", issue.param("pattern"));
  if (name == rule::kFormat) return fmt::format("must be {}", issue.param("expected"));
  if (name == rule::kEncoding) return "is no valid percent-encoded UTF-8";
  if (name == rule::kDuplicate) return "was sent twice";
  if (name == rule::kUnknown) return "is not known here";
  if (name == rule::kReadOnly) return "is set by the server";
  return {};
}

}  // namespace holdfast::wire
