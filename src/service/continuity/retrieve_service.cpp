#include "service/continuity/retrieve_service.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/continuity/document.h"
#include "service/continuity/task_service.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kSnippet = 240;
constexpr size_t kQuestions = 5;

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && !out.ends_with(' ')) out += ' ';
  }
  return out;
}

// The first texts of a body, whatever noun it is of.
void collect_texts(const Value& value, std::string& out) {
  if (out.size() > 4 * kSnippet) return;
  if (const std::string* text = value.if_string()) {
    out += *text;
    out += ' ';
  } else if (const auto* members = value.if_object()) {
    for (const auto& member : *members) collect_texts(member.value, out);
  } else if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) collect_texts(element, out);
  }
}

struct Found {
  std::string path = {};
  std::string type = {};
  std::string snippet = {};
};

Found describe(const Object& object) {
  Found found{.path = "memory/" + object.key.kind + "/" + object.key.id, .type = object.key.kind};
  const Value body = parse_json(object.body).value_or(Value());
  std::string text;
  if (object.key.kind == task_noun().kind) {
    const Value* task = body.find("body");
    if (task != nullptr) {
      found.path = task_path(*task);
      text = text_of(*task, "title") + " " + text_of(*task, "description");
    }
    found.type = "tasks";
  } else {
    collect_texts(body, text);
  }
  found.snippet = std::string(prefix_code_points(one_line(text), kSnippet));
  return found;
}

int group_of(std::string_view path) {
  if (path.starts_with("memory/summaries/")) return 0;
  return path.starts_with("messages/") ? 1 : 2;
}

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

Result<Value> RetrieveService::graph_context(const Request& request) const {
  if (request.text("continuity_mode") == "off")
    return GraphService::empty("graph_suppressed_by_continuity_mode",
                               "Graph context was suppressed because continuity mode is off.",
                               Value::object(), kRetrieveCaps);
  const std::vector<Subject> subjects = selected_subjects(request);
  for (const Subject& subject : subjects) {
    if (subject.kind == "thread" || subject.kind == "task")
      return graph_.around(request, subject, kRetrieveCaps);
  }
  if (!subjects.empty()) return GraphService::unsupported(subjects.front().kind, kRetrieveCaps);
  return GraphService::empty("graph_anchor_not_provided", "No graph anchor was provided.",
                             Value::object(), kRetrieveCaps);
}

Result<Value> RetrieveService::recent_relevant(const Request& request, const Access& access,
                                               storage::ReadTxn& txn) const {
  const Subject subject = request.subject();
  const bool of_subject =
      (subject.kind == "thread" || subject.kind == "task") && !subject.id.empty();
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 10));
  search::SearchRequest query{.query = of_subject ? subject.id : request.text("task"),
                              .plain = true,
                              .limit = std::min<size_t>(search::kMaxLimit, 4 * limit + 20)};
  query.filter.not_kinds = {capsule_noun().kind, fallback_noun().kind, archive_noun().kind,
                            path_noun().kind};
  const Timestamp now = clock_.now();
  if (!of_subject)
    query.filter.from =
        now - std::chrono::hours(24 * integer_of(request.args, "time_window_days", 30));
  if (trim_space(query.query).empty()) return Value::array();
  HOLDFAST_TRY(const auto found, index_.search(access, query));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  std::vector<std::string> types;
  for (const Value& type : list_of(request.args, "include_types"))
    types.push_back(fold_case(*type.if_string()));
  struct Row {
    Value value;
    int group;
    double score;
    std::string path;
  };
  std::vector<Row> rows;
  for (const Object& object : objects) {
    const Found one = describe(object);
    const auto hit = std::ranges::find(found.hits, object.number, &search::Hit::number);
    const bool wanted =
        of_subject || types.empty() || std::ranges::find(types, fold_case(one.type)) != types.end();
    if (hit == found.hits.end() || !wanted || !may_read(request.call, one.path)) continue;
    rows.push_back({Value::object({{"path", one.path},
                                   {"type", one.type},
                                   {"size", object.body.size()},
                                   {"modified_at", format_exact(object.updated_at)},
                                   {"snippet", one.snippet},
                                   {"tags", Value::array()},
                                   {"importance", Value()},
                                   {"score", hit->score}}),
                    of_subject ? 0 : group_of(one.path), hit->score, one.path});
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tuple(a.group, -a.score, a.path) < std::tuple(b.group, -b.score, b.path);
  });
  Value out = Value::array();
  std::set<std::string> shown_paths;
  if (of_subject) {
    HOLDFAST_TRY(out, named_documents(request, access, txn));
    for (const Value& row : *out.if_array()) shown_paths.insert(text_of(row, "path"));
  }
  for (Row& row : rows) {
    if (out.if_array()->size() >= limit) break;
    if (shown_paths.insert(row.path).second) out.push(std::move(row.value));
  }
  return out;
}

// Documents that the subject's capsule names and that exist here: tasks have paths of their own.
Result<Value> RetrieveService::named_documents(const Request& request, const Access& access,
                                               storage::ReadTxn& txn) const {
  Value out = Value::array();
  HOLDFAST_TRY(const auto active, load_active(txn, access, request.subject()));
  if (!active || !active->valid()) return out;
  const Value& state = *active->stored.capsule.find("continuity");
  for (const Value& named : list_of(state, "related_documents")) {
    const std::string path = text_of(named, "path");
    const size_t slash = path.rfind('/');
    if (!path.starts_with("tasks/") || !path.ends_with(".json")) continue;
    const std::string id = path.substr(slash + 1, path.size() - slash - 6);
    HOLDFAST_TRY(const auto task, find_document(txn, access, task_noun(), id));
    if (!task || task_path(*task) != path || !may_read(request.call, path)) continue;
    out.push(Value::object(
        {{"path", path},
         {"type", "tasks"},
         {"snippet",
          std::string(prefix_code_points(
              one_line(text_of(*task, "title") + " " + text_of(*task, "description")), 280))},
         {"score", 0.0}}));
  }
  return out;
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
  HOLDFAST_TRY(Value relevant, recent_relevant(request, access, *txn));
  HOLDFAST_TRY(Value graph, graph_context(request));
  Value questions = open_questions(relevant);
  Value bundle =
      Value::object({{"task", request.text("task")},
                     {"generated_at", format_exact(now)},
                     {"core_memory", Value::array()},
                     {"recent_relevant", std::move(relevant)},
                     {"open_questions", std::move(questions)},
                     {"token_budget_hint", integer_of(request.args, "max_tokens_estimate", 12'000)},
                     {"time_window_days", integer_of(request.args, "time_window_days", 30)},
                     {"notes", notes()},
                     {"continuity_state", std::move(state)},
                     {"graph_context", std::move(graph)}});
  const std::vector<Subject> scopes = selected_subjects(request);
  if (!scopes.empty()) {
    HOLDFAST_TRY(Value reminders, schedule_.context(request, scopes));
    bundle.set("schedule_context", std::move(reminders));
  }
  return Value::object({{"ok", true}, {"bundle", std::move(bundle)}});
}

}  // namespace holdfast::service::continuity
