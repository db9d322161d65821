#include <algorithm>

#include <fmt/format.h>

#include "service/continuity/document.h"
#include "service/continuity/read_service.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::surface::continuity::ui {
namespace {

using service::continuity::find_path;
using service::continuity::flag_of;
using service::continuity::list_of;
using service::continuity::present;
using service::continuity::text_of;

const std::vector<std::string> kStates = {"active", "fallback", "archived", "cold"};
const std::vector<std::string> kHealths = {"healthy", "degraded", "conflicted"};

// When the artefact came to be what it is.
std::string recorded(const Value& row) {
  for (const char* name : {"cold_stored_at", "archived_at", "updated_at"}) {
    if (std::string at = text_of(row, name); !at.empty()) return at;
  }
  return {};
}

std::string signals(const Value& row) {
  std::string out = text_of(row, "phase") + ", " + text_of(row, "verification_status");
  if (const Value* adequate = present(row, "resume_adequate"))
    out += *adequate == Value(true) ? ", adequate" : ", not adequate";
  return out;
}

// A way to every state, with how many there are.
Result<Html> chips(const Visit& visit) {
  HOLDFAST_TRY(const Value counts, visit.ask("ui.counts", Value::object()));
  const std::string kind = visit.parameter("subject_kind");
  const bool one_kind = std::ranges::find(kSubjectKinds, kind) != kSubjectKinds.end();
  Html out;
  for (const std::string& state : kStates) {
    const Value* number = find_path(counts, "counts." + state + "." + (one_kind ? kind : "total"));
    const std::string to = "/ui/continuity?artifact_state=" + state +
                           (one_kind ? "&subject_kind=" + kind : std::string());
    out += element("li", link(to, Html(state + " ") + shown(number)));
  }
  return element("ul", out, {{"class", "chips"}});
}

struct Part {
  const char* title;
  const char* path;  // in the capsule
};

// In the order of the page.
const std::vector<Part>& orientation() {
  static const std::vector<Part> all = {
      {"Top priorities", "continuity.top_priorities"},
      {"Active concerns", "continuity.active_concerns"},
      {"Active constraints", "continuity.active_constraints"},
      {"Open loops", "continuity.open_loops"},
      {"Stance", "continuity.stance_summary"},
      {"Drift signals", "continuity.drift_signals"},
      {"Working hypotheses", "continuity.working_hypotheses"},
      {"Long-horizon commitments", "continuity.long_horizon_commitments"},
      {"Session trajectory", "continuity.session_trajectory"},
      {"Trailing notes", "continuity.trailing_notes"},
      {"Curiosity queue", "continuity.curiosity_queue"},
      {"Negative decisions", "continuity.negative_decisions"},
      {"Rationale", "continuity.rationale_entries"},
      {"Related documents", "continuity.related_documents"},
      {"Relationship", "continuity.relationship_model"},
      {"Retrieval hints", "continuity.retrieval_hints"},
      {"Thread descriptor", "thread_descriptor"},
      {"Stable preferences", "stable_preferences"},
      {"Source", "source"},
      {"Confidence", "confidence"},
      {"Attention policy", "attention_policy"},
      {"Freshness", "freshness"},
      {"Canonical sources", "canonical_sources"},
      {"Verification", "verification_state"},
      {"Health", "capsule_health"},
      {"Metadata", "metadata"},
  };
  return all;
}

}  // namespace

Html capsule_table(const Value::Array& rows) {
  std::vector<Row> out;
  for (const Value& row : rows) {
    const std::string kind = text_of(row, "subject_kind");
    const Value* lifecycle = find_path(row, "thread_descriptor.lifecycle");
    out.push_back({kind, subject_link(kind, text_of(row, "subject_id")), shown(lifecycle),
                   text_of(row, "artifact_state"), recorded(row), text_of(row, "health_status"),
                   signals(row)});
  }
  return table({"Kind", "Subject", "Lifecycle", "Artifact", "Recorded", "Health", "Signals"}, out,
               "No capsules.");
}

Result<Page> capsules_page(const Visit& visit) {
  HOLDFAST_TRY(const Value found,
               visit.ask("ui.browse", visit.parameters({"q", "subject_kind", "artifact_state",
                                                        "health_status"})));
  HOLDFAST_TRY(const Html states, chips(visit));
  const Value::Array& rows = list_of(found, "capsules");
  Page page{.title = "Continuity"};
  page.body += form("/ui/continuity",
                    {{"q", "Subject contains", visit.parameter("q")},
                     {"subject_kind", "Kind", visit.parameter("subject_kind"), kSubjectKinds},
                     {"artifact_state", "Artifact", visit.parameter("artifact_state"), kStates},
                     {"health_status", "Health", visit.parameter("health_status"), kHealths}},
                    "Filter");
  page.body += states;
  if (!flag_of(found, "complete"))
    page.body += notice(
        fmt::format("Only the first {} were looked through. A subject's own page finds it by name.",
                    service::continuity::ReadService::kMostLookedAt));
  if (rows.size() == kMostRows) page.body += notice(fmt::format("The first {}.", kMostRows));
  page.body += capsule_table(rows);
  return page;
}

Result<Page> capsule_page(const Visit& visit) {
  const std::string kind = visit.step("kind");
  const std::string id = visit.step("id");
  const Value subject = Value::object({{"subject_kind", kind}, {"subject_id", id}});
  Value wanted = subject;
  wanted.set("allow_fallback", true);
  wanted.set("view", "startup");
  HOLDFAST_TRY(const Value read, visit.ask("continuity.read", wanted));
  HOLDFAST_TRY(const Value related, visit.ask("ui.artefacts", subject));
  Page page{.title = kind + " " + id};
  page.body += shown(Value::object({{"source_state", *read.find("source_state")},
                                    {"path", *read.find("path")},
                                    {"recovery_warnings", *read.find("recovery_warnings")}}));
  page.body += section("Startup summary", shown(read.find("startup_summary")));
  page.body += section("Trust signals", shown(read.find("trust_signals")));
  const Value* capsule = present(read, "capsule");
  if (capsule != nullptr) {
    for (const Part& part : orientation())
      page.body += section(part.title, shown(find_path(*capsule, part.path)));
  }
  page.body += section("Reminders", shown(read.find("schedule_context")));
  page.body += section("Related artifacts", capsule_table(list_of(related, "capsules")));
  page.body += element("p", link(address({"graph", kind, id}), "Graph around it"));
  return page;
}

}  // namespace holdfast::surface::continuity::ui
