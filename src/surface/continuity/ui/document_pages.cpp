#include <algorithm>

#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {
namespace {

using service::continuity::text_of;

// A help page that is part of a document.
struct Source {
  const char* path;
  const char* name;
};

struct Text {
  const char* id;
  const char* title;
  std::vector<Source> sources;
};

// These and no others: an id is looked up here, never on disk.
const std::vector<Text>& texts() {
  static const std::vector<Text> all = {
      {"getting-started",
       "Getting started",
       {{"/onboarding/bootstrap", ""},
        {"/onboarding/sections/{name}", "first_capsule"},
        {"/onboarding/sections/{name}", "daily_use"}}},
      {"capsules",
       "Capsules",
       {{"/topics/{name}", "capsules"},
        {"/topics/{name}", "timestamps"},
        {"/topics/{name}", "preserve"},
        {"/limits", ""}}},
      {"trust", "Trust", {{"/topics/{name}", "trust"}, {"/onboarding/sections/{name}", "trust"}}},
      {"retrieval", "Context retrieval", {{"/topics/{name}", "retrieval"}, {"/hooks", ""}}},
      {"work",
       "Reminders and coordination",
       {{"/topics/{name}", "schedule"},
        {"/topics/{name}", "coordination"},
        {"/onboarding/sections/{name}", "handing_over"}}},
      {"archives", "Archives and cold storage", {{"/topics/{name}", "archives"}}},
      {"errors",
       "Errors",
       {{"/errors/{name}", "400"},
        {"/errors/{name}", "401"},
        {"/errors/{name}", "403"},
        {"/errors/{name}", "404"},
        {"/errors/{name}", "409"},
        {"/errors/{name}", "413"},
        {"/errors/{name}", "422"},
        {"/errors/{name}", "429"}}},
  };
  return all;
}

// A text under its title, or a table of what the help page has.
Html chapter(const Value& page) {
  if (const Value* words = page.find("text"))
    return section(text_of(page, "title"), element("p", shown(words)));
  Value rest = page;
  service::continuity::remove_member(rest, "ok");
  return shown(rest);
}

}  // namespace

Result<Page> documents_page(const Visit&) {
  Html list;
  for (const Text& text : texts())
    list += element("li", link(address({"docs", text.id}), text.title));
  return Page{.title = "Documents", .body = element("ul", list)};
}

Result<Page> document_page(const Visit& visit) {
  const std::string id = visit.step("id");
  const auto found = std::ranges::find_if(texts(), [&](const Text& text) { return id == text.id; });
  if (found == texts().end()) return service::continuity::absent("Unknown document: " + id);
  Page page{.title = found->title};
  for (const Source& source : found->sources) {
    if (const auto help = visit.desk.help.find(source.path, source.name))
      page.body += chapter(*help);
  }
  return page;
}

}  // namespace holdfast::surface::continuity::ui
