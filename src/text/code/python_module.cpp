// From the syntax of a Python module to what every language's module looks like.
#include <algorithm>
#include <array>
#include <set>

#include "base/utf8.h"
#include "text/code/code_module.h"
#include "text/code/python_docs.h"
#include "text/code/python_syntax.h"
#include "text/lines.h"

namespace holdfast::text {
namespace {

using python::Class;
using python::Decorator;
using python::Function;

std::string first_line(std::string_view doc) {
  return std::string(trim_space(doc.substr(0, doc.find('\n'))));
}

std::string signature_of(std::string_view name, const std::vector<CodeParameter>& parameters,
                         const std::optional<std::string>& returns) {
  std::string out = std::string(name) + '(';
  for (const CodeParameter& parameter : parameters) {
    if (&parameter != &parameters.front()) out += ", ";
    out += parameter.name;
    if (parameter.annotation) out += ": " + *parameter.annotation;
    if (parameter.default_value) out += " = " + *parameter.default_value;
  }
  out += ')';
  return returns ? out + " -> " + *returns : out;
}

class Builder {
 public:
  explicit Builder(const python::Module& module) : module_(module) {}

  CodeModule build() {
    out_.parser = "python";
    out_.module_doc = first_line(module_.doc);
    for (const Class& defined : module_.classes) add_class(defined);
    for (const Function& function : module_.functions) {
      add_function(function, "");
      if (function.name.starts_with("test_")) {
        out_.framework_entries.push_back({.framework = "pytest",
                                          .kind = "test",
                                          .handler = function.name,
                                          .line_start = function.line});
      }
    }
    for (const CodeImport& imported : module_.imports) add_import(imported);
    const auto by_line = [](const auto& a, const auto& b) { return a.line_start < b.line_start; };
    std::ranges::stable_sort(out_.symbols, by_line);
    std::ranges::stable_sort(out_.interfaces, by_line);
    std::ranges::stable_sort(out_.framework_entries, by_line);
    return std::move(out_);
  }

 private:
  void add_class(const Class& defined) {
    out_.classes.push_back(defined.name);
    out_.symbols.push_back({.name = defined.name,
                            .kind = "class",
                            .line_start = defined.line,
                            .line_end = defined.last_line});
    if (!defined.doc.empty()) out_.class_docs.emplace_back(defined.name, first_line(defined.doc));
    for (const auto& base : defined.bases) {
      out_.inheritance.push_back(
          {.class_name = defined.name, .base = base, .line_start = defined.line});
    }
    if (defined.name.starts_with("Test")) {
      out_.framework_entries.push_back({.framework = "pytest",
                                        .kind = "test_class",
                                        .handler = defined.name,
                                        .line_start = defined.line});
    }
    for (const Function& method : defined.methods) add_function(method, defined.name + '.');
  }

  void add_function(const Function& function, const std::string& owner) {
    const std::string name = owner + function.name;
    const std::string kind = owner.empty() ? "function" : "method";
    out_.functions.push_back(name);
    out_.symbols.push_back(
        {.name = name, .kind = kind, .line_start = function.line, .line_end = function.last_line});
    out_.interfaces.push_back(interface_of(function, name, kind));
    for (const auto& call : function.calls)
      out_.call_sites.push_back({.caller = name, .callee = call.callee, .line_start = call.line});
    for (const Decorator& decorator : function.decorators) add_entry(decorator, name);
  }

  static CodeInterface interface_of(const Function& function, const std::string& name,
                                    const std::string& kind) {
    const python::DocSections sections = python::split_doc(function.doc);
    CodeInterface out{.name = name,
                      .kind = kind,
                      .returns = function.returns,
                      .return_description = sections.returns,
                      .doc = sections.text,
                      .is_async = function.is_async,
                      .line_start = function.line,
                      .line_end = function.last_line};
    for (const CodeParameter& parameter : function.parameters) {
      const bool receiver = parameter.name == "self" || parameter.name == "cls";
      if (receiver && kind == "method" && &parameter == &function.parameters.front()) continue;
      out.parameters.push_back(parameter);
      const auto known = sections.parameters.find(parameter.name);
      if (known != sections.parameters.end()) out.parameters.back().description = known->second;
    }
    out.signature = signature_of(function.name, out.parameters, function.returns);
    return out;
  }

  void add_import(const CodeImport& imported) {
    const std::string name =
        std::string(static_cast<size_t>(imported.level), '.') + imported.module;
    if (imported_.insert(name).second) out_.imports.push_back(name);
    out_.import_details.push_back(imported);
  }

  // A decorator that hands the function to a framework, judged by its last attribute.
  void add_entry(const Decorator& decorator, const std::string& handler) {
    constexpr std::array<std::string_view, 7> kVerbs = {"get",    "post",    "put", "patch",
                                                        "delete", "options", "head"};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {
        {{"tool", "mcp"},
         {"resource", "mcp"},
         {"prompt", "mcp"},
         {"command", "cli"},
         {"callback", "cli"}}};
    const size_t dot = decorator.name.rfind('.');
    if (dot == std::string::npos) return;
    const std::string attribute = decorator.name.substr(dot + 1);
    FrameworkEntry entry{.handler = handler, .line_start = decorator.line};
    entry.route = decorator.first_text.value_or("");
    if (std::ranges::find(kVerbs, attribute) != kVerbs.end() && decorator.first_text) {
      entry.framework = "fastapi";
      entry.kind = "route";
      for (const char c : attribute) entry.method += static_cast<char>(c - 32);
    }
    for (const auto& [name, framework] : kOthers) {
      if (attribute != name) continue;
      entry.framework = framework;
      entry.kind = attribute;
    }
    if (!entry.framework.empty()) out_.framework_entries.push_back(std::move(entry));
  }

  const python::Module& module_;
  std::set<std::string> imported_ = {};
  CodeModule out_ = {};
};

}  // namespace

std::optional<CodeModule> parse_python(std::string_view text) {
  const auto module = python::parse_module(text);
  if (!module) return std::nullopt;
  CodeModule built = Builder(*module).build();
  if (built.empty()) return std::nullopt;
  built.line_end = static_cast<int64_t>(count_lines(text));
  return built;
}

}  // namespace holdfast::text
