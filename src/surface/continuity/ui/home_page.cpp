#include "service/continuity/document.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {
namespace {

using service::continuity::find_path;

// What the script puts new values into.
Html live(const Value& snapshot, const std::string& path) {
  return element("span", shown(find_path(snapshot, path)), {{"data-live", path}});
}

Html counts_table(const Value& snapshot) {
  std::vector<const char*> columns = {"Artifact", "Total"};
  for (const std::string& kind : kSubjectKinds) columns.push_back(kind.c_str());
  std::vector<Row> rows;
  for (const auto& state : *snapshot.find("counts")->if_object()) {
    Row row = {link("/ui/continuity?artifact_state=" + state.name, state.name),
               live(snapshot, "counts." + state.name + ".total")};
    for (const std::string& kind : kSubjectKinds)
      row.push_back(live(snapshot, "counts." + state.name + "." + kind));
    rows.push_back(std::move(row));
  }
  return table(columns, rows, "");
}

Html live_panel(const Value& snapshot) {
  Html facts;
  for (const char* name : {"generated_at", "latest_commit"})
    facts += element("tr",
                     element("th", name, {{"scope", "row"}}) + element("td", live(snapshot, name)));
  return element("table", element("tbody", facts), {{"class", "members"}});
}

}  // namespace

Result<Value> snapshot(const Desk& desk, const CallContext& call) {
  HOLDFAST_TRY(const Value health, desk.ask(call, "system.health", Value::object()));
  HOLDFAST_TRY(const Value counts, desk.ask(call, "ui.counts", Value::object()));
  return Value::object({{"generated_at", *health.find("time")},
                        {"latest_commit", *health.find("latest_commit")},
                        {"counts", *counts.find("counts")}});
}

Result<Page> home_page(const Visit& visit) {
  HOLDFAST_TRY(const Value health, visit.ask("system.health", Value::object()));
  HOLDFAST_TRY(const Value features, visit.ask("system.capabilities", Value::object()));
  HOLDFAST_TRY(const Value now, snapshot(visit.desk, visit.call));
  const Posture& posture = visit.desk.posture;
  const Value about = Value::object({{"enabled", true},
                                     {"require_localhost", posture.require_localhost},
                                     {"read_only", true},
                                     {"sse_poll_interval_seconds", posture.poll_seconds}});
  Page page{.title = "Overview", .live = true};
  page.body += section("Health", shown(health));
  page.body += section("Live", live_panel(now));
  page.body += section("Artifacts", counts_table(now));
  page.body += section("Operator UI", shown(about));
  page.body += section("Capabilities", shown(features.find("features")));
  return page;
}

}  // namespace holdfast::surface::continuity::ui
