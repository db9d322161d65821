// The declarations of a Python module, from a parse of its whole text: a syntax error anywhere
// means no result. Expressions are recognised, not kept; where a declaration needs one (an
// annotation, a default), its text is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/code/code_module.h"
#include "text/code/python_lexer.h"

namespace holdfast::text::python {

struct Decorator {
  std::string name = {};                                 // dotted: app.get
  std::optional<std::string> first_text = std::nullopt;  // its first argument, if a plain string
  int64_t line = 0;
};

struct Call {
  std::string callee = {};  // dotted; the result of a call is shown as ()
  int64_t line = 0;
};

struct Function {
  std::string name = {};
  bool is_async = false;
  int64_t line = 0;
  int64_t last_line = 0;
  std::vector<Decorator> decorators = {};
  std::vector<CodeParameter> parameters = {};  // self and cls included
  std::optional<std::string> returns = std::nullopt;
  std::string doc = {};          // the documentation string, dedented
  std::vector<Call> calls = {};  // in its body, nested functions and classes left out
};

struct Class {
  std::string name = {};
  int64_t line = 0;
  int64_t last_line = 0;
  std::vector<Decorator> decorators = {};
  std::vector<std::string> bases = {};
  std::string doc = {};
  std::vector<Function> methods = {};  // direct ones
};

struct Module {
  std::string doc = {};
  std::vector<Class> classes = {};       // at module level
  std::vector<Function> functions = {};  // at module level
  std::vector<CodeImport> imports = {};  // at module level
};

std::optional<Module> parse_module(std::string_view source);

// Tokens as the text that Python's own unparser would give for simple expressions: one blank
// around operators and after commas, single quotes.
std::string render(const Token* begin, const Token* end);

// The value of a plain string literal; nothing for bytes, formatted strings and all else.
std::optional<std::string> string_value(const Token& token);
// Indentation common to all lines but the first removed, trimmed.
std::string clean_doc(std::string_view text);

}  // namespace holdfast::text::python
