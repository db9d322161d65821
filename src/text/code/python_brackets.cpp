// What stands in brackets: groups, displays, arguments, subscripts, comprehensions. Inside them
// `in` is an operator again, wherever they stand.
#include <utility>

#include "text/code/python_parser.h"

namespace holdfast::text::python {

// Round and square brackets: a group, a tuple, a list, a comprehension.
Parser::Shape Parser::parenthesised() {
  const Nesting nesting(*this);
  const bool outer_stop = std::exchange(stop_at_in_, false);
  const bool with_names = std::exchange(allow_as_, false);
  const std::string_view close = is("(") ? ")" : "]";
  advance();
  Shape shape = Shape::kTarget;
  while (ok_ && !is(close)) {
    if (is("yield")) {
      list_or_yield();
      shape = Shape::kOther;
      break;
    }
    accept("*");
    if (is_name() && following().text == ":=") {
      named_expression();
      shape = Shape::kOther;
    } else if (expression() == Shape::kOther) {
      shape = Shape::kOther;
    }
    if (with_names && accept("as")) primary();
    if (at_comprehension()) {
      comprehension();
      shape = Shape::kOther;
      break;
    }
    if (!accept(",")) break;
  }
  expect(close);
  stop_at_in_ = outer_stop;
  return shape;
}

void Parser::braces() {
  const Nesting nesting(*this);
  const bool outer_stop = std::exchange(stop_at_in_, false);
  advance();
  while (ok_ && !is("}")) {
    if (accept("**") || accept("*")) {
      chain();
    } else {
      named_expression();
      if (accept(":")) expression();
    }
    if (at_comprehension()) {
      comprehension();
      break;
    }
    if (!accept(",")) break;
  }
  expect("}");
  stop_at_in_ = outer_stop;
}

// Up to the closing bracket. `positional` gets the texts of arguments given by place.
void Parser::arguments(std::vector<std::string>* positional) {
  const Nesting nesting(*this);
  const bool outer_stop = std::exchange(stop_at_in_, false);
  while (ok_ && !is(")")) {
    const size_t begin = at_;
    bool by_place = !accept("**");
    if (by_place && is_name() && following().text == "=") {
      advance();
      advance();
      by_place = false;
    } else if (by_place) {
      accept("*");
    }
    named_expression();
    if (at_comprehension()) comprehension();
    if (positional != nullptr && by_place) positional->push_back(text_since(begin));
    if (!accept(",")) break;
  }
  stop_at_in_ = outer_stop;
}

void Parser::subscript() {
  const Nesting nesting(*this);
  const bool outer_stop = std::exchange(stop_at_in_, false);
  if (is("]")) fail();
  while (ok_ && !is("]")) {
    accept("*");
    if (!is(":")) named_expression();
    while (accept(":")) {
      if (!is_any({":", ",", "]"})) expression();
    }
    if (!accept(",")) break;
  }
  stop_at_in_ = outer_stop;
}

bool Parser::at_comprehension() const {
  return is("for") || (is("async") && following().text == "for");
}

void Parser::comprehension() {
  while (ok_ && at_comprehension()) {
    accept("async");
    expect("for");
    target_list();
    expect("in");
    chain();
    while (ok_ && accept("if")) {
      if (is_name() && following().text == ":=") {
        named_expression();
      } else {
        chain();
      }
    }
  }
}

}  // namespace holdfast::text::python
