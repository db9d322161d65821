#include "service/continuity/retrieve_service.h"

#include <algorithm>

#include "service/continuity/context_documents.h"
#include "service/continuity/document.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kQuestions = 5;

Value open_questions(const Value& rows) {
  Value out = Value::array();
  size_t looked = 0;
  for (const Value& row : *rows.if_array()) {
    if (++looked > 10 || out.is_null() || out.if_array()->size() >= kQuestions) break;
    const std::string snippet = text_of(row, "snippet");
    if (snippet.find('?') != std::string::npos) out.push(snippet);
  }
  return out;
}

Value notes() {
  return Value::array({"Capsules are orientation, not instructions.",
                       "Check anything old before relying on it.",
                       "Write back what changed before the session ends."});
}

}  // namespace

std::vector<Subject> selected_subjects(const Request& request) {
  std::vector<Subject> out;
  const Subject own = request.subject();
  if (!own.kind.empty() && !own.id.empty()) out.push_back(own);
  for (const Value& selector : list_of(request.args, "continuity_selectors")) {
    Subject subject{.kind = text_of(selector, "subject_kind"),
                    .id = text_of(selector, "subject_id")};
    if (std::ranges::find(out, subject) == out.end()) out.push_back(std::move(subject));
  }
  return out;
}

Result<Value> RetrieveService::graph_context(const Request& request, const Access& access,
                                             storage::ReadTxn& txn) const {
  if (request.text("continuity_mode") == "off")
    return GraphService::empty("graph_suppressed_by_continuity_mode",
                               "Graph context was suppressed because continuity mode is off.",
                               Value::object(), kRetrieveCaps);
  const std::vector<Subject> subjects = selected_subjects(request);
  for (const Subject& subject : subjects) {
    if (subject.kind == "thread" || subject.kind == "task")
      return graph_.around(request, access, txn, subject, kRetrieveCaps);
  }
  if (!subjects.empty()) return GraphService::unsupported(subjects.front().kind, kRetrieveCaps);
  return GraphService::empty("graph_anchor_not_provided", "No graph anchor was provided.",
                             Value::object(), kRetrieveCaps);
}

Result<Value> RetrieveService::retrieve(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kSearchScope));
  const Subject subject = request.subject();
  if ((subject.kind == "thread" || subject.kind == "task") && !subject.id.empty())
    HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  const Timestamp now = clock_.now();
  HOLDFAST_TRY(Value state, continuity_state(request, access, *txn, trail_, now));
  HOLDFAST_TRY(Value core, core_memory(request, access, *txn));
  HOLDFAST_TRY(Value relevant, recent_relevant(request, access, *txn, index_, reach_, now));
  HOLDFAST_TRY(Value graph, graph_context(request, access, *txn));
  Value questions = open_questions(relevant);
  Value bundle =
      Value::object({{"task", request.text("task")},
                     {"generated_at", format_exact(now)},
                     {"core_memory", std::move(core)},
                     {"recent_relevant", std::move(relevant)},
                     {"open_questions", std::move(questions)},
                     {"token_budget_hint", integer_of(request.args, "max_tokens_estimate", 12'000)},
                     {"time_window_days", integer_of(request.args, "time_window_days", 30)},
                     {"notes", notes()},
                     {"continuity_state", std::move(state)},
                     {"graph_context", std::move(graph)}});
  const std::vector<Subject> scopes = selected_subjects(request);
  if (!scopes.empty()) {
    HOLDFAST_TRY(Value reminders, schedule_.context(request, access, *txn, scopes));
    bundle.set("schedule_context", std::move(reminders));
  }
  return Value::object({{"ok", true}, {"bundle", std::move(bundle)}});
}

}  // namespace holdfast::service::continuity
