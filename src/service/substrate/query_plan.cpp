#include "service/substrate/query_plan.h"

#include <algorithm>
#include <array>
#include <span>

#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kStopWords[] = {"a",    "an",   "and",  "are",  "can",  "draw",
                                           "for",  "from", "how",  "of",   "the",  "to",
                                           "what", "with", "一下", "这个", "通过", "架构图"};

constexpr std::string_view kTodoTriggers[] = {"待办", "待办项", "todo", "to-do",
                                              "task", "tasks",  "任务"};
constexpr std::string_view kTodoTerms[] = {"待办",  "待办项", "todo",      "to-do", "task",
                                           "tasks", "任务",   "work_item", "open",  "pending"};
constexpr std::string_view kDecision[] = {"决策", "decision", "decisions"};
constexpr std::string_view kPreference[] = {"偏好", "preference", "preferences"};
constexpr std::string_view kProcedure[] = {"流程", "procedure", "procedures"};
constexpr std::string_view kEvidence[] = {"证据", "evidence", "source", "sources"};
constexpr std::string_view kCodeTriggers[] = {
    "架构", "architecture", "codebase", "repo", "repository", "module", "modules", "源码", "代码"};
constexpr std::string_view kCodeTerms[] = {"架构",       "architecture", "codebase", "repo",
                                           "repository", "module",       "modules",  "source",
                                           "code_index", "code_modules"};

constexpr std::string_view kWorkItemType[] = {"work_item"};
constexpr std::string_view kOpenStatuses[] = {"open", "in_progress", "blocked", "pending"};
constexpr std::string_view kKnowledgeType[] = {"knowledge"};
constexpr std::string_view kDecisionKind[] = {"decision"};
constexpr std::string_view kPreferenceKind[] = {"preference"};
constexpr std::string_view kProcedureKind[] = {"procedure"};
constexpr std::string_view kEvidenceTypes[] = {"source", "knowledge"};
constexpr std::string_view kCodeTypes[] = {"source", "node"};

struct Rule {
  Words triggers;
  Words terms;
  Words object_types;
  Words kinds;
  Words statuses;
};

const std::array<Rule, 6> kRules = {{
    {kTodoTriggers, kTodoTerms, kWorkItemType, {}, kOpenStatuses},
    {kDecision, kDecision, kKnowledgeType, kDecisionKind, {}},
    {kPreference, kPreference, kKnowledgeType, kPreferenceKind, {}},
    {kProcedure, kProcedure, kKnowledgeType, kProcedureKind, {}},
    {kEvidence, kEvidence, kEvidenceTypes, {}, {}},
    {kCodeTriggers, kCodeTerms, kCodeTypes, {}, {}},
}};

bool is_ascii_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// ASCII words must stand alone, or `report` would mean a repository; scripts without spaces have no
// such boundaries.
bool fires(std::string_view phrase, std::string_view trigger) {
  const bool ascii = static_cast<unsigned char>(trigger.front()) < 0x80;
  for (size_t at = phrase.find(trigger); at != std::string_view::npos;
       at = phrase.find(trigger, at + 1)) {
    if (!ascii) return true;
    const size_t end = at + trigger.size();
    const bool starts = at == 0 || !is_ascii_word(phrase[at - 1]);
    const bool ends = end == phrase.size() || !is_ascii_word(phrase[end]);
    if (starts && ends) return true;
  }
  return false;
}

void add_all(std::vector<std::string>& list, Words words) {
  for (const std::string_view word : words) add_once(list, word);
}

void add_token(std::vector<std::string>& terms, const std::string& token) {
  const auto points = code_points(token);
  if (points.size() < 2 || std::ranges::find(kStopWords, token) != std::end(kStopWords)) return;
  add_once(terms, token);
  if (points.size() <= 2 || !std::ranges::all_of(points, is_ideograph)) return;
  for (size_t i = 0; i + 1 < points.size(); ++i) add_once(terms, text_of(points, i, i + 2));
}

}  // namespace

QueryPlan plan_query(std::string_view given) {
  QueryPlan plan;
  const std::string phrase = lower(squeeze(given));
  if (phrase.empty()) return plan;
  plan.terms.push_back(phrase);
  for (const std::string& token : word_runs(phrase, ".-")) add_token(plan.terms, token);
  for (const Rule& rule : kRules) {
    const bool fired = std::ranges::any_of(
        rule.triggers, [&](std::string_view trigger) { return fires(phrase, trigger); });
    if (!fired) continue;
    add_all(plan.terms, rule.terms);
    add_all(plan.inferred.object_types, rule.object_types);
    add_all(plan.inferred.kinds, rule.kinds);
    add_all(plan.inferred.statuses, rule.statuses);
  }
  return plan;
}

Filters with_inferred(const Filters& given, const Filters& inferred) {
  Filters out = given;
  if (out.object_types.empty()) out.object_types = inferred.object_types;
  if (out.kinds.empty()) out.kinds = inferred.kinds;
  if (out.statuses.empty()) out.statuses = inferred.statuses;
  return out;
}

}  // namespace holdfast::service::substrate
