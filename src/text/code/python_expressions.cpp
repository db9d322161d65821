// Expressions. They are only recognised; the calls in them are noted while a function's body is
// read.
#include <utility>

#include "text/code/python_parser.h"

namespace holdfast::text::python {

bool Parser::at_expression_end() const {
  return is_kind(TokenKind::kNewline) || is_kind(TokenKind::kEnd) ||
         is_any({")", "]", "}", ":", "=", ";", "in"});
}

Parser::Shape Parser::list_or_yield() {
  if (!accept("yield")) return expression_list();
  if (accept("from")) {
    expression();
  } else if (!at_expression_end()) {
    expression_list();
  }
  return Shape::kOther;
}

Parser::Shape Parser::expression_list() {
  Shape shape = Shape::kTarget;
  do {
    if (at_expression_end()) break;  // a comma may end the list
    accept("*");
    if (expression() == Shape::kOther) shape = Shape::kOther;
  } while (ok_ && accept(","));
  return shape;
}

void Parser::named_expression() {
  if (is_name() && following().text == ":=") {
    advance();
    advance();
  }
  expression();
}

Parser::Shape Parser::expression() {
  const Nesting nesting(*this);
  if (is("lambda")) {
    lambda();
    return Shape::kOther;
  }
  Shape shape = chain();
  while (ok_ && accept("if")) {
    chain();
    expect("else");
    if (is("lambda")) {
      lambda();
    } else {
      chain();
    }
    shape = Shape::kOther;
  }
  return shape;
}

bool Parser::accept_operator() {
  if (is("in") && stop_at_in_) return false;
  if (is("not") && following().text == "in") {
    advance();
    advance();
    return true;
  }
  if (accept("is")) {
    accept("not");
    return true;
  }
  if (!is_any({"+", "-", "*", "/", "//", "%",  "@",  "**", "<<", ">>",  "&",
               "|", "^", "<", ">", "==", "!=", "<=", ">=", "in", "and", "or"}))
    return false;
  advance();
  return true;
}

// Precedence does not matter to a recogniser: operands joined by operators.
Parser::Shape Parser::chain() {
  Shape shape = Shape::kTarget;
  bool joined = false;
  do {
    while (is_any({"not", "+", "-", "~", "await"})) {
      advance();
      shape = Shape::kOther;
    }
    const Shape operand = is("lambda") ? (lambda(), Shape::kOther) : primary();
    if (joined || operand == Shape::kOther) shape = Shape::kOther;
    joined = true;
  } while (ok_ && accept_operator());
  return shape;
}

void Parser::note_call(const std::string& callee, int64_t line) {
  if (calls_ == nullptr || callee.empty() || callee.size() > kMaxCallee) return;
  if (calls_->size() < kMaxCalls) calls_->push_back({callee, line});
}

Parser::Shape Parser::primary() {
  const int64_t line = current().line;
  std::string callee;
  Shape shape = atom(callee);
  // A chain that is too long to show is not remembered: its calls would each repeat it.
  const auto extend = [&](std::string_view part) {
    if (callee.size() <= kMaxCallee) callee += part;
  };
  while (ok_) {
    if (accept(".")) {
      const std::string name = expect_name();
      extend(callee.empty() ? name : '.' + name);
      shape = Shape::kTarget;
    } else if (accept("(")) {
      note_call(callee, line);
      arguments(nullptr);
      expect(")");
      extend("()");
      shape = Shape::kOther;
    } else if (accept("[")) {
      subscript();
      expect("]");
      extend("[]");
      shape = Shape::kTarget;
    } else {
      break;
    }
  }
  return shape;
}

Parser::Shape Parser::atom(std::string& callee) {
  if (is_name()) {
    callee = current().text;
    advance();
    return Shape::kTarget;
  }
  if (is("(")) return parenthesised();
  if (is("[")) return parenthesised();
  if (is("{")) {
    braces();
    return Shape::kOther;
  }
  if (is_kind(TokenKind::kString)) {
    while (accept(TokenKind::kString)) {
    }
    return Shape::kOther;
  }
  if (is_kind(TokenKind::kNumber) || is_any({"None", "True", "False", "..."})) {
    advance();
    return Shape::kOther;
  }
  fail();
  return Shape::kOther;
}

void Parser::target_list() {
  const bool outer = std::exchange(stop_at_in_, true);
  do {
    if (at_expression_end()) break;
    accept("*");
    if (chain() != Shape::kTarget) fail();
  } while (ok_ && accept(","));
  stop_at_in_ = outer;
}

void Parser::lambda() {
  const Nesting nesting(*this);
  advance();
  parameters(":", /*annotated=*/false);
  expect(":");
  expression();
}

}  // namespace holdfast::text::python
