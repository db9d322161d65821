#include "surface/substrate/encode_query.h"

#include <array>

#include <fmt/format.h>

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

constexpr size_t kMembersOfAnItem = 16;  // at most: a card, and what a search says of it

// Scores of the table are whole numbers and look like it.
Value number(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

Value encode_item(SearchItem item) {
  const std::string chunk = item.semantic_score ? item.card.id + "#object" : std::string();
  Value out = encode_card(std::move(item.card));
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
    chunks.push(Value::object({{"chunk_id", chunk},
                               {"semantic_score", *item.semantic_score},
                               {"distance", 1 - *item.semantic_score}}));
  }
  out.set("matched_chunks", std::move(chunks));
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
  Value out = Value::object({{"result_type", type}});
  out.set("data", std::move(data));
  out.set("warnings", std::move(warnings));
  return out;
}

Value encode_card(Card card) {
  Value::Object members;
  members.reserve(kMembersOfAnItem);
  members.push_back({"object_type", std::move(card.object_type)});
  members.push_back({"id", std::move(card.id)});
  members.push_back({"kind", std::move(card.kind)});
  members.push_back({"title", std::move(card.title)});
  members.push_back({"status", std::move(card.status)});
  members.push_back({"summary", std::move(card.summary)});
  return members;
}

Value encode_search(SearchAnswer answer) {
  Value::Array items;
  items.reserve(answer.items.size());
  for (SearchItem& item : answer.items) items.push_back(encode_item(std::move(item)));
  Value data = Value::object({{"query", answer.query.text}});
  data.set("items", std::move(items));
  data.set("normalized_terms", Value::array_of(answer.terms));
  data.set("applied_filters", encode_filters(answer.applied));
  data.set("inferred_filters", encode_filters(answer.inferred));
  data.set("suggested_retry_terms", Value::array_of(answer.retry_terms));
  if (!answer.blank) {
    data.set("semantic_backend",
             answer.semantic_backend ? Value(*answer.semantic_backend) : Value());
  }
  data.set("query_sanitizer", encode_sanitizer(answer.query));
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

}  // namespace holdfast::surface::substrate
