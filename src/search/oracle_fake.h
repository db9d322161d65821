// Search written the plain way, for tests: goes through every document for every question. The
// index must agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "access/visibility.h"
#include "search/oracle_doc_fake.h"

namespace holdfast::search {

class Oracle {
 public:
  using Doc = oracle::Doc;
  struct Scored {
    ObjectNumber number = 0;
    double score = 0;
  };

  void put(const Object& object, const Projection& projection) {
    docs_[object.number] = oracle::make_doc(object, projection);
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
      if (!oracle::passes(doc, request.filter) || !oracle::matches(doc, query, request)) continue;
      found.push_back({number, own + own * oracle::recency(doc, request) +
                                   own * oracle::speaker(doc, query, request)});
    }
    sort(found);
    if (request.neighbours) add_neighbours(viewer, query, request, lexical, found);
    return found;
  }

  std::vector<ObjectNumber> list(const Viewer& viewer, const Filter& filter) const {
    std::vector<ObjectNumber> numbers;
    for (const auto& [number, doc] : docs_) {
      if (access::may_see(viewer, doc.label) && oracle::passes(doc, filter))
        numbers.push_back(number);
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

  static double score(const Doc& doc, const text::ParsedQuery& query, Stats& stats) {
    double sum = 0;
    for (const auto& word : query.words) {
      const auto it = doc.tf.find(word.stem);
      if (it == doc.tf.end() || !oracle::looked_up(query, word)) continue;
      const double with = stats.with[word.stem];
      const double idf = std::log(1 + (stats.documents - with + 0.5) / (with + 0.5));
      const double tf = it->second;
      sum += idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * doc.length / stats.average_length));
    }
    return sum;
  }

  void add_neighbours(const Viewer& viewer, const text::ParsedQuery& query,
                      const SearchRequest& request, const std::map<ObjectNumber, double>& lexical,
                      std::vector<Scored>& found) const {
    std::map<std::string, std::vector<std::pair<int64_t, ObjectNumber>>> turns;
    for (const auto& [number, doc] : docs_) {
      const auto& conversation = doc.projection.text.conversation;
      if (!conversation.empty() && access::may_see(viewer, doc.label))
        turns[conversation].emplace_back(oracle::at(doc), number);
    }
    std::map<ObjectNumber, double> base;
    std::map<std::string, double> best;
    for (const Scored& one : found) {
      base[one.number] = one.score;
      double& top = best[docs_.at(one.number).projection.text.conversation];
      top = std::max(top, lexical.at(one.number));
    }
    size_t all = 0;
    for (const auto& word : query.words)
      all += oracle::looked_up(query, word) && !word.whole ? 1 : 0;
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
        const bool candidate =
            base.contains(number) ||
            (!strict && beside && oracle::passes(docs_.at(number), request.filter));
        if (!candidate) continue;
        if (!base.contains(number)) {
          const double own = lexical.at(number);
          total[number] = own + own * oracle::recency(docs_.at(number), request) +
                          own * oracle::speaker(docs_.at(number), query, request);
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
