// What pages are put together from: the frame around them, tables, forms, and any value as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "surface/continuity/ui/html.h"

namespace holdfast::surface::continuity::ui {

struct Page {
  std::string title = {};
  Html body = {};
  int status = 200;
  bool live = false;  // listens to /ui/events
};

// The page with its head and the ways to the others.
std::string framed(const Page& page);

Html section(std::string_view title, const Html& inner);
Html link(const std::string& to, const Html& words);
// Something to know before reading on.
Html notice(const Html& words);

using Row = std::vector<Html>;
// `nothing` stands in place of a table without rows.
Html table(const std::vector<const char*>& columns, const std::vector<Row>& rows,
           const char* nothing);

// A choice where there are options (an empty one comes first), else a line of text.
struct Field {
  const char* name;
  const char* label;
  std::string value = {};
  std::vector<std::string> options = {};
};
Html form(const std::string& action, const std::vector<Field>& fields, const char* button);

// Texts as they are, lists as lists, objects as tables of their members; a dash for nothing.
Html shown(const Value& value);
Html shown(const Value* value);

}  // namespace holdfast::surface::continuity::ui
