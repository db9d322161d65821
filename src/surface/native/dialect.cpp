#include "surface/native/dialect.h"

#include <fmt/format.h>

#include "wire/reading.h"

namespace holdfast::surface::native {
namespace {

std::string allowed_words(const Issue& issue) {
  std::string words;
  for (const auto& param : issue.params) {
    if (param.name == "allowed") words += (words.empty() ? "" : ", ") + param.value;
  }
  return words;
}

// What must be, by rule. Rules of this surface's own schemas stand at the end.
std::string demand(const Issue& issue) {
  namespace rule = wire::rule;
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
  if (name == "size_max") return fmt::format("must have at most {} bytes", issue.param("max"));
  if (name == "after") return fmt::format("must be later than {}", issue.param("other"));
  if (name == "needs") return fmt::format("needs {}", issue.param("other"));
  if (name == "excludes")
    return fmt::format("cannot be given together with {}", issue.param("other"));
  if (name == "archived_change")
    return fmt::format("cannot be imported: {}", issue.param("problem"));
  return fmt::format("breaks the rule '{}'", name);
}

}  // namespace

std::string issue_sentence(const Issue& issue) {
  const std::string path = issue.path_text();
  return fmt::format("{} {}", path.empty() ? "the " + issue.location : path, demand(issue));
}

wire::Answer NativeDialect::failure(const wire::AnswerContext& context, const Error& error) const {
  if (error.issues.empty()) return PlainDialect::failure(context, error);
  Error worded = error;
  worded.message.clear();
  for (const Issue& issue : error.issues) {
    worded.message += (worded.message.empty() ? "" : "; ") + issue_sentence(issue);
  }
  worded.message += '.';
  return PlainDialect::failure(context, worded);
}

}  // namespace holdfast::surface::native
