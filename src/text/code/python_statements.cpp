// Statements that hold no declarations of interest, and the order of the rest.
#include "text/code/python_parser.h"

namespace holdfast::text::python {

std::optional<Module> Parser::run() {
  if (is_kind(TokenKind::kString) && following().kind == TokenKind::kNewline)
    module_.doc = clean_doc(string_value(current()).value_or(""));
  while (ok_ && !is_kind(TokenKind::kEnd)) statement(Place::kModule);
  if (!ok_) return std::nullopt;
  return std::move(module_);
}

void Parser::statement(Place place) {
  const Nesting nesting(*this);
  while (is("@")) decorator_line();
  compound_or_simple(place);
  if (!decorators_.empty()) fail();  // decorators stand before definitions only
}

void Parser::compound_or_simple(Place place) {
  const bool is_async = is("async");
  if (is_async) advance();
  if (is("def")) return definition(place, is_async);
  if (is("for")) return loop(true);
  if (is("with")) return with_statement();
  if (is_async) return fail();
  if (is("class")) return class_definition(place);
  if (is("if")) return if_statement();
  if (is("while")) return loop(false);
  if (is("try")) return try_statement();
  if (at_match()) return match_statement();
  simple_line(place);
}

void Parser::simple_line(Place place) {
  do {
    simple_statement(place);
  } while (accept(";") && !is_kind(TokenKind::kNewline));
  expect(TokenKind::kNewline);
}

void Parser::simple_statement(Place place) {
  if (is("import")) return import_statement(place);
  if (is("from")) return from_statement(place);
  if (accept("pass") || accept("break") || accept("continue")) return;
  if (accept("global") || accept("nonlocal")) return name_list();
  if (accept("return")) {
    if (!at_expression_end()) expression_list();
    return;
  }
  if (accept("del")) {
    expression_list();
    return;
  }
  if (accept("raise")) {
    if (at_expression_end()) return;
    expression();
    if (accept("from")) expression();
    return;
  }
  if (accept("assert")) {
    expression();
    if (accept(",")) expression();
    return;
  }
  if (at_type_alias()) return type_alias();
  expression_statement();
}

void Parser::name_list() {
  do {
    expect_name();
  } while (accept(","));
}

void Parser::expression_statement() {
  Shape shape = list_or_yield();
  if (accept(":")) {
    if (shape != Shape::kTarget) return fail();
    expression();
    if (accept("=")) list_or_yield();
    return;
  }
  if (is_any({"+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="})) {
    advance();
    if (shape != Shape::kTarget) return fail();
    list_or_yield();
    return;
  }
  while (accept("=")) {
    if (shape != Shape::kTarget) return fail();
    shape = list_or_yield();
  }
}

std::string Parser::block(Place place) {
  expect(":");
  if (!accept(TokenKind::kNewline)) {
    simple_line(place);
    return {};
  }
  expect(TokenKind::kIndent);
  std::string doc;
  if (is_kind(TokenKind::kString) && following().kind == TokenKind::kNewline)
    doc = clean_doc(string_value(current()).value_or(""));
  do {
    statement(place);
  } while (ok_ && !is_kind(TokenKind::kDedent));
  expect(TokenKind::kDedent);
  return doc;
}

void Parser::if_statement() {
  do {
    advance();  // if, elif
    named_expression();
    block(Place::kInner);
  } while (is("elif"));
  if (accept("else")) block(Place::kInner);
}

void Parser::loop(bool is_for) {
  advance();
  if (is_for) {
    target_list();
    expect("in");
    expression_list();
  } else {
    named_expression();
  }
  block(Place::kInner);
  if (accept("else")) block(Place::kInner);
}

void Parser::try_statement() {
  advance();
  block(Place::kInner);
  bool handled = false;
  while (accept("except")) {
    handled = true;
    accept("*");
    if (!is(":")) {
      expression_list();
      if (accept("as")) expect_name();
    }
    block(Place::kInner);
  }
  if (handled && accept("else")) block(Place::kInner);
  const bool finally = accept("finally");
  if (finally) block(Place::kInner);
  if (!handled && !finally) fail();
}

void Parser::with_statement() {
  advance();
  do {
    allow_as_ = is("(");
    expression();
    allow_as_ = false;
    if (accept("as") && primary() != Shape::kTarget) fail();
  } while (accept(","));
  block(Place::kInner);
}

// `match` is an ordinary name unless its line ends with a colon and a block of cases follows.
bool Parser::at_match() const {
  if (!is("match")) return false;
  size_t at = at_;
  while (tokens_[at].kind != TokenKind::kNewline && tokens_[at].kind != TokenKind::kEnd) ++at;
  return tokens_[at - 1].text == ":" && at + 2 < tokens_.size() &&
         tokens_[at + 1].kind == TokenKind::kIndent && tokens_[at + 2].text == "case";
}

void Parser::match_statement() {
  advance();
  expression_list();
  expect(":");
  expect(TokenKind::kNewline);
  expect(TokenKind::kIndent);
  while (ok_ && is("case")) {
    advance();
    skip_pattern();
    block(Place::kInner);
  }
  expect(TokenKind::kDedent);
}

// Up to the colon of the case; colons inside brackets belong to the pattern.
void Parser::skip_pattern() {
  int open = 0;
  if (is(":")) return fail();
  while (ok_ && (open > 0 || !is(":"))) {
    if (is_kind(TokenKind::kNewline) || is_kind(TokenKind::kEnd)) return fail();
    if (is_any({"(", "[", "{"})) ++open;
    if (is_any({")", "]", "}"})) --open;
    advance();
  }
}

bool Parser::at_type_alias() const {
  return is("type") && following().kind == TokenKind::kName && following().text != "in" &&
         following().text != "is" && following().text != "if" && following().text != "and" &&
         following().text != "or" && following().text != "not";
}

void Parser::type_alias() {
  advance();
  expect_name();
  type_parameters();
  expect("=");
  expression();
}

}  // namespace holdfast::text::python
