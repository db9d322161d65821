// Search written the plain way, for tests: goes through every document for every question. The
// index must agree.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "access/visibility.h"
#include "model/noun.h"
#include "search/fields.h"
#include "search/request.h"
#include "text/analyzer.h"
#include "text/query.h"
#include "text/stemmer.h"

namespace holdfast::search {

class Oracle {
 public:
  struct Doc {
    ObjectNumber number = 0;
    std::string kind = {};
    Label label = {};
    Projection projection = {};
    std::map<std::string, uint32_t> tf = {};
    std::vector<std::string> sequence = {};  // plain stems; "" between fields
    uint32_t length = 0;
  };
  struct Scored {
    ObjectNumber number = 0;
    double score = 0;
  };

  void put(const Object& object, const Projection& projection) {
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
    docs_[object.number] = std::move(doc);
  }
  void remove(ObjectNumber number) { docs_.erase(number); }
  size_t size() const { return docs_.size(); }

  std::vector<Scored> search(const Viewer& viewer, const SearchRequest& request) const {
    const text::ParsedQuery query = text::parse_query(request.query);
    Stats stats = statistics(viewer, query);
    std::vector<Scored> found;
    std::map<ObjectNumber, double> lexical;
    for (const auto& [number, doc] : docs_) {
      if (!access::may_see(viewer, doc.label)) continue;
      const double own = score(doc, query, stats);
      lexical[number] = own;
      if (!passes(doc, request.filter) || !matches(doc, query, request)) continue;
      found.push_back(
          {number, own + own * recency(doc, request) + own * speaker(doc, query, request)});
    }
    sort(found);
    if (request.neighbours) add_neighbours(viewer, query, request, lexical, found);
    return found;
  }

  std::vector<ObjectNumber> list(const Viewer& viewer, const Filter& filter) const {
    std::vector<ObjectNumber> numbers;
    for (const auto& [number, doc] : docs_) {
      if (access::may_see(viewer, doc.label) && passes(doc, filter)) numbers.push_back(number);
    }
    return numbers;
  }
  const Doc& doc(ObjectNumber number) const { return docs_.at(number); }
  const std::map<ObjectNumber, Doc>& docs() const { return docs_; }

 private:
  struct Stats {
    double documents = 0;
    double average_length = 1;
    std::map<std::string, double> with;
  };

  static void add_field(Doc& doc, const std::string& text, Field field) {
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

  Stats statistics(const Viewer& viewer, const text::ParsedQuery& query) const {
    Stats stats;
    double length = 0;
    for (const auto& [number, doc] : docs_) {
      if (!access::may_see(viewer, doc.label) || doc.length == 0) continue;
      stats.documents += 1;
      length += doc.length;
      for (const auto& word : query.words)
        stats.with[word.stem] += doc.tf.contains(word.stem) ? 1 : 0;
    }
    if (stats.documents > 0) stats.average_length = length / stats.documents;
    return stats;
  }

  static bool looked_up(const text::ParsedQuery& query, const text::QueryWord& word) {
    return !word.stop_word || !query.has_content();
  }

  static double score(const Doc& doc, const text::ParsedQuery& query, Stats& stats) {
    double sum = 0;
    for (const auto& word : query.words) {
      const auto it = doc.tf.find(word.stem);
      if (it == doc.tf.end() || !looked_up(query, word)) continue;
      const double with = stats.with[word.stem];
      const double idf = std::log(1 + (stats.documents - with + 0.5) / (with + 0.5));
      const double tf = it->second;
      sum += idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * doc.length / stats.average_length));
    }
    return sum;
  }

  static double recency(const Doc& doc, const SearchRequest& request) {
    if (request.recency.weight <= 0) return 0;
    const double age =
        std::max<double>(0, static_cast<double>(to_micros(request.recency.now) - at(doc)));
    return request.recency.weight *
           std::exp2(-age / (static_cast<double>(request.recency.half_life.count()) * 1e6));
  }

  static double speaker(const Doc& doc, const text::ParsedQuery& query,
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

  static bool matches(const Doc& doc, const text::ParsedQuery& query,
                      const SearchRequest& request) {
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

  static int64_t at(const Doc& doc) {
    const auto time = doc.projection.text.at;
    return time == Timestamp{} ? doc.number : to_micros(time);
  }

  static bool passes(const Doc& doc, const Filter& filter) {
    const auto in = [](const auto& list, const auto& value) {
      return std::ranges::find(list, value) != list.end();
    };
    if (!filter.kinds.empty() && !in(filter.kinds, doc.kind)) return false;
    if (in(filter.not_kinds, doc.kind) || in(filter.not_numbers, doc.number)) return false;
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

  void add_neighbours(const Viewer& viewer, const text::ParsedQuery& query,
                      const SearchRequest& request, const std::map<ObjectNumber, double>& lexical,
                      std::vector<Scored>& found) const {
    std::map<std::string, std::vector<std::pair<int64_t, ObjectNumber>>> turns;
    for (const auto& [number, doc] : docs_) {
      const auto& conversation = doc.projection.text.conversation;
      if (!conversation.empty() && access::may_see(viewer, doc.label))
        turns[conversation].emplace_back(at(doc), number);
    }
    std::map<ObjectNumber, double> base;
    std::map<std::string, double> best;
    for (const Scored& one : found) {
      base[one.number] = one.score;
      double& top = best[docs_.at(one.number).projection.text.conversation];
      top = std::max(top, lexical.at(one.number));
    }
    size_t all = 0;
    for (const auto& word : query.words) all += looked_up(query, word) && !word.whole ? 1 : 0;
    const bool strict =
        request.match == MatchMode::kAll || !query.phrases.empty() || !query.excluded.empty() ||
        (request.match == MatchMode::kMinimum && std::min(request.minimum_terms, all) > 1);
    std::map<ObjectNumber, double> total = base;
    for (auto& [conversation, list] : turns) {
      std::ranges::sort(list);
      for (size_t i = 0; i < list.size(); ++i) {
        double near = 0;
        bool beside = false;
        for (int step = -2; step <= 2; ++step) {
          const auto other = static_cast<int64_t>(i) + step;
          if (step == 0 || other < 0 || other >= static_cast<int64_t>(list.size())) continue;
          const ObjectNumber number = list[static_cast<size_t>(other)].second;
          beside = beside || base.contains(number);
          near += lexical.at(number) * (std::abs(step) == 1 ? request.neighbour_weights.adjacent
                                                            : request.neighbour_weights.second);
        }
        const ObjectNumber number = list[i].second;
        const bool candidate = base.contains(number) ||
                               (!strict && beside && passes(docs_.at(number), request.filter));
        if (!candidate) continue;
        if (!base.contains(number)) {
          const double own = lexical.at(number);
          total[number] = own + own * recency(docs_.at(number), request) +
                          own * speaker(docs_.at(number), query, request);
        }
        total[number] += near + request.neighbour_weights.conversation * best[conversation];
      }
    }
    found.clear();
    for (const auto& [number, score] : total) {
      if (score > 0) found.push_back({number, score});
    }
    sort(found);
  }

  static void sort(std::vector<Scored>& found) {
    std::ranges::sort(found, [](const Scored& a, const Scored& b) {
      return a.score != b.score ? a.score > b.score : a.number > b.number;
    });
  }

  std::map<ObjectNumber, Doc> docs_;
};

}  // namespace holdfast::search
