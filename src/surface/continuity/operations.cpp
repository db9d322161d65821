#include "surface/continuity/operations.h"

#include <algorithm>

#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs

// Rules between members that the contract counts among the shape.
void check_members(const Operation& operation, const Value& args, const Value& raw,
                   std::vector<ShapeIssue>& issues) {
  const auto broken = [&](const char* rule) {
    issues.push_back({.type = "value_error",
                      .message = std::string("Value error, ") + rule,
                      .input = raw,
                      .context = Value::object({{"error", Value::object()}})});
  };
  if (operation.name == "continuity.delete" && !flag_of(args, "delete_active") &&
      !flag_of(args, "delete_archive") && !flag_of(args, "delete_fallback"))
    broken("at least one delete flag must be true");
  if (operation.name == "continuity.list" && present(args, "anchor_value") != nullptr &&
      present(args, "anchor_kind") == nullptr)
    broken("anchor_value requires anchor_kind");
}

// The second name of a member is put in its place.
Value with_alias(const Operation& operation, const Value& raw, std::vector<ShapeIssue>& issues) {
  Value out = raw;
  const Value* given = out.find(operation.alias.name);
  if (given == nullptr) return out;
  const Value value = *given;
  remove_member(out, operation.alias.name);
  const Value* own = present(out, operation.alias.of);
  if (own != nullptr && !value.is_null() && *own != value)
    issues.push_back({.type = "value_error",
                      .message = "Value error, " + operation.alias.of + " and " +
                                 operation.alias.name + " must not differ",
                      .input = raw,
                      .context = Value::object({{"error", Value::object()}})});
  if (own == nullptr) out.set(operation.alias.of, value);
  return out;
}

// What is said of the request as a whole shows it without additions and with its own names.
void show_as_sent(std::vector<ShapeIssue>& issues, const Value& sent) {
  for (ShapeIssue& issue : issues) {
    const bool whole = issue.where.empty() || (issue.where.size() == 1 && issue.type == "missing");
    if (whole) issue.input = sent;
  }
}

// upsert of continuity.upsert as ContinuityUpsert.
std::string title_of(const std::string& name) {
  std::string out;
  bool first = true;
  for (const char c : name) {
    if (c != '.' && c != '_') out += first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    first = c == '.' || c == '_';
  }
  return out + "Request";
}

}  // namespace

bool is_reading(const Operation& operation) { return operation.method == "GET"; }

bool is_changing(const Operation& operation) {
  return !is_reading(operation) && (!operation.idempotent || operation.own_payload);
}

bool has_member(const Operation& operation, std::string_view name) {
  const auto& members = operation.shape.members;
  return std::ranges::find(members, name, &Member::name) != members.end();
}

Value extra_member(const std::string& name, const Value& sent) {
  return Value::object({{"type", "extra_forbidden"},
                        {"loc", Value::array({"body", name})},
                        {"msg", "Extra inputs are not permitted"},
                        {"input", sent}});
}

bool is_local_only(const Operation& operation) { return operation.name.starts_with("ops."); }

Value input_schema(const Operation& operation) {
  Value schema = json_schema(operation.shape, title_of(operation.name));
  // With parameters of the path among them, the arguments are all there is.
  if (operation.path.find('{') != std::string::npos) schema.set("additionalProperties", false);
  return schema;
}

Result<Value> run(const Operation& operation, const CallContext& call, const Value& raw,
                  const std::string& location, bool looking, const Value* sent) {
  if (operation.own_payload)
    return operation.run({.call = call, .args = raw, .raw = raw, .looking = looking});
  std::vector<ShapeIssue> issues;
  if (raw.is_null()) {  // no body at all
    issues.push_back({.type = "missing", .message = "Field required"});
    return structured(ErrorCode::kInvalidArgument, issue_list(issues, location));
  }
  const bool other_name = !operation.alias.name.empty();
  const Value args = other_name ? take(operation.shape, with_alias(operation, raw, issues), issues)
                                : take(operation.shape, raw, issues);
  if (issues.empty()) check_members(operation, args, raw, issues);
  show_as_sent(issues, sent != nullptr ? *sent : raw);
  if (!issues.empty()) return structured(ErrorCode::kInvalidArgument, issue_list(issues, location));
  return operation.run({.call = call, .args = args, .raw = raw, .looking = looking});
}

}  // namespace holdfast::surface::continuity
