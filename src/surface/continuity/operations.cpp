#include "surface/continuity/operations.h"

#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs

// Rules between members that the contract counts among the shape.
void check_members(const Operation& operation, const Value& args, std::vector<ShapeIssue>& issues) {
  const auto broken = [&](const char* rule) {
    issues.push_back({.type = "value_error",
                      .message = std::string("Value error, ") + rule,
                      .input = args,
                      .context = Value::object({{"error", Value::object()}})});
  };
  if (operation.name == "continuity.delete" && !flag_of(args, "delete_active") &&
      !flag_of(args, "delete_archive") && !flag_of(args, "delete_fallback"))
    broken("at least one delete flag must be true");
  if (operation.name == "continuity.list" && present(args, "anchor_value") != nullptr &&
      present(args, "anchor_kind") == nullptr)
    broken("anchor_value requires anchor_kind");
  const auto differ = [&](const char* name, const char* alias) {
    const Value* one = present(args, name);
    const Value* other = present(args, alias);
    return one != nullptr && other != nullptr && *one != *other;
  };
  if (operation.name == "coordination.handoff_consume" && differ("note", "reason"))
    broken("note and reason must not differ");
  if (operation.name == "coordination.reconciliation_resolve") {
    if (differ("resolution_outcome", "outcome"))
      broken("resolution_outcome and outcome must not differ");
    if (present(args, "resolution_outcome") == nullptr && present(args, "outcome") == nullptr)
      issues.push_back({.type = "missing",
                        .where = {Value("resolution_outcome")},
                        .message = "Field required",
                        .input = args});
  }
}

}  // namespace

Result<Value> run(const Operation& operation, const CallContext& call, const Value& raw,
                  const std::string& location) {
  if (operation.own_payload) return operation.run({.call = call, .args = raw, .raw = raw});
  std::vector<ShapeIssue> issues;
  const Value args = take(operation.shape, raw, issues);
  if (issues.empty()) check_members(operation, args, issues);
  if (!issues.empty()) return structured(ErrorCode::kInvalidArgument, issue_list(issues, location));
  return operation.run({.call = call, .args = args, .raw = raw});
}

}  // namespace holdfast::surface::continuity
