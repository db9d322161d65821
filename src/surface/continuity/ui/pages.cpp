#include "surface/continuity/ui/pages.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "service/continuity/document.h"

namespace holdfast::surface::continuity::ui {

using service::continuity::text_of;

const std::vector<std::string> kSubjectKinds = {"user", "peer", "thread", "task"};

Result<Value> Desk::ask(const CallContext& call, std::string_view operation,
                        const Value& args) const {
  const auto find = [&](const auto& all) -> const Operation* {
    const auto found = std::ranges::find(all, operation, &Operation::name);
    return found != all.end() ? &*found : nullptr;
  };
  const Operation* known = find(operations);
  if (known == nullptr) known = find(own);
  if (known == nullptr) return internal_error("No operation " + std::string(operation));
  return run(*known, call, args, "query", /*looking=*/true);
}

std::string Visit::parameter(std::string_view name) const {
  const std::string* value = request.query.find(name);
  return value != nullptr ? std::string(trim_space(*value)) : std::string();
}

Value Visit::parameters(const std::vector<const char*>& names) const {
  Value out = Value::object();
  for (const char* name : names) {
    if (std::string value = parameter(name); !value.empty()) out.set(name, std::move(value));
  }
  return out;
}

const std::vector<PageRoute>& page_routes() {
  static const std::vector<PageRoute> all = {
      {"/ui/", home_page},
      {"/ui/continuity", capsules_page},
      {"/ui/continuity/{kind}/{id}", capsule_page},
      {"/ui/tasks", tasks_page},
      {"/ui/tasks/{id}", task_page},
      {"/ui/schedule", schedule_page},
      {"/ui/context", context_page},
      {"/ui/graph", graph_page},
      {"/ui/graph/{kind}/{id}", graph_page},
      {"/ui/docs", documents_page},
      {"/ui/docs/{id}", document_page},
  };
  return all;
}

Html subject_link(const std::string& kind, const std::string& id) {
  return link(address({"continuity", kind, id}), id);
}

bool mentions(const Value& row, const std::vector<const char*>& members, const std::string& part) {
  const std::string wanted = fold_case(part);
  return wanted.empty() || std::ranges::any_of(members, [&](const char* name) {
           return fold_case(text_of(row, name)).find(wanted) != std::string::npos;
         });
}

}  // namespace holdfast::surface::continuity::ui
