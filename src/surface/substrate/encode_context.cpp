// Context packs of memory_query, and what they share with searches.
#include <fmt/format.h>

#include "surface/substrate/encode_query.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

constexpr std::string_view kSanitized =
    "Long query text was sanitized before retrieval. Use query_sanitizer diagnostics to inspect "
    "the "
    "applied method.";

constexpr size_t kKeyEntries = 3;
constexpr size_t kNextReads = 5;

Value encode_citations(const std::vector<Citation>& citations) {
  Value out = Value::array();
  for (const Citation& one : citations) {
    out.push(Value::object({{"source_id", one.source_id},
                            {"segment_id", one.segment_id},
                            {"object_id", one.object_id}}));
  }
  return out;
}

using Ids = std::vector<std::string>;

Value section(std::string_view name, const Ids& members) {
  return Value::object(
      {{"field", name}, {"count", members.size()}, {"ids", Value::array_of(members)}});
}

Value encode_items(const ContextAnswer& answer) {
  Value items = Value::array();
  for (const ContextItem& item : answer.items) {
    Value card = encode_card(item.card);
    if (answer.with_graph) card.set("evidence_refs", encode_citations(item.evidence));
    items.push(std::move(card));
  }
  return items;
}

std::string summary_of(const ContextAnswer& answer) {
  const std::string& task = answer.task.text;
  if (answer.items.empty()) {
    return fmt::format("No stored context available yet for task: {}", task);
  }
  std::string titles;
  for (size_t i = 0; i < answer.items.size() && i < kKeyEntries; ++i) {
    titles += (i == 0 ? "" : ", ") + answer.items[i].card.title;
  }
  return fmt::format("Context for '{}' built from {} items. Key entries: {}", task,
                     answer.items.size(), titles);
}

Ids next_reads(const ContextAnswer& answer) {
  Ids ids;
  for (size_t i = 0; i < answer.items.size() && i < kNextReads; ++i) {
    ids.push_back(answer.items[i].card.id);
  }
  return ids;
}

Value encode_tiers(const ContextAnswer& answer) {
  Ids cited;
  for (const Citation& one : answer.citations)
    cited.push_back(one.source_id + "#" + one.segment_id);
  Value hints = Value::array();
  if (const Ids ids = next_reads(answer); !ids.empty()) {
    hints.push(Value::object(
        {{"tool", "memory_query"}, {"mode", "expand"}, {"ids", Value::array_of(ids)}}));
  }
  return Value::object({{"policy", section("policy", {})},
                        {"active_task", Value::object({{"task", answer.task.text},
                                                       {"scope", encode_filters(answer.scope)}})},
                        {"decisions", section("decisions", answer.decisions)},
                        {"procedures", section("procedures", answer.procedures)},
                        {"evidence", section("evidence", cited)},
                        {"open_work", section("open_work", answer.open_work)},
                        {"deep_search_hints", std::move(hints)}});
}

}  // namespace

Value encode_sanitizer(const SanitizedQuery& query) {
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

Value encode_context(const ContextAnswer& answer) {
  Value missing = Value::array();
  if (answer.items.empty()) missing.push("No relevant context found yet.");
  Value data = Value::object({{"id", answer.id},
                              {"task", answer.task.text},
                              {"summary", summary_of(answer)},
                              {"scope", encode_filters(answer.scope)},
                              {"items", encode_items(answer)},
                              {"evidence", encode_citations(answer.citations)},
                              {"citations", encode_citations(answer.citations)},
                              {"decisions", section("decisions", answer.decisions)},
                              {"procedures", section("procedures", answer.procedures)},
                              {"open_work", section("open_work", answer.open_work)},
                              {"conflicts", Value::array()},
                              {"missing_context", std::move(missing)},
                              {"recommended_next_reads", Value::array_of(next_reads(answer))}});
  data.set("freshness",
           Value::object({{"generated_at", answer.generated_at}, {"expires_at", nullptr}}));
  data.set("context_tiers", encode_tiers(answer));
  data.set("context_budget", Value::object({{"max_items", answer.max_items},
                                            {"returned_items", answer.items.size()},
                                            {"detail", "compact"}}));
  data.set("generated_at", answer.generated_at);
  data.set("expires_at", nullptr);
  data.set("normalized_terms", Value::array_of(answer.terms));
  data.set("inferred_filters", encode_filters(answer.inferred));
  data.set("query_sanitizer", encode_sanitizer(answer.task));
  return result("context_pack", std::move(data), sanitizer_warnings(answer.task));
}

}  // namespace holdfast::surface::substrate
