#include "surface/substrate/encode_query.h"

#include <fmt/format.h>

#include "model/pretty_json.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

constexpr size_t kBytesOfAnItem = 1024;  // usually

// Scores of the table are whole numbers and look like it.
Value number(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

void write_ranks(PrettyJson& json, const SearchItem& item) {
  json.name("retrieval_ranks").begin_object();
  for (const auto& rank : item.ranks) json.any_name(rank.stream).value(rank.rank);
  json.end_object();
  json.member("rank_score", Value(*item.rank_score));
  if (item.semantic_score) json.member("semantic_score", Value(*item.semantic_score));
  json.name("matched_chunks").begin_array();
  if (item.semantic_score) {
    json.begin_object()
        .member("chunk_id", item.card.id + "#object")
        .member("semantic_score", Value(*item.semantic_score))
        .member("distance", Value(1 - *item.semantic_score))
        .end_object();
  }
  json.end_array();
}

void write_item(PrettyJson& json, const SearchItem& item) {
  const Card& card = item.card;
  json.begin_object()
      .member("object_type", card.object_type)
      .member("id", card.id)
      .member("kind", card.kind)
      .member("title", card.title)
      .member("status", card.status)
      .member("summary", card.summary)
      .member("score", number(item.score))
      .member("lexical_score", item.lexical_score)
      .member("matched_terms", item.matched_terms)
      .member("retrieval_sources", item.retrieval_sources);
  if (item.rank_score) write_ranks(json, item);
  json.end_object();
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

Value encode_card(const Card& card) {
  return Value::object({{"object_type", card.object_type},
                        {"id", card.id},
                        {"kind", card.kind},
                        {"title", card.title},
                        {"status", card.status},
                        {"summary", card.summary}});
}

std::string write_search(const SearchAnswer& answer) {
  PrettyJson json((1 + answer.items.size()) * kBytesOfAnItem);
  json.begin_object().member("result_type", "search_results").name("data").begin_object();
  json.member("query", answer.query.text).name("items").begin_array();
  for (const SearchItem& item : answer.items) write_item(json, item);
  json.end_array()
      .member("normalized_terms", answer.terms)
      .member("applied_filters", encode_filters(answer.applied))
      .member("inferred_filters", encode_filters(answer.inferred))
      .member("suggested_retry_terms", answer.retry_terms);
  if (!answer.blank) {
    json.member("semantic_backend",
                answer.semantic_backend ? Value(*answer.semantic_backend) : Value());
  }
  json.member("query_sanitizer", encode_sanitizer(answer.query)).end_object();
  return json.member("warnings", sanitizer_warnings(answer.query)).end_object().take();
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
