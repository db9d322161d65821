// One document of the oracle, and what a request asks of it, written the plain way.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "model/noun.h"
#include "search/fields.h"
#include "search/request.h"
#include "text/analyzer.h"
#include "text/query.h"
#include "text/stemmer.h"

namespace holdfast::search::oracle {

struct Doc {
  ObjectNumber number = 0;
  std::string kind = {};
  Label label = {};
  Projection projection = {};
  std::map<std::string, uint32_t> tf = {};
  std::vector<std::string> sequence = {};  // plain stems; "" between fields
  uint32_t length = 0;
};

inline void add_field(Doc& doc, const std::string& text, Field field) {
  text::TokenList list;
  text::analyze(text, list);
  const uint32_t weight = kFieldWeights[static_cast<size_t>(field)];
  doc.sequence.emplace_back();
  for (const text::Token& token : list.tokens) {
    const std::string stem = text::stem(list.text(token));
    doc.tf[stem] += weight;
    if (token.overlay) continue;
    doc.length += weight;
    doc.sequence.push_back(stem);
  }
}

inline Doc make_doc(const Object& object, const Projection& projection) {
  Doc doc{.number = object.number,
          .kind = object.key.kind,
          .label = object.label,
          .projection = projection};
  const SearchText& text = projection.text;
  add_field(doc, text.title, Field::kTitle);
  for (const auto& id : text.ids) add_field(doc, id, Field::kIds);
  for (const auto& tag : text.tags) add_field(doc, tag, Field::kTags);
  add_field(doc, text.summary, Field::kSummary);
  add_field(doc, text.body, Field::kBody);
  return doc;
}

inline int64_t at(const Doc& doc) {
  const auto time = doc.projection.text.at;
  return time == Timestamp{} ? doc.number : to_micros(time);
}

inline bool looked_up(const text::ParsedQuery& query, const text::QueryWord& word) {
  return !word.stop_word || !query.has_content();
}

inline double recency(const Doc& doc, const SearchRequest& request) {
  if (request.recency.weight <= 0) return 0;
  const double age =
      std::max<double>(0, static_cast<double>(to_micros(request.recency.now) - at(doc)));
  return request.recency.weight *
         std::exp2(-age / (static_cast<double>(request.recency.half_life.count()) * 1e6));
}

inline double speaker(const Doc& doc, const text::ParsedQuery& query,
                      const SearchRequest& request) {
  text::TokenList list;
  text::analyze(doc.projection.text.speaker, list);
  for (const auto& token : list.tokens) {
    for (const auto& word : query.words) {
      if (word.form == list.text(token)) return request.speaker_boost;
    }
  }
  return 0;
}

inline bool matches(const Doc& doc, const text::ParsedQuery& query, const SearchRequest& request) {
  size_t matched = 0;
  size_t all = 0;
  bool any = false;
  for (const auto& word : query.words) {
    if (!looked_up(query, word)) continue;
    any = any || doc.tf.contains(word.stem);
    if (word.whole) continue;
    ++all;
    matched += doc.tf.contains(word.stem) ? 1 : 0;
  }
  if (!any) return false;
  if (request.match == MatchMode::kAll && matched < all) return false;
  if (request.match == MatchMode::kMinimum && matched < std::min(request.minimum_terms, all))
    return false;
  const auto has = [&](const std::vector<text::QueryWord>& phrase) {
    std::vector<std::string> stems;
    for (const auto& word : phrase) stems.push_back(word.stem);
    return std::search(doc.sequence.begin(), doc.sequence.end(), stems.begin(), stems.end()) !=
           doc.sequence.end();
  };
  return std::ranges::all_of(query.phrases, has) && std::ranges::none_of(query.excluded, has);
}

inline bool passes(const Doc& doc, const Filter& filter) {
  const auto in = [](const auto& list, const auto& value) {
    return std::ranges::find(list, value) != list.end();
  };
  if (!filter.kinds.empty() && !in(filter.kinds, doc.kind)) return false;
  if (in(filter.not_kinds, doc.kind) || in(filter.not_numbers, doc.number)) return false;
  if (doc.number <= filter.after_number) return false;
  if (filter.only_numbers && !filter.only_numbers->has(doc.number)) return false;
  if (filter.from && at(doc) < to_micros(*filter.from)) return false;
  if (filter.to && at(doc) >= to_micros(*filter.to)) return false;
  const auto& text = doc.projection.text;
  if (filter.valid_at && text.valid_from && *text.valid_from > *filter.valid_at) return false;
  if (filter.valid_at && text.valid_until && *text.valid_until <= *filter.valid_at) return false;
  for (const FacetFilter& wanted : filter.facets) {
    const bool has = std::ranges::any_of(doc.projection.facets, [&](const Facet& facet) {
      return !facet.is_number && facet.name == wanted.name && in(wanted.any_of, facet.text);
    });
    if (has == wanted.negated) return false;
  }
  for (const RangeFilter& wanted : filter.ranges) {
    const bool has = std::ranges::any_of(doc.projection.facets, [&](const Facet& facet) {
      return facet.is_number && facet.name == wanted.name && facet.number >= wanted.from &&
             facet.number <= wanted.to;
    });
    if (has == wanted.negated) return false;
  }
  return true;
}

}  // namespace holdfast::search::oracle
