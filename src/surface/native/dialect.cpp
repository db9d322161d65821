#include "surface/native/dialect.h"

#include <fmt/format.h>

#include "wire/issue_text.h"

namespace holdfast::surface::native {
namespace {

// What must be, by rule: those that every schema has, then those of this surface's own.
std::string demand(const Issue& issue) {
  std::string common = wire::issue_demand(issue);
  if (!common.empty()) return common;
  const std::string& name = issue.rule;
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

wire::Answer NativeDialect::success(const wire::AnswerContext& context, int status,
                                    Value payload) const {
  if (!context.space.empty() && payload.is_object() && payload.find("space") == nullptr)
    payload.set("space", context.space);
  return PlainDialect::success(context, status, std::move(payload));
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
