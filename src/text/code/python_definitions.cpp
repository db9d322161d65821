// Functions, classes, decorators and imports: what a reader of a module wants to know.
#include <utility>

#include "text/code/python_parser.h"

namespace holdfast::text::python {

void Parser::decorator_line() {
  advance();
  const size_t begin = at_;
  named_expression();
  if (!ok_) return;
  Decorator decorator{.line = tokens_[begin].line};
  size_t at = begin;
  for (; at < at_ && (tokens_[at].kind == TokenKind::kName || tokens_[at].text == "."); ++at)
    decorator.name += tokens_[at].text;
  if (at + 2 < at_ && tokens_[at].text == "(" &&
      (tokens_[at + 2].text == "," || tokens_[at + 2].text == ")"))
    decorator.first_text = string_value(tokens_[at + 1]);
  decorators_.push_back(std::move(decorator));
  expect(TokenKind::kNewline);
}

void Parser::definition(Place place, bool is_async) {
  Function function{.is_async = is_async,
                    .line = is_async ? tokens_[at_ - 1].line : current().line,
                    .decorators = take_decorators()};
  advance();
  function.name = expect_name();
  type_parameters();
  expect("(");
  // What stands in the head is evaluated outside of the body.
  auto* const outer_calls = std::exchange(calls_, nullptr);
  function.parameters = parameters(")", /*annotated=*/true);
  expect(")");
  if (accept("->")) {
    const size_t begin = at_;
    expression_list();
    function.returns = text_since(begin);
  }
  auto* const outer_class = std::exchange(class_, nullptr);
  if (place != Place::kInner) calls_ = &function.calls;
  function.doc = block(Place::kInner);
  calls_ = outer_calls;
  class_ = outer_class;
  function.last_line = last_line_;
  if (place == Place::kModule) {
    module_.functions.push_back(std::move(function));
  } else if (place == Place::kClass && class_ != nullptr) {
    class_->methods.push_back(std::move(function));
  }
}

void Parser::class_definition(Place place) {
  Class defined{.line = current().line, .decorators = take_decorators()};
  advance();
  defined.name = expect_name();
  type_parameters();
  auto* const outer_calls = std::exchange(calls_, nullptr);
  if (accept("(")) {
    arguments(&defined.bases);
    expect(")");
  }
  auto* const outer_class = std::exchange(class_, place == Place::kModule ? &defined : nullptr);
  defined.doc = block(place == Place::kModule ? Place::kClass : Place::kInner);
  class_ = outer_class;
  calls_ = outer_calls;
  defined.last_line = last_line_;
  if (place == Place::kModule) module_.classes.push_back(std::move(defined));
}

void Parser::import_statement(Place place) {
  const int64_t line = current().line;
  advance();
  do {
    CodeImport imported{.kind = "import", .module = dotted_name(), .line_start = line};
    if (accept("as")) imported.alias = expect_name();
    if (place == Place::kModule) module_.imports.push_back(std::move(imported));
  } while (accept(","));
}

void Parser::from_statement(Place place) {
  CodeImport imported{.kind = "import_from", .line_start = current().line};
  advance();
  while (is(".") || is("...")) {
    imported.level += static_cast<int64_t>(current().text.size());
    advance();
  }
  if (!is("import") || imported.level == 0) imported.module = dotted_name();
  expect("import");
  imported_names(std::move(imported), place);
}

void Parser::imported_names(CodeImport imported, Place place) {
  if (accept("*")) {
    imported.imported_name = "*";
    if (place == Place::kModule) module_.imports.push_back(std::move(imported));
    return;
  }
  const bool bracketed = accept("(");
  do {
    if (bracketed && is(")")) break;  // a comma may stand before the bracket
    CodeImport one = imported;
    one.imported_name = expect_name();
    if (accept("as")) one.alias = expect_name();
    if (place == Place::kModule && ok_) module_.imports.push_back(std::move(one));
  } while (accept(","));
  if (bracketed) expect(")");
}

std::vector<CodeParameter> Parser::parameters(std::string_view close, bool annotated) {
  std::vector<CodeParameter> list;
  Phase phase = Phase::kPlain;
  while (ok_ && !is(close)) {
    if (!parameter(list, annotated, phase)) fail();
    if (!accept(",")) break;
  }
  return list;
}

bool Parser::parameter(std::vector<CodeParameter>& list, bool annotated, Phase& phase) {
  if (accept("/")) return !list.empty();
  std::string stars;
  if (is("*") || is("**")) {
    stars = current().text;
    advance();
    phase = Phase::kByName;
    if (stars == "*" && is(",")) return true;
  }
  CodeParameter one{.name = stars + expect_name(), .required = stars.empty()};
  if (annotated && accept(":")) {
    const size_t begin = at_;
    if (stars == "*") accept("*");
    expression();
    one.annotation = text_since(begin);
  }
  if (accept("=")) {
    if (!stars.empty()) return false;
    const size_t begin = at_;
    expression();
    one.default_value = text_since(begin);
    one.required = false;
    if (phase == Phase::kPlain) phase = Phase::kDefaults;
  } else if (phase == Phase::kDefaults) {
    return false;
  }
  list.push_back(std::move(one));
  return ok_;
}

void Parser::type_parameters() {
  if (!accept("[")) return;
  while (ok_ && !is("]")) {
    if (!accept("*")) accept("**");
    expect_name();
    if (accept(":")) expression();
    if (accept("=")) expression();
    if (!accept(",")) break;
  }
  expect("]");
}

}  // namespace holdfast::text::python
