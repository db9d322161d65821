#include "service/substrate/repo_intelligence.h"

#include "service/substrate/repo_relations.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kDependencies = 500;
constexpr size_t kInheritance = 300;
constexpr size_t kCalls = 500;
constexpr size_t kEntries = 200;

size_t length(const Value& list) { return list.if_array()->size(); }

// An entry of a module with the module's path in front.
Value placed(const std::string& path, Value entry) {
  Value out = Value::object({{"path", path}});
  for (auto& member : *entry.if_object()) out.set(member.name, std::move(member.value));
  return out;
}

Value dependency_list(const RepoScan& scan, const std::vector<RepoModule>& modules) {
  Value list = Value::array();
  for (const auto& dependency : dependencies_of(scan, modules, kDependencies)) {
    const auto& imported = dependency.imported;
    const bool inside = !dependency.to_path.empty();
    list.push(Value::object(
        {{"from_path", dependency.from_path},
         {"imported_module", imported.module},
         {"imported_name", imported.imported_name ? Value(*imported.imported_name) : Value()},
         {"alias", imported.alias ? Value(*imported.alias) : Value()},
         {"line_start", imported.line_start},
         {"to_path", inside ? Value(dependency.to_path) : Value()},
         {"resolution", inside ? "internal" : "external_or_unresolved"}}));
  }
  return list;
}

Value inheritance_graph(const std::vector<RepoModule>& modules) {
  Value list = Value::array();
  for (const auto& relation : inheritance_of(modules, kInheritance)) {
    const bool inside = !relation.target_path.empty();
    list.push(Value::object({{"path", relation.path},
                             {"class", relation.inheritance.class_name},
                             {"base", relation.inheritance.base},
                             {"line_start", relation.inheritance.line_start},
                             {"target_path", inside ? Value(relation.target_path) : Value()},
                             {"resolution", inside ? "local_symbol" : "external_or_unresolved"}}));
  }
  return list;
}

// The lists of all modules one after the other: member `name` of each entry, its path added.
Value gathered(const Value& modules, std::string_view name, size_t limit) {
  Value list = Value::array();
  for (const Value& module : *modules.if_array()) {
    for (const Value& entry : *module.find(name)->if_array()) {
      if (length(list) == limit) return list;
      list.push(placed(*module.find("path")->if_string(), entry));
    }
  }
  return list;
}

// Interfaces of one kind, cut to what an overview needs.
Value interfaces_of(const std::vector<RepoModule>& modules, std::string_view kind, size_t limit) {
  Value list = Value::array();
  for (const RepoModule& module : modules) {
    for (const auto& entry : module.code.interfaces) {
      if (entry.kind != kind) continue;
      if (length(list) == limit) return list;
      list.push(Value::object({{"path", module.path},
                               {"name", entry.name},
                               {"signature", entry.signature},
                               {"doc", entry.doc.substr(0, entry.doc.find('\n'))},
                               {"line_start", entry.line_start},
                               {"line_end", entry.line_end}}));
    }
  }
  return list;
}

Value class_inventory(const std::vector<RepoModule>& modules, size_t limit) {
  Value list = Value::array();
  for (const RepoModule& module : modules) {
    for (const auto& symbol : module.code.symbols) {
      if (symbol.kind != "class") continue;
      if (length(list) == limit) return list;
      Value bases = Value::array();
      for (const auto& relation : module.code.inheritance) {
        if (relation.class_name == symbol.name) bases.push(relation.base);
      }
      list.push(Value::object({{"path", module.path},
                               {"name", symbol.name},
                               {"bases", std::move(bases)},
                               {"line_start", symbol.line_start},
                               {"line_end", symbol.line_end}}));
    }
  }
  return list;
}

Value api_inventory(std::string_view parser, const std::vector<RepoModule>& modules,
                    const Value& module_entries) {
  Value classes = class_inventory(modules, 500);
  Value functions = interfaces_of(modules, "function", 1000);
  Value methods = interfaces_of(modules, "method", 1500);
  Value surfaces = gathered(module_entries, "framework_entries", 500);
  return Value::object(
      {{"schema_version", "api_inventory.v1"},
       {"parser_backend", parser},
       {"counts", Value::object({{"classes", length(classes)},
                                 {"functions", length(functions)},
                                 {"methods", length(methods)},
                                 {"framework_surfaces", length(surfaces)}})},
       {"classes", std::move(classes)},
       {"functions", std::move(functions)},
       {"methods", std::move(methods)},
       {"framework_surfaces", std::move(surfaces)},
       {"limitations", Value::array({"static_api_inventory", "runtime_registration_not_evaluated",
                                     "non_python_signatures_best_effort"})}});
}

size_t symbol_count(const std::vector<RepoModule>& modules) {
  size_t count = 0;
  for (const RepoModule& module : modules) count += module.code.symbols.size();
  return count;
}

}  // namespace

void add_intelligence(Value& payload, std::string_view parser, const RepoScan& scan,
                      const std::vector<RepoModule>& modules) {
  const Value entries = *payload.find("code_modules");
  Value dependencies = dependency_list(scan, modules);
  Value inheritance = inheritance_graph(modules);
  Value calls = gathered(entries, "call_sites", kCalls);
  Value frameworks = gathered(entries, "framework_entries", kEntries);
  payload.set(
      "code_intelligence",
      Value::object(
          {{"schema_version", "code_intelligence.v1"},
           {"parser_backend", parser},
           {"module_count", modules.size()},
           {"symbol_count", symbol_count(modules)},
           {"dependency_count", length(dependencies)},
           {"inheritance_count", length(inheritance)},
           {"call_site_count", length(calls)},
           {"framework_entry_count", length(frameworks)},
           {"limitations", Value::array({"partial_static_analysis", "dynamic_dispatch_not_resolved",
                                         "runtime_configuration_not_evaluated"})}}));
  payload.set("module_dependencies", std::move(dependencies));
  payload.set("inheritance_graph", std::move(inheritance));
  payload.set("call_index", std::move(calls));
  payload.set("framework_entries", std::move(frameworks));
  payload.set("api_inventory", api_inventory(parser, modules, entries));
}

}  // namespace holdfast::service::substrate
