#include "surface/continuity/ui/layout.h"

#include <array>

#include "model/json_text.h"

namespace holdfast::surface::continuity::ui {
namespace {

struct Way {
  const char* to;
  const char* words;
};
constexpr std::array<Way, 7> kWays = {{{"/ui/", "Overview"},
                                       {"/ui/continuity", "Continuity"},
                                       {"/ui/tasks", "Tasks"},
                                       {"/ui/schedule", "Schedule"},
                                       {"/ui/context", "Context"},
                                       {"/ui/graph", "Graph"},
                                       {"/ui/docs", "Docs"}}};

Html choice(const Field& field) {
  Html options = element("option", "any", {{"value", ""}});
  for (const std::string& option : field.options) {
    std::vector<Attribute> with = {{"value", option}};
    if (option == field.value) with.push_back({"selected", "selected"});
    options += element("option", option, with);
  }
  return element("select", options, {{"name", field.name}, {"id", field.name}});
}

Html line(const Field& field) {
  return lone("input",
              {{"type", "text"}, {"name", field.name}, {"id", field.name}, {"value", field.value}});
}

Html nothing_there() { return element("span", "—", {{"class", "none"}}); }

Html shown_list(const Value::Array& list) {
  if (list.empty()) return nothing_there();
  Html items;
  for (const Value& item : list) items += element("li", shown(item));
  return element("ul", items);
}

Html shown_members(const Value::Object& members) {
  if (members.empty()) return nothing_there();
  Html rows;
  for (const Value::Member& member : members)
    rows += element(
        "tr", element("th", member.name, {{"scope", "row"}}) + element("td", shown(member.value)));
  return element("table", element("tbody", rows), {{"class", "members"}});
}

}  // namespace

std::string framed(const Page& page) {
  Html ways;
  for (const Way& way : kWays) ways += element("li", link(way.to, way.words));
  Html head = lone("meta", {{"charset", "utf-8"}});
  head += lone("meta", {{"name", "viewport"}, {"content", "width=device-width"}});
  head += element("title", page.title + " · Holdfast continuity");
  head += lone("link", {{"rel", "stylesheet"}, {"href", "/ui/style.css"}});
  if (page.live) head += element("script", {}, {{"src", "/ui/live.js"}, {"defer", "defer"}});
  const Html nav = element("nav", element("ul", ways), {{"aria-label", "Pages"}});
  return document(head,
                  element("header", nav) + element("main", element("h1", page.title) + page.body));
}

Html section(std::string_view title, const Html& inner) {
  return element("section", element("h2", title) + inner);
}

Html link(const std::string& to, const Html& words) { return element("a", words, {{"href", to}}); }

Html notice(const Html& words) { return element("p", words, {{"class", "notice"}}); }

Html table(const std::vector<const char*>& columns, const std::vector<Row>& rows,
           const char* nothing) {
  if (rows.empty()) return element("p", nothing, {{"class", "none"}});
  Html head;
  for (const char* column : columns) head += element("th", column, {{"scope", "col"}});
  Html body;
  for (const Row& row : rows) {
    Html cells;
    for (const Html& cell : row) cells += element("td", cell);
    body += element("tr", cells);
  }
  return element("table", element("thead", element("tr", head)) + element("tbody", body));
}

Html form(const std::string& action, const std::vector<Field>& fields, const char* button) {
  Html inner;
  for (const Field& field : fields)
    inner += element("label", field.label, {{"for", field.name}}) +
             (field.options.empty() ? line(field) : choice(field));
  inner += element("button", button, {{"type", "submit"}});
  return element("form", inner, {{"method", "get"}, {"action", action}});
}

Html shown(const Value& value) {
  if (value.is_null()) return nothing_there();
  if (const std::string* text = value.if_string())
    return text->empty() ? nothing_there() : Html(*text);
  if (const Value::Array* list = value.if_array()) return shown_list(*list);
  if (const Value::Object* members = value.if_object()) return shown_members(*members);
  return to_json(value);
}

Html shown(const Value* value) { return value != nullptr ? shown(*value) : nothing_there(); }

}  // namespace holdfast::surface::continuity::ui
