#include "service/continuity/document.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {
namespace {

using service::continuity::find_path;
using service::continuity::list_of;
using service::continuity::text_of;

const std::vector<std::string> kAnchorKinds = {"thread", "task"};

// One list of the graph as a table of these members.
Html members_table(const Value& graph, const char* list, const std::vector<const char*>& members,
                   const char* nothing) {
  std::vector<Row> rows;
  for (const Value& one : list_of(graph, list)) {
    Row row;
    for (const char* name : members) row.push_back(shown(one.find(name)));
    rows.push_back(std::move(row));
  }
  return table(members, rows, nothing);
}

Html graph_tables(const Value& graph) {
  Html out = section("Anchor", shown(graph.find("anchor")));
  out += section("Warnings", shown(graph.find("warnings")));
  out += section("Nodes", members_table(graph, "nodes", {"id", "kind", "subject_id"}, "No nodes."));
  out += section("Edges", members_table(graph, "edges", {"relationship", "source_id", "target_id"},
                                        "No edges."));
  out += section(
      "Related documents",
      members_table(graph, "related_documents", {"path", "node_id", "source_id"}, "No documents."));
  out +=
      section("Blockers", members_table(graph, "blockers",
                                        {"task_id", "blocked_by_task_id", "source_id", "target_id"},
                                        "No blockers."));
  out += section("Truncation", shown(graph.find("truncation")));
  return out;
}

// Where a graph can be looked at: the threads and tasks that matter most.
Result<Html> anchors(const Visit& visit) {
  std::vector<Row> rows;
  for (const std::string& kind : kAnchorKinds) {
    HOLDFAST_TRY(
        const Value found,
        visit.ask("continuity.list",
                  Value::object({{"subject_kind", kind}, {"sort", "salience"}, {"limit", 25}})));
    for (const Value& row : list_of(found, "capsules")) {
      const std::string id = text_of(row, "subject_id");
      rows.push_back({kind, link(address({"graph", kind, id}), id)});
    }
  }
  HOLDFAST_TRY(const Value tasks, visit.ask("tasks.query", Value::object({{"limit", 25}})));
  for (const Value& task : list_of(tasks, "tasks")) {
    const std::string id = text_of(task, "task_id");
    rows.push_back({"task", link(address({"graph", "task", id}), id)});
  }
  return section("Subjects", table({"Kind", "Subject"}, rows, "No threads or tasks."));
}

}  // namespace

Result<Page> context_page(const Visit& visit) {
  Value wanted = visit.parameters({"task", "subject_kind", "subject_id"});
  const bool asked = !wanted.if_object()->empty();
  Page page{.title = "Context"};
  page.body += form("/ui/context",
                    {{"task", "Task", visit.parameter("task")},
                     {"subject_kind", "Kind", visit.parameter("subject_kind"), kSubjectKinds},
                     {"subject_id", "Subject", visit.parameter("subject_id")}},
                    "Retrieve");
  if (!asked) return page;
  if (wanted.find("task") == nullptr) wanted.set("task", "");
  HOLDFAST_TRY(const Value answer, visit.ask("context.retrieve", wanted));
  for (const auto& member : *answer.find("bundle")->if_object())
    page.body += section(member.name, shown(member.value));
  return page;
}

// With a subject in the path or, from the form, in the query; without one, the choice.
Result<Page> graph_page(const Visit& visit) {
  std::string kind = visit.step("kind");
  std::string id = visit.step("id");
  if (id.empty()) {
    kind = visit.parameter("subject_kind");
    id = visit.parameter("subject_id");
  }
  Page page{.title = id.empty() ? "Graph" : "Graph around " + kind + " " + id};
  page.body +=
      form("/ui/graph",
           {{"subject_kind", "Kind", kind, kAnchorKinds}, {"subject_id", "Subject", id}}, "Show");
  if (id.empty()) {
    HOLDFAST_TRY(const Html choice, anchors(visit));
    page.body += choice;
    return page;
  }
  // The graph of a retrieval; of its capsules nothing is shown.
  HOLDFAST_TRY(
      const Value answer,
      visit.ask(
          "context.retrieve",
          Value::object({{"task", ""}, {"subject_kind", kind}, {"subject_id", id}, {"limit", 1}})));
  page.body += graph_tables(*find_path(answer, "bundle.graph_context"));
  page.body += element("p", link(address({"continuity", kind, id}), "Its capsule"));
  return page;
}

}  // namespace holdfast::surface::continuity::ui
