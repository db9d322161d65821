// One parsed module as its published entry.
#include "service/substrate/repo_intelligence.h"

namespace holdfast::service::substrate {
namespace {

using text::CodeImport;
using text::CodeInterface;
using text::CodeParameter;

Value parameter_list(const std::vector<CodeParameter>& parameters) {
  Value list = Value::array();
  for (const CodeParameter& parameter : parameters) {
    list.push(Value::object({{"name", parameter.name},
                             {"annotation", or_null(parameter.annotation)},
                             {"default", or_null(parameter.default_value)},
                             {"required", parameter.required},
                             {"description", parameter.description}}));
  }
  return list;
}

Value interface_list(const std::vector<CodeInterface>& interfaces, size_t limit) {
  Value list = Value::array();
  for (const CodeInterface& entry : first(interfaces, limit)) {
    list.push(Value::object({{"name", entry.name},
                             {"kind", entry.kind},
                             {"signature", entry.signature},
                             {"parameters", parameter_list(entry.parameters)},
                             {"returns", or_null(entry.returns)},
                             {"return_description", entry.return_description},
                             {"doc", entry.doc},
                             {"async", entry.is_async},
                             {"line_start", entry.line_start},
                             {"line_end", entry.line_end}}));
  }
  return list;
}

Value import_list(const std::vector<CodeImport>& imports, size_t limit) {
  Value list = Value::array();
  for (const CodeImport& imported : first(imports, limit)) {
    Value entry = Value::object({{"kind", imported.kind},
                                 {"module", imported.module},
                                 {"imported_name", or_null(imported.imported_name)},
                                 {"alias", or_null(imported.alias)},
                                 {"level", imported.level},
                                 {"line_start", imported.line_start}});
    if (imported.raw) entry.set("raw", *imported.raw);
    list.push(std::move(entry));
  }
  return list;
}

Value inheritance_list(const std::vector<text::CodeInheritance>& inheritance, size_t limit) {
  Value list = Value::array();
  for (const auto& relation : first(inheritance, limit)) {
    list.push(Value::object({{"class", relation.class_name},
                             {"base", relation.base},
                             {"line_start", relation.line_start}}));
  }
  return list;
}

Value call_list(const std::vector<text::CodeCall>& calls, size_t limit) {
  Value list = Value::array();
  for (const auto& call : first(calls, limit)) {
    list.push(Value::object({{"caller", call.caller},
                             {"callee", call.callee},
                             {"line_start", call.line_start},
                             {"kind", "call"},
                             {"analysis", "partial_static_analysis"}}));
  }
  return list;
}

Value framework_list(const std::vector<text::FrameworkEntry>& entries, size_t limit) {
  Value list = Value::array();
  for (const auto& entry : first(entries, limit)) {
    Value shown = Value::object({{"framework", entry.framework}, {"kind", entry.kind}});
    if (!entry.method.empty()) shown.set("method", entry.method);
    if (!entry.route.empty()) shown.set("route", entry.route);
    shown.set("handler", entry.handler);
    shown.set("line_start", entry.line_start);
    list.push(std::move(shown));
  }
  return list;
}

Value module_entry(const RepoModule& module) {
  const text::CodeModule& code = module.code;
  Value docs = Value::object();
  for (const auto& [name, doc] : code.class_docs) docs.set(name, doc);
  return Value::object({{"path", module.path},
                        {"language", module.language},
                        {"line_start", 1},
                        {"line_end", code.line_end},
                        {"classes", Value::array_of(first(code.classes, 12))},
                        {"functions", Value::array_of(first(code.functions, 20))},
                        {"imports", Value::array_of(first(code.imports, 20))},
                        {"symbols", symbol_list(code.symbols, 40)},
                        {"module_doc", code.module_doc},
                        {"class_docs", std::move(docs)},
                        {"interfaces", interface_list(code.interfaces, 30)},
                        {"parser_backend", code.parser},
                        {"import_details", import_list(code.import_details, 40)},
                        {"inheritance", inheritance_list(code.inheritance, 40)},
                        {"call_sites", call_list(code.call_sites, 80)},
                        {"framework_entries", framework_list(code.framework_entries, 40)}});
}

}  // namespace

Value symbol_list(const std::vector<text::CodeSymbol>& symbols, size_t limit) {
  Value list = Value::array();
  for (const auto& symbol : first(symbols, limit)) {
    list.push(Value::object({{"name", symbol.name},
                             {"kind", symbol.kind},
                             {"line_start", symbol.line_start},
                             {"line_end", symbol.line_end}}));
  }
  return list;
}

Value module_list(const std::vector<RepoModule>& modules) {
  Value list = Value::array();
  for (const RepoModule& module : modules) list.push(module_entry(module));
  return list;
}

}  // namespace holdfast::service::substrate
