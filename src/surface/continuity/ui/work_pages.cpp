#include <fmt/format.h>

#include "service/continuity/document.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {
namespace {

using service::continuity::integer_of;
using service::continuity::list_of;
using service::continuity::text_of;

const std::vector<std::string> kTaskStatuses = {"open", "in_progress", "blocked", "done"};
const std::vector<std::string> kReminderStatuses = {"pending", "acknowledged", "done", "retired"};
const std::vector<std::string> kDerivedStates = {"due", "scheduled", "terminal"};

Html thread_link(const Value& row) {
  const std::string id = text_of(row, "thread_id");
  return id.empty() ? Html() : subject_link("thread", id);
}

Html task_link(const std::string& id) {
  return id.empty() ? Html() : link(address({"tasks", id}), id);
}

// Pages of the list until enough rows fit or enough were looked at.
Result<std::vector<Row>> reminder_rows(const Visit& visit, Value wanted, Value& warnings,
                                       bool& complete) {
  constexpr int64_t kPage = 200;
  constexpr int64_t kMostLookedAt = 2000;
  const std::string part = visit.parameter("q");
  const std::string derived = visit.parameter("derived_state");
  std::vector<Row> rows;
  wanted.set("limit", kPage);
  complete = false;
  for (int64_t offset = 0; offset < kMostLookedAt && rows.size() < kMostRows && !complete;
       offset += kPage) {
    wanted.set("offset", offset);
    HOLDFAST_TRY(const Value found, visit.ask("schedule.list", wanted));
    for (const Value& warning : list_of(found, "warnings")) warnings.push(warning);
    const Value::Array& items = list_of(found, "items");
    for (const Value& item : items) {
      if (!derived.empty() && text_of(item, "derived_state") != derived) continue;
      if (!mentions(item, {"schedule_id", "title", "note", "task_id", "thread_id", "subject_id"},
                    part))
        continue;
      if (rows.size() == kMostRows) break;
      rows.push_back({text_of(item, "due_at"), text_of(item, "derived_state"),
                      text_of(item, "status"), text_of(item, "kind"), text_of(item, "title"),
                      text_of(item, "note"), task_link(text_of(item, "task_id")), thread_link(item),
                      text_of(item, "schedule_id")});
    }
    complete = offset + kPage >= integer_of(found, "total", 0);
  }
  return rows;
}

}  // namespace

Result<Page> tasks_page(const Visit& visit) {
  constexpr int64_t kMostLookedAt = 500;
  Value wanted = visit.parameters({"status"});
  wanted.set("limit", kMostLookedAt);
  HOLDFAST_TRY(const Value found, visit.ask("tasks.query", wanted));
  const std::string part = visit.parameter("q");
  std::vector<Row> rows;
  for (const Value& task : list_of(found, "tasks")) {
    if (!mentions(task, {"task_id", "title", "description", "owner_peer", "thread_id"}, part))
      continue;
    if (rows.size() == kMostRows) break;
    rows.push_back({task_link(text_of(task, "task_id")), text_of(task, "title"),
                    text_of(task, "status"), text_of(task, "owner_peer"), thread_link(task),
                    shown(task.find("blocked_by")), text_of(task, "updated_at")});
  }
  Page page{.title = "Tasks"};
  page.body += form(
      "/ui/tasks",
      {{"q", "Contains", part}, {"status", "Status", visit.parameter("status"), kTaskStatuses}},
      "Filter");
  if (list_of(found, "tasks").size() == static_cast<size_t>(kMostLookedAt))
    page.body += notice(fmt::format("Of the {} that changed last.", kMostLookedAt));
  page.body += table({"Task", "Title", "Status", "Owner", "Thread", "Blocked by", "Updated"}, rows,
                     "No tasks.");
  return page;
}

Result<Page> task_page(const Visit& visit) {
  const std::string id = visit.step("id");
  HOLDFAST_TRY(const Value found, visit.ask("ui.task", Value::object({{"task_id", id}})));
  Page page{.title = "Task " + id};
  page.body += shown(found.find("task"));
  page.body += element("p", subject_link("task", id) + " " +
                                link(address({"graph", "task", id}), "Graph around it"));
  return page;
}

Result<Page> schedule_page(const Visit& visit) {
  Value wanted = visit.parameters({"status", "include_retired"});
  const std::string derived = visit.parameter("derived_state");
  if (derived == "due" || derived == "scheduled") wanted.set("due", derived == "due");
  Value warnings = Value::array();
  bool complete = false;
  HOLDFAST_TRY(const auto rows, reminder_rows(visit, wanted, warnings, complete));
  Page page{.title = "Schedule"};
  page.body += form(
      "/ui/schedule",
      {{"status", "Status", visit.parameter("status"), kReminderStatuses},
       {"derived_state", "State", derived, kDerivedStates},
       {"q", "Contains", visit.parameter("q")},
       {"include_retired", "With retired", visit.parameter("include_retired"), {"true", "false"}}},
      "Filter");
  if (!warnings.if_array()->empty()) page.body += section("Warnings", shown(warnings));
  if (!complete) page.body += notice("There are more; these are due first.");
  page.body += table({"Due", "State", "Status", "Kind", "Title", "Note", "Task", "Thread", "Id"},
                     rows, "No reminders.");
  return page;
}

}  // namespace holdfast::surface::continuity::ui
