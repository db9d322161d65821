#include "service/continuity/context_documents.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "base/utf8.h"
#include "service/continuity/described_object.h"
#include "service/continuity/document.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/work_store.h"
#include "storage/typed.h"
#include "text/query.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kSnippet = 240;
constexpr size_t kNamedSnippet = 280;
constexpr size_t kCoreSnippet = 300;
constexpr size_t kHitsPage = 100;
constexpr size_t kMostParts = 16;  // of a long task: about a thousand words
constexpr std::array<const char*, 3> kCore = {
    "memory/core/identity.md", "memory/core/long_term_facts.json", "memory/core/values.md"};
// Summaries come before messages, both before everything else.
constexpr std::array<const char*, 3> kGroups = {"summaries", "messages", ""};

bool is_shown(const Request& request, const DescribedObject& found) {
  return may_read(request.call, found.guard) && may_read(request.call, found.path) &&
         !found.path.starts_with("memory/continuity/") && !found.path.starts_with("logs/");
}

// Ours that are never shown as documents.
const std::vector<std::string>& hidden_kinds() {
  static const std::vector<std::string> kinds = {
      capsule_noun().kind, fallback_noun().kind, archive_noun().kind, path_noun().kind,
      peer_noun().kind,    handoff_noun().kind,  shared_noun().kind,  reconciliation_noun().kind};
  return kinds;
}

// Ours that are.
const std::vector<std::string>& shown_kinds() {
  static const std::vector<std::string> kinds = {file_noun().kind, reminder_noun().kind,
                                                 task_noun().kind};
  return kinds;
}

bool is_one_of(const std::vector<std::string>& kinds, const std::string& kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

// The object that a path of these answers stands for.
std::optional<ObjectKey> key_of(const std::string& path) {
  const size_t name = path.rfind('/') + 1;
  if (path.starts_with("tasks/") && path.ends_with(".json"))
    return ObjectKey{.kind = task_noun().kind, .id = path.substr(name, path.size() - name - 5)};
  constexpr std::string_view kMemory = "memory/";
  const size_t slash = path.find('/', kMemory.size());
  if (!path.starts_with(kMemory) || slash == std::string::npos) return std::nullopt;
  ObjectKey key{.kind = path.substr(kMemory.size(), slash - kMemory.size()),
                .id = path.substr(slash + 1)};
  if (key.kind == "schedule") key.kind = reminder_noun().kind;
  if (is_one_of(hidden_kinds(), key.kind)) return std::nullopt;
  return key;
}

Result<std::optional<DescribedObject>> find_path_object(const Request& request,
                                                        const Access& access, storage::ReadTxn& txn,
                                                        const std::string& path, Reach reach) {
  std::vector<ObjectKey> keys = {{.kind = file_noun().kind, .id = path}};
  auto named = key_of(path);
  if (named && (reach == Reach::kEverySurface || is_one_of(shown_kinds(), named->kind)))
    keys.push_back(std::move(*named));
  for (const ObjectKey& key : keys) {
    const auto object = txn.get(access, key);
    if (!object && object.error().code != ErrorCode::kNotFound) return object.error();
    if (!object) continue;
    DescribedObject found = describe(*object);
    if (found.path == path && is_shown(request, found)) return std::optional(std::move(found));
  }
  return std::optional<DescribedObject>();
}

std::string cut(const std::string& text, size_t length) {
  if (count_code_points(text) <= length) return text;
  return std::string(prefix_code_points(text, length - 3)) + "...";
}

// Documents that the subject's capsule names and that exist here.
Status add_named(const Request& request, const Access& access, storage::ReadTxn& txn, Reach reach,
                 std::vector<Value>& out) {
  HOLDFAST_TRY(const std::string stem, find_stem(txn, access, request.subject()));
  HOLDFAST_TRY(const auto active, load_active(txn, access, request.subject()));
  if (!active || !active->valid() || !may_read(request.call, active_path(stem))) return {};
  std::set<std::string> seen;
  for (const Value& named :
       list_of(*active->stored.capsule.find("continuity"), "related_documents")) {
    const std::string path = text_of(named, "path");
    if (path_problem(path) || !seen.insert(path).second) continue;
    HOLDFAST_TRY(const auto found, find_path_object(request, access, txn, path, reach));
    if (!found) continue;
    out.push_back(Value::object({{"path", path},
                                 {"type", found->type},
                                 {"snippet", cut(found->text, kNamedSnippet)},
                                 {"score", 0.0}}));
  }
  return {};
}

struct Row {
  Value value = {};
  double score = 0;
  std::string path = {};
};

// Whether hits from here on are worse than each of the wanted rows, and not only as good: of those
// the path decides.
bool are_enough(const std::vector<Row>& rows, size_t limit, double next) {
  if (rows.size() < limit) return false;
  std::vector<double> scores;
  for (const Row& row : rows) scores.push_back(row.score);
  const auto last = scores.begin() + static_cast<ptrdiff_t>(limit) - 1;
  std::ranges::nth_element(scores, last, std::greater());
  return next < *last;
}

// Hits page by page until there are enough that may be shown; hidden ones take no place.
Result<std::vector<Row>> find_rows(const Request& request, const Access& access,
                                   storage::ReadTxn& txn, const search::Index& index,
                                   search::SearchRequest query, bool any_type, size_t limit) {
  std::set<std::string> types;
  for (const Value& type : list_of(request.args, "include_types"))
    types.insert(fold_case(*type.if_string()));
  std::vector<Row> rows;
  query.limit = std::max(kHitsPage, limit + 20);
  for (; query.offset + query.limit <= search::kMaxWindow; query.offset += query.limit) {
    HOLDFAST_TRY(const auto found, index.search(access, query));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
    for (const Object& object : objects) {
      const DescribedObject one = describe(object);
      const bool wanted = any_type || types.empty() || types.contains(fold_case(one.type));
      const auto hit = std::ranges::find(found.hits, object.number, &search::Hit::number);
      if (!wanted || hit == found.hits.end() || !is_shown(request, one)) continue;
      rows.push_back(
          {Value::object({{"path", one.path},
                          {"type", one.type},
                          {"size", object.body.size()},
                          {"modified_at", format_exact(object.updated_at)},
                          {"snippet", std::string(prefix_code_points(one.text, kSnippet))},
                          {"tags", one.tags},
                          {"importance", one.importance},
                          {"score", hit->score}}),
           hit->score, one.path});
    }
    if (found.hits.size() < query.limit || are_enough(rows, limit, found.hits.back().score)) break;
  }
  return rows;
}

// Adds the parts of a text that a search reads as a whole. A part of stop words only says nothing.
void add_parts(std::string_view task, std::vector<std::string>& out) {
  if (out.size() >= kMostParts) return;
  const auto words = holdfast::text::plain_query(task);
  if (!words.truncated) {
    if (words.has_content()) out.emplace_back(task);
    return;
  }
  size_t middle = std::min(task.find_first_of(" \t\r\n", task.size() / 2), task.size());
  if (middle == task.size()) middle = prefix_code_points(task, count_code_points(task) / 2).size();
  add_parts(task.substr(0, middle), out);
  add_parts(task.substr(middle), out);
}

// A search reads so many words and no more; a longer text is asked for in parts.
std::vector<std::string> parts_of(const std::string& task) {
  if (!holdfast::text::plain_query(task).truncated) return {task};
  std::vector<std::string> out;
  add_parts(task, out);
  return out;
}

// What any part finds, best first; what several find has the sum of their scores.
Result<std::vector<Row>> find_any(
    const std::vector<std::string>& parts,
    const std::function<Result<std::vector<Row>>(const std::string& part)>& find) {
  std::vector<Row> rows;
  for (const std::string& part : parts) {
    HOLDFAST_TRY(std::vector<Row> found, find(part));
    for (Row& row : found) {
      const auto known = std::ranges::find(rows, row.path, &Row::path);
      if (known == rows.end()) {
        rows.push_back(std::move(row));
        continue;
      }
      known->score += row.score;
      known->value.set("score", known->score);
    }
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.score != b.score ? a.score > b.score : a.path < b.path;
  });
  return rows;
}

}  // namespace

Result<Value> core_memory(const Request& request, const Access& access, storage::ReadTxn& txn) {
  Value out = Value::array();
  for (const char* path : kCore) {
    if (!may_read(request.call, path)) continue;
    const auto object = txn.get(access, {.kind = file_noun().kind, .id = path});
    if (!object && object.error().code == ErrorCode::kNotFound) continue;
    if (!object) return object.error();
    HOLDFAST_TRY(const RepositoryFile file, storage::value_of(file_noun(), *object));
    out.push(Value::object(
        {{"path", path}, {"snippet", std::string(prefix_code_points(file.text, kCoreSnippet))}}));
  }
  return out;
}

Result<Value> recent_relevant(const Request& request, const Access& access, storage::ReadTxn& txn,
                              const search::Index& index, Reach reach, Timestamp now) {
  const Subject subject = request.subject();
  const bool of_subject =
      (subject.kind == "thread" || subject.kind == "task") && !subject.id.empty();
  const auto limit = static_cast<size_t>(integer_of(request.args, "limit", 10));
  const std::string asked = of_subject ? subject.id : request.text("task");
  const std::vector<std::string> parts = parts_of(asked);
  search::SearchRequest query{.plain = true};
  // Ids share words ("task-17", "task-18"): what is about this one has all of them.
  if (of_subject) query.match = search::MatchMode::kAll;
  query.filter.not_kinds = hidden_kinds();
  if (reach == Reach::kThisSurface) query.filter.kinds = shown_kinds();
  if (!of_subject)
    query.filter.from =
        now - std::chrono::hours(24 * integer_of(request.args, "time_window_days", 30));
  std::vector<Value> out;
  if (of_subject) HOLDFAST_CHECK_OK(add_named(request, access, txn, reach, out));
  std::set<std::string> shown_paths;
  for (const Value& row : out) shown_paths.insert(text_of(row, "path"));
  if (out.size() > limit) out.resize(limit);
  for (const char* group : kGroups) {
    if (out.size() >= limit || trim_space(asked).empty()) break;
    search::SearchRequest in_group = query;
    if (!of_subject && *group != '\0') in_group.filter.facets = {has(facet::kFileGroup, group)};
    if (!of_subject && *group == '\0')
      in_group.filter.facets = {
          {.name = facet::kFileGroup, .any_of = {kGroups[0], kGroups[1]}, .negated = true}};
    HOLDFAST_TRY(auto rows, find_any(parts, [&](const std::string& part) {
                   in_group.query = part;
                   return find_rows(request, access, txn, index, in_group, of_subject, limit);
                 }));
    for (Row& row : rows) {
      if (out.size() < limit && shown_paths.insert(row.path).second)
        out.push_back(std::move(row.value));
    }
    if (of_subject) break;
  }
  return Value::array_of(out);
}

}  // namespace holdfast::service::continuity
