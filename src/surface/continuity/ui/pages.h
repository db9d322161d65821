// The pages of the operator UI. Each asks the operations of the API, as everyone else does, and
// shows what they answer; nothing here changes anything.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/request.h"
#include "model/call_context.h"
#include "surface/continuity/help.h"
#include "surface/continuity/operations.h"
#include "surface/continuity/ui/layout.h"

namespace holdfast::surface::continuity::ui {

// How the UI is set up; shown on the first page.
struct Posture {
  bool require_localhost = true;
  int64_t poll_seconds = 5;
};

// Whom pages ask.
struct Desk {
  const std::deque<Operation>& operations;  // the published ones
  const std::vector<Operation>& own;        // what only operators ask for
  const Help& help;
  Posture posture = {};

  // Errors are those of the operation; kInternal for one that does not exist.
  Result<Value> ask(const CallContext& call, std::string_view operation, const Value& args) const;
};

// One request for a page.
struct Visit {
  const Desk& desk;
  const CallContext& call;
  const http::Request& request;

  // A parameter of the path.
  std::string step(std::string_view name) const {
    return std::string(request.path_parameter(name));
  }
  // A parameter of the query; empty for one that is absent, as for one that a form left empty.
  std::string parameter(std::string_view name) const;
  // Those of these parameters that say something.
  Value parameters(const std::vector<const char*>& names) const;
  Result<Value> ask(std::string_view operation, const Value& args) const {
    return desk.ask(call, operation, args);
  }
};

struct PageRoute {
  const char* path;
  Result<Page> (*make)(const Visit&);
};
// Every page: where it is and who makes it.
const std::vector<PageRoute>& page_routes();

// What the live panel and /ui/events tell: {generated_at, latest_commit, counts}.
Result<Value> snapshot(const Desk& desk, const CallContext& call);

Result<Page> home_page(const Visit& visit);
Result<Page> capsules_page(const Visit& visit);
Result<Page> capsule_page(const Visit& visit);
Result<Page> tasks_page(const Visit& visit);
Result<Page> task_page(const Visit& visit);
Result<Page> schedule_page(const Visit& visit);
Result<Page> context_page(const Visit& visit);
Result<Page> graph_page(const Visit& visit);
Result<Page> documents_page(const Visit& visit);
Result<Page> document_page(const Visit& visit);

// A capsule's page, named by its subject.
Html subject_link(const std::string& kind, const std::string& id);
// Rows of /ui/continuity and of one subject.
Html capsule_table(const Value::Array& rows);
// Whether any of these members has the text in it, whatever the case; true for no text.
bool mentions(const Value& row, const std::vector<const char*>& members, const std::string& part);

extern const std::vector<std::string> kSubjectKinds;
inline constexpr size_t kMostRows = 200;  // of a table

}  // namespace holdfast::surface::continuity::ui
