#include "service/native/search_hits.h"

#include "text/snippet.h"

namespace holdfast::service {
namespace {

constexpr size_t kSnippetBytes = 240;

// The text to cut the snippet from: the body, or a summary where there is no body.
const std::string& source_of(const SearchText& text) {
  return text.body.empty() ? text.summary : text.body;
}

// A text that fits is shown whole, unlooked at.
std::string snippet_text(const SearchText& text, const text::ParsedQuery& query) {
  const std::string& source = source_of(text);
  if (source.size() <= kSnippetBytes) return source;
  const text::Snippet snippet = text::make_snippet(source, query, kSnippetBytes);
  return (snippet.cut_before ? "… " : "") + snippet.text + (snippet.cut_after ? " …" : "");
}

Value explain_term(const search::Explanation::Term& term) {
  Value fields = Value::object();
  for (const auto& match : term.fields)
    fields.set(search::kFieldNames[static_cast<size_t>(match.field)], match.frequency);
  return Value::object({{"word", term.text},
                        {"stem", term.stem},
                        {"fields", std::move(fields)},
                        {"documents", term.documents},
                        {"idf", term.idf},
                        {"score", term.contribution}});
}

}  // namespace

Value explain_value(const search::Explanation& explanation) {
  Value terms = Value::array();
  for (const auto& term : explanation.terms) terms.push(explain_term(term));
  Value neighbours = Value::array();
  for (const auto& neighbour : explanation.neighbours) {
    neighbours.push(
        Value::object({{"distance", neighbour.distance}, {"score", neighbour.contribution}}));
  }
  Value ranks = Value::array();
  for (const auto& rank : explanation.ranks) {
    ranks.push(Value::object(
        {{"stream", rank.stream}, {"rank", rank.rank}, {"score", rank.contribution}}));
  }
  return Value::object({{"terms", std::move(terms)},
                        {"lexical", explanation.lexical},
                        {"neighbours", std::move(neighbours)},
                        {"neighbour_score", explanation.neighbour_sum},
                        {"recency_score", explanation.recency},
                        {"speaker_score", explanation.speaker},
                        {"ranks", std::move(ranks)},
                        {"filters", Value::array_of(explanation.filters)}});
}

Result<search::SearchResponse> list_newest(const search::Index& index,
                                           const access::SpaceAccess& access,
                                           const search::SearchRequest& request) {
  search::ListRequest list{.filter = request.filter,
                           .sort = {{.by = search::SortKey::By::kNumber}},
                           .limit = request.limit};
  list.filter.with_text = true;
  if (request.after)
    list.after = search::ListPosition{.keys = {{.number = request.after->number}},
                                      .number = request.after->number};
  HOLDFAST_TRY(const auto listed, index.list(access, list));
  search::SearchResponse response{.total = listed.total, .total_is_exact = true};
  for (const auto& entry : listed.hits)
    response.hits.push_back({.number = entry.number, .kind = entry.kind});
  return response;
}

SearchHit show_hit(Object object, const search::Hit& hit, const ShowHits& how) {
  SearchHit out{.score = hit.score, .at = object.created_at, .matched = hit.matched};
  const NounEntry* noun = how.nouns.find(object.key.kind);
  auto projection = noun != nullptr ? noun->project(object) : Result<Projection>(Error{});
  if (projection) {
    out.snippet = snippet_text(projection->text, how.query);
    out.title = std::move(projection->text.title);
    out.summary = std::move(projection->text.summary);
    out.at = projection->text.at;
  }
  out.object = std::move(object);
  if (how.request.explain && hit.explanation) out.why = explain_value(*hit.explanation);
  return out;
}

Result<SearchResponse> shown(storage::ReadTxn& txn, const access::SpaceAccess& access,
                             const search::SearchResponse& found, const ShowHits& how) {
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(auto objects, txn.get_many(access, numbers));

  SearchResponse response{.space = access.space(),
                          .total = static_cast<int64_t>(found.total),
                          .total_is_exact = found.total_is_exact};
  // The objects come in the order asked for, those that vanished left out.
  size_t next = 0;
  for (const auto& hit : found.hits) {
    if (next == objects.size()) break;
    if (objects[next].number != hit.number) continue;
    response.hits.push_back(show_hit(std::move(objects[next]), hit, how));
    ++next;
  }
  if (found.hits.size() == static_cast<size_t>(how.request.limit)) {
    response.next = {.score = found.hits.back().score, .number = found.hits.back().number};
  }
  return response;
}

}  // namespace holdfast::service
