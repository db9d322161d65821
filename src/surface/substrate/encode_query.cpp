#include "surface/substrate/encode_query.h"

#include <array>

#include <fmt/format.h>

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

constexpr std::string_view kSanitized =
    "Long query text was sanitized before retrieval. Use query_sanitizer diagnostics to inspect "
    "the "
    "applied method.";

Value sanitizer(const SanitizedQuery& query) {
  return Value::object({{"was_sanitized", query.was_sanitized},
                        {"method", query.method},
                        {"original_length", query.original_length},
                        {"clean_length", query.clean_length}});
}

Value sanitizer_warnings(const SanitizedQuery& query) {
  return query.was_sanitized ? Value::array({kSanitized}) : Value::array();
}

// Only what was given or inferred.
Value encode_filters(const Filters& filters) {
  Value out = Value::object();
  const auto add = [&](std::string_view name, const std::vector<std::string>& values) {
    if (!values.empty()) out.set(name, Value::array_of(values));
  };
  add("object_types", filters.object_types);
  add("kinds", filters.kinds);
  add("statuses", filters.statuses);
  add("node_ids", filters.node_ids);
  add("source_ids", filters.source_ids);
  if (filters.include_temporary) out.set("include_temporary", true);
  return out;
}

// Scores of the table are whole numbers and look like it.
Value number(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

Value encode_item(const SearchItem& item) {
  Value out = encode_card(item.card);
  out.set("score", number(item.score));
  out.set("lexical_score", item.lexical_score);
  out.set("matched_terms", Value::array_of(item.matched_terms));
  out.set("retrieval_sources", Value::array_of(item.retrieval_sources));
  if (!item.rank_score) return out;
  Value ranks = Value::object();
  for (const auto& rank : item.ranks) ranks.set(rank.stream, rank.rank);
  out.set("retrieval_ranks", std::move(ranks));
  out.set("rank_score", *item.rank_score);
  Value chunks = Value::array();
  if (item.semantic_score) {
    out.set("semantic_score", *item.semantic_score);
    chunks.push(Value::object({{"chunk_id", item.card.id + "#object"},
                               {"semantic_score", *item.semantic_score},
                               {"distance", 1 - *item.semantic_score}}));
  }
  out.set("matched_chunks", std::move(chunks));
  return out;
}

Value encode_citations(const std::vector<Citation>& citations) {
  Value out = Value::array();
  for (const Citation& one : citations) {
    out.push(Value::object({{"source_id", one.source_id},
                            {"segment_id", one.segment_id},
                            {"object_id", one.object_id}}));
  }
  return out;
}

Value encode_segments(const std::vector<SegmentSnippet>& segments) {
  Value out = Value::array();
  for (const SegmentSnippet& one : segments) {
    out.push(Value::object({{"source_id", one.source_id},
                            {"segment_id", one.segment_id},
                            {"locator", one.locator},
                            {"excerpt", one.excerpt},
                            {"hash", one.hash}}));
  }
  return out;
}

Value encode_cards(const std::vector<Card>& cards) {
  Value out = Value::array();
  for (const Card& card : cards) out.push(encode_card(card));
  return out;
}

std::string_view group_status(GroupStatus status) {
  switch (status) {
    case GroupStatus::kOk: return "ok";
    case GroupStatus::kNotFound: return "not_found";
    case GroupStatus::kBudgetExhausted: return "budget_exhausted";
  }
  return "";
}

std::string not_found(std::string_view id) { return fmt::format("Object not found: {}", id); }

Value encode_group(const ExpandedMany::Group& group) {
  const Expanded& expanded = group.expanded;
  Value warnings = Value::array();
  if (group.status == GroupStatus::kNotFound) warnings.push(not_found(expanded.root_id));
  return Value::object(
      {{"root_id", expanded.root_id},
       {"object_type", expanded.object_type.empty() ? Value() : Value(expanded.object_type)},
       {"status", group_status(group.status)},
       {"items", encode_cards(expanded.items)},
       {"source_segments", encode_segments(expanded.segments)},
       {"context_budget",
        Value::object({{"max_items", group.max_items}, {"returned_items", expanded.items.size()}})},
       {"warnings", std::move(warnings)}});
}

}  // namespace

Value result(std::string_view type, Value data, Value warnings) {
  return Value::object(
      {{"result_type", type}, {"data", std::move(data)}, {"warnings", std::move(warnings)}});
}

Value encode_card(const Card& card) {
  return Value::object({{"object_type", card.object_type},
                        {"id", card.id},
                        {"kind", card.kind},
                        {"title", card.title},
                        {"status", card.status},
                        {"summary", card.summary}});
}

Value encode_search(const SearchAnswer& answer) {
  Value items = Value::array();
  for (const SearchItem& item : answer.items) items.push(encode_item(item));
  Value data = Value::object({{"query", answer.query.text},
                              {"items", std::move(items)},
                              {"normalized_terms", Value::array_of(answer.terms)},
                              {"applied_filters", encode_filters(answer.applied)},
                              {"inferred_filters", encode_filters(answer.inferred)},
                              {"suggested_retry_terms", Value::array_of(answer.retry_terms)}});
  if (!answer.blank) {
    data.set("semantic_backend",
             answer.semantic_backend ? Value(*answer.semantic_backend) : Value());
  }
  data.set("query_sanitizer", sanitizer(answer.query));
  return result("search_results", std::move(data), sanitizer_warnings(answer.query));
}

Value encode_expanded(const Expanded& answer) {
  return result("expanded_context",
                Value::object({{"root_id", answer.root_id},
                               {"items", encode_cards(answer.items)},
                               {"source_segments", encode_segments(answer.segments)}}));
}

Value encode_expanded_many(const ExpandedMany& answer) {
  Value root_ids = Value::array();
  Value expanded_ids = Value::array();
  Value missing_ids = Value::array();
  Value groups = Value::object();
  for (const ExpandedMany::Group& group : answer.groups) {
    const std::string& id = group.expanded.root_id;
    root_ids.push(id);
    if (group.status == GroupStatus::kOk) expanded_ids.push(id);
    if (group.status == GroupStatus::kNotFound) missing_ids.push(id);
    groups.set(id, encode_group(group));
  }
  return result("expanded_context_many",
                Value::object({{"root_ids", std::move(root_ids)},
                               {"expanded_ids", std::move(expanded_ids)},
                               {"missing_ids", std::move(missing_ids)},
                               {"groups", std::move(groups)},
                               {"source_segments", encode_segments(answer.segments)},
                               {"context_budget",
                                Value::object({{"max_items", answer.max_items},
                                               {"returned_items", answer.returned_items}})}}));
}

Value encode_recent(const std::vector<RecentItem>& items) {
  Value out = Value::array();
  for (const RecentItem& item : items) {
    Value card = encode_card(item.card);
    card.set("updated_at", item.updated_at);
    out.push(std::move(card));
  }
  return result("recent", Value::object({{"items", std::move(out)}}));
}

Value encode_context(const ContextAnswer& answer) {
  Value items = Value::array();
  std::vector<std::string> ids;
  std::string titles;
  for (const ContextItem& item : answer.items) {
    Value card = encode_card(item.card);
    if (answer.with_graph) card.set("evidence_refs", encode_citations(item.evidence));
    items.push(std::move(card));
    if (ids.size() < 3) titles += (ids.empty() ? "" : ", ") + item.card.title;
    ids.push_back(item.card.id);
  }
  const auto section = [](std::string_view name, const std::vector<std::string>& members) {
    return Value::object(
        {{"field", name}, {"count", members.size()}, {"ids", Value::array_of(members)}});
  };
  const std::string& task = answer.task.text;
  const std::string summary =
      ids.empty() ? fmt::format("No stored context available yet for task: {}", task)
                  : fmt::format("Context for '{}' built from {} items. Key entries: {}", task,
                                ids.size(), titles);
  std::vector<std::string> cited;
  for (const Citation& one : answer.citations)
    cited.push_back(one.source_id + "#" + one.segment_id);
  if (ids.size() > 5) ids.resize(5);
  Value hints = Value::array();
  if (!ids.empty()) {
    hints.push(Value::object(
        {{"tool", "memory_query"}, {"mode", "expand"}, {"ids", Value::array_of(ids)}}));
  }
  const Value scope = encode_filters(answer.scope);
  const Value decisions = section("decisions", answer.decisions);
  const Value procedures = section("procedures", answer.procedures);
  const Value open_work = section("open_work", answer.open_work);
  Value missing = Value::array();
  if (answer.items.empty()) missing.push("No relevant context found yet.");
  return result(
      "context_pack",
      Value::object(
          {{"id", answer.id},
           {"task", task},
           {"summary", summary},
           {"scope", scope},
           {"items", std::move(items)},
           {"evidence", encode_citations(answer.citations)},
           {"citations", encode_citations(answer.citations)},
           {"decisions", decisions},
           {"procedures", procedures},
           {"open_work", open_work},
           {"conflicts", Value::array()},
           {"missing_context", std::move(missing)},
           {"recommended_next_reads", Value::array_of(ids)},
           {"freshness",
            Value::object({{"generated_at", answer.generated_at}, {"expires_at", nullptr}})},
           {"context_tiers",
            Value::object({{"policy", section("policy", {})},
                           {"active_task", Value::object({{"task", task}, {"scope", scope}})},
                           {"decisions", decisions},
                           {"procedures", procedures},
                           {"evidence", section("evidence", cited)},
                           {"open_work", open_work},
                           {"deep_search_hints", std::move(hints)}})},
           {"context_budget", Value::object({{"max_items", answer.max_items},
                                             {"returned_items", answer.items.size()},
                                             {"detail", "compact"}})},
           {"generated_at", answer.generated_at},
           {"expires_at", nullptr},
           {"normalized_terms", Value::array_of(answer.terms)},
           {"inferred_filters", encode_filters(answer.inferred)},
           {"query_sanitizer", sanitizer(answer.task)}}),
      sanitizer_warnings(answer.task));
}

}  // namespace holdfast::surface::substrate
