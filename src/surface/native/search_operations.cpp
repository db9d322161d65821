#include "surface/native/search_operations.h"

#include <cmath>

#include "base/digest.h"
#include "base/time_text.h"
#include "model/json_text.h"
#include "surface/native/encode.h"
#include "surface/native/object_operations.h"

namespace holdfast::surface::native {
namespace {

using service::ContextRequest;
using service::ContextResponse;
using service::FacetCondition;
using service::SearchPosition;
using service::SearchRequest;
using service::SearchResponse;
using wire::each;
using wire::items;
using wire::length;
using wire::max_length;
using wire::range;

// A cursor only says where the page before ended; made up ones page oddly and reveal nothing, so it
// needs no signature.
std::string encode_cursor(const SearchPosition& position) {
  return base64url_encode(
      to_json(Value::object({{"score", position.score}, {"number", position.number}})));
}

void read_cursor(const Value& value, SearchPosition& out, wire::Reading& reading) {
  const auto* text = value.if_string();
  const auto bytes = text != nullptr ? base64_decode(*text) : std::nullopt;
  const auto parsed = bytes ? parse_json(*bytes) : Result<Value>(Error{});
  const Value* score = parsed ? parsed->find("score") : nullptr;
  const Value* number = parsed ? parsed->find("number") : nullptr;
  if (score == nullptr || number == nullptr || !score->is_number() || number->if_int() == nullptr) {
    return reading.add(wire::rule::kFormat, {{"expected", "the next_cursor of the page before"}});
  }
  out = {.score = score->to_double(), .number = *number->if_int()};
}

wire::Schema<FacetCondition> facet_schema() {
  return wire::Schema<FacetCondition>()
      .required("name", &FacetCondition::name, length(1, 64), "The facet.")
      .required("any_of", &FacetCondition::any_of, items(1, 50), each(length(1, 500)),
                "Values, any of which fits.")
      .optional("exclude", &FacetCondition::exclude, "None of them instead.");
}

Value encode_hit(const service::SearchHit& hit) {
  Value out = encode_key(hit.object.key);
  out.set("score", std::round(hit.score * 10'000) / 10'000);
  out.set("title", hit.title);
  out.set("snippet", hit.snippet);
  out.set("at", format_micros(hit.at));
  out.set("revision", hit.object.revision);
  out.set("state", hit.object.state);
  out.set("label", encode_label(hit.object.label));
  out.set("matched", Value::array_of(hit.matched));
  if (!hit.why.is_null()) out.set("why", hit.why);
  return out;
}

Value encode_search(const SearchResponse& response) {
  Value hits = Value::array();
  for (const auto& hit : response.hits) hits.push(encode_hit(hit));
  Value out = Value::object({{"space", response.space.value},
                             {"total", response.total},
                             {"total_is_exact", response.total_is_exact},
                             {"hits", std::move(hits)}});
  out.set("next_cursor", response.next ? Value(encode_cursor(*response.next)) : Value());
  return out;
}

Value encode_context(const ContextResponse& response) {
  Value sections = Value::array();
  for (const auto& section : response.sections) {
    Value entries = Value::array();
    for (const auto& entry : section.entries) {
      Value shown = encode_key(entry.key);
      shown.set("at", format_micros(entry.at));
      shown.set("tokens", entry.tokens);
      shown.set("text", entry.text);
      entries.push(std::move(shown));
    }
    sections.push(Value::object(
        {{"name", section.name}, {"entries", std::move(entries)}, {"left_out", section.left_out}}));
  }
  return Value::object({{"space", response.space.value},
                        {"token_budget", response.token_budget},
                        {"tokens", response.tokens},
                        {"sections", std::move(sections)}});
}

}  // namespace

const wire::Operation<SearchRequest, SearchResponse>& search() {
  static const wire::Operation<SearchRequest, SearchResponse> operation{
      .name = "search",
      .summary = "Search everything you may see, across all surfaces.",
      .description =
          "Words, \"phrases\" and -excluded words. With as_of the answer is what a search would "
          "have found then.",
      .request =
          wire::Schema<SearchRequest>()
              .optional("query", &SearchRequest::query, max_length(4096),
                        "What to look for; without it the newest first.")
              .optional("kinds", &SearchRequest::kinds, items(0, 32), each(length(1, 64)),
                        "Only these kinds.")
              .optional("tags", &SearchRequest::tags, items(0, 50), each(length(1, 64)),
                        "Only with one of these tags.")
              .optional("container", &SearchRequest::container, max_length(500),
                        "Only from this container.")
              .optional("thread", &SearchRequest::thread, max_length(500), "Only from this thread.")
              .optional("task", &SearchRequest::task, max_length(500), "Only about this task.")
              .optional("repository", &SearchRequest::repository, max_length(500),
                        "Only about this repository.")
              .optional("work_ref", &SearchRequest::work_ref, max_length(200),
                        "Only about this ticket or pull request.")
              .optional("facets", &SearchRequest::facets, items(0, 16), each(facet_schema()),
                        "Further exact conditions.")
              .optional("since", &SearchRequest::since, "Not before this time.")
              .optional("until", &SearchRequest::until, "Before this time.")
              .optional("valid_at", &SearchRequest::valid_at,
                        "Believed true at this time; now if left out.")
              .optional("include_expired", &SearchRequest::include_expired,
                        "Also what is not, or no longer, valid.")
              .optional("as_of", &SearchRequest::as_of, as_of_option(),
                        "A time or journal position of the past.")
              .optional("limit", &SearchRequest::limit, range(1, 100), "How many hits.")
              .optional(
                  "cursor", &SearchRequest::cursor,
                  wire::read_by<SearchPosition>(read_cursor, Value::object({{"type", "string"}})),
                  "next_cursor of the page before, with the same request.")
              .optional("neighbours", &SearchRequest::neighbours,
                        "Score a turn together with its conversation.")
              .optional("explain", &SearchRequest::explain, "Say why each hit was found.")
              .check([](const SearchRequest& request, wire::Checks& checks) {
                if (request.cursor && !request.as_of.is_now())
                  checks.add("cursor", "excludes", {{"other", "as_of"}});
              }),
      .encode = encode_search,
      .tags = {"search"},
  };
  return operation;
}

const wire::Operation<ContextRequest, ContextResponse>& context() {
  static const wire::Operation<ContextRequest, ContextResponse> operation{
      .name = "context",
      .summary = "What to know at the start of a turn, within a token budget.",
      .request = wire::Schema<ContextRequest>()
                     .optional("query", &ContextRequest::query, max_length(4096),
                               "What the turn is about.")
                     .optional("container", &ContextRequest::container, max_length(500),
                               "Only from this container.")
                     .optional("thread", &ContextRequest::thread, max_length(500),
                               "The thread the turn is in.")
                     .optional("task", &ContextRequest::task, max_length(500), "The task at hand.")
                     .optional("repository", &ContextRequest::repository, max_length(500),
                               "The repository at hand.")
                     .optional("token_budget", &ContextRequest::token_budget, range(50, 100'000),
                               "How much it may take."),
      .encode = encode_context,
      .tags = {"search"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
