// The recogniser behind parse_module. Recursive descent; a syntax error moves it to the last token,
// where every loop ends.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/code/python_syntax.h"

namespace holdfast::text::python {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  std::optional<Module> run();

 private:
  // What an expression can be used for.
  enum class Shape : uint8_t { kTarget, kOther };
  // Where a statement stands: definitions are kept for modules and classes.
  enum class Place : uint8_t { kModule, kClass, kInner };

  // How far a list of parameters has come: a default must not be followed by none, unless what
  // follows is given by name.
  enum class Phase : uint8_t { kPlain, kDefaults, kByName };

  // Counts nesting while it lives and fails the parse beyond a bound.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.fail();
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  static constexpr int kMaxDepth = 600;
  static constexpr size_t kMaxCallee = 200;  // bytes
  static constexpr size_t kMaxCalls = 1000;  // of one function

  // Tokens.
  const Token& current() const { return tokens_[at_]; }
  const Token& following() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  bool is(std::string_view text) const;
  bool is_any(std::initializer_list<std::string_view> texts) const;
  bool is_kind(TokenKind kind) const { return current().kind == kind; }
  bool is_name() const;  // an identifier, no keyword
  bool accept(std::string_view text);
  bool accept(TokenKind kind);
  void expect(std::string_view text);
  void expect(TokenKind kind);
  std::string expect_name();
  void advance();
  void fail();

  // Statements.
  void statement(Place place);
  void compound_or_simple(Place place);
  void simple_line(Place place);
  void simple_statement(Place place);
  void expression_statement();
  std::string block(Place place);  // returns its documentation string
  void if_statement();
  void loop(bool is_for);
  void try_statement();
  void with_statement();
  void definition(Place place, bool is_async);
  void class_definition(Place place);
  bool at_match() const;
  void match_statement();
  void skip_pattern();
  bool at_type_alias() const;
  void type_alias();
  std::vector<Decorator> take_decorators() { return std::move(decorators_); }
  void decorator_line();
  void import_statement(Place place);
  void from_statement(Place place);
  void imported_names(CodeImport imported, Place place);
  std::string dotted_name();
  void name_list();

  // Expressions.
  Shape expression_list();  // a, *b, c
  Shape list_or_yield();
  void named_expression();
  Shape expression();  // with the conditional and lambda
  Shape chain();       // operators, no conditional
  Shape primary();
  void note_call(const std::string& callee, int64_t line);
  Shape atom(std::string& callee);
  void arguments(std::vector<std::string>* positional);
  void subscript();
  Shape parenthesised();
  void braces();
  void comprehension();
  bool at_comprehension() const;
  void target_list();
  void lambda();
  std::vector<CodeParameter> parameters(std::string_view close, bool annotated);
  bool parameter(std::vector<CodeParameter>& list, bool annotated, Phase& phase);
  void type_parameters();
  bool at_expression_end() const;
  bool accept_operator();
  std::string text_since(size_t begin) const;

  std::vector<Token> tokens_;
  size_t at_ = 0;
  bool ok_ = true;
  int depth_ = 0;
  int64_t last_line_ = 1;  // of the last token that is more than layout
  bool stop_at_in_ = false;
  bool allow_as_ = false;
  Module module_ = {};
  Class* class_ = nullptr;              // whose body is being read
  std::vector<Call>* calls_ = nullptr;  // of the function whose body is being read
  std::vector<Decorator> decorators_ = {};
};

}  // namespace holdfast::text::python
