// What a source file declares, in the terms that every language shares. Made by one parser a
// language (parse_python, parse_script); callers cut the lists to what they need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::text {

struct CodeSymbol {
  std::string name = {};
  std::string kind = {};  // class, function, method, interface, type, ...
  int64_t line_start = 0;
  int64_t line_end = 0;
};

struct CodeParameter {
  std::string name = {};  // with its stars: *args
  std::optional<std::string> annotation = std::nullopt;
  std::optional<std::string> default_value = std::nullopt;
  bool required = true;
  std::string description = {};  // from the documentation text
};

// A function, a method or a type as its callers see it.
struct CodeInterface {
  std::string name = {};  // a method's is Class.method
  std::string kind = {};
  std::string signature = {};
  std::vector<CodeParameter> parameters = {};
  std::optional<std::string> returns = std::nullopt;
  std::string return_description = {};
  std::string doc = {};
  bool is_async = false;
  int64_t line_start = 0;
  int64_t line_end = 0;
};

struct CodeImport {
  std::string kind = {};  // import, import_from
  std::string module = {};
  std::optional<std::string> imported_name = std::nullopt;
  std::optional<std::string> alias = std::nullopt;
  int64_t level = 0;  // leading dots of a relative import
  int64_t line_start = 0;
  std::optional<std::string> raw = std::nullopt;
};

struct CodeInheritance {
  std::string class_name = {};
  std::string base = {};
  int64_t line_start = 0;
};

struct CodeCall {
  std::string caller = {};
  std::string callee = {};
  int64_t line_start = 0;
};

// A function that a framework calls: a route, a tool, a command, a test.
struct FrameworkEntry {
  std::string framework = {};
  std::string kind = {};
  std::string method = {};  // of a route
  std::string route = {};
  std::string handler = {};
  int64_t line_start = 0;
};

struct CodeModule {
  int64_t line_end = 0;
  std::vector<std::string> classes = {};
  std::vector<std::string> functions = {};  // methods as Class.method
  std::vector<std::string> imports = {};
  std::vector<CodeSymbol> symbols = {};
  std::string module_doc = {};
  std::vector<std::pair<std::string, std::string>> class_docs = {};  // class, first line
  std::vector<CodeInterface> interfaces = {};
  std::vector<CodeImport> import_details = {};
  std::vector<CodeInheritance> inheritance = {};
  std::vector<CodeCall> call_sites = {};
  std::vector<FrameworkEntry> framework_entries = {};
  std::string_view parser = {};  // a literal

  bool empty() const {
    return classes.empty() && functions.empty() && imports.empty() && framework_entries.empty();
  }
};

// Nothing if the text is no Python (3.12 grammar, as far as a reader of declarations needs it) or
// declares nothing. Nesting beyond what CPython takes is refused. Any bytes, bounded recursion,
// linear time.
std::optional<CodeModule> parse_python(std::string_view text);

// A scan of JavaScript or TypeScript by lines; nothing if it declares nothing.
std::optional<CodeModule> parse_script(std::string_view text);

}  // namespace holdfast::text
