#include "search/plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "text/query.h"
#include "text/stemmer.h"

namespace holdfast::search {
namespace {

class Planner {
 public:
  Planner(const SearchRequest& request, const View& view, const VisibleLabels& visible)
      : request_(request), view_(view), visible_(visible) {}

  Plan run() {
    set_statistics();
    add_query();
    for (const PreparedTerm& term : request_.terms) add_prepared(term);
    const auto counting = std::ranges::count_if(plan_.groups, &Plan::Group::counts);
    if (request_.match == MatchMode::kAll) plan_.minimum_groups = static_cast<size_t>(counting);
    if (request_.match == MatchMode::kMinimum) {
      plan_.minimum_groups = std::min(request_.minimum_terms, static_cast<size_t>(counting));
    }
    plan_.minimum_groups = std::max<size_t>(plan_.minimum_groups, 1);
    check_possible(static_cast<size_t>(counting));
    return std::move(plan_);
  }

 private:
  void set_statistics() {
    plan_.documents = visible_.searchable();
    plan_.average_length = plan_.documents > 0 ? static_cast<double>(visible_.length()) /
                                                     static_cast<double>(plan_.documents)
                                               : 1;
    plan_.norm_constant = kK1 * (1 - kB);
    plan_.norm_slope = kK1 * kB / std::max(plan_.average_length, 1e-9);
  }

  void add_query() {
    const text::ParsedQuery parsed =
        request_.plain ? text::plain_query(request_.query) : text::parse_query(request_.query);
    const bool skip_stop_words = parsed.has_content() || !request_.terms.empty();
    for (const text::QueryWord& word : parsed.words) {
      plan_.names.push_back(word.form);
      if (word.stop_word && skip_stop_words) continue;
      const uint32_t group = add_group(word.form, in_a_phrase(parsed, word), !word.whole);
      add_alternative(word.form, word.stem, group, 1.0);
    }
    for (const auto& phrase : parsed.phrases) plan_.phrases.push_back(stems_of(phrase));
    for (const auto& phrase : parsed.excluded) plan_.excluded.push_back(stems_of(phrase));
  }

  static bool in_a_phrase(const text::ParsedQuery& parsed, const text::QueryWord& word) {
    return std::ranges::any_of(parsed.phrases, [&](const auto& phrase) {
      return std::ranges::any_of(phrase,
                                 [&](const text::QueryWord& one) { return one.stem == word.stem; });
    });
  }

  static Plan::Phrase stems_of(const std::vector<text::QueryWord>& words) {
    Plan::Phrase stems;
    for (const text::QueryWord& word : words) stems.push_back(word.stem);
    return stems;
  }

  void add_prepared(const PreparedTerm& term) {
    if (term.alternatives.empty() || plan_.groups.size() >= text::kMaxQueryTerms) return;
    const uint32_t group = add_group(term.alternatives.front().text, term.required, true);
    for (const auto& alternative : term.alternatives) {
      const text::ParsedQuery parsed = text::plain_query(alternative.text);
      for (const text::QueryWord& word : parsed.words) {
        plan_.names.push_back(word.form);
        add_alternative(word.form, word.stem, group, alternative.weight);
        if (alternative.prefix) {
          add_expansions(stems_with_prefix(word.form), group, alternative.weight);
        }
        if (alternative.infix && may_look_inside()) {
          add_expansions(stems_with_infix(word.form), group, alternative.weight);
        }
      }
    }
  }

  uint32_t add_group(const std::string& name, bool required, bool counts) {
    plan_.groups.push_back({.name = name,
                            .required = required || (counts && request_.match == MatchMode::kAll),
                            .counts = counts});
    return static_cast<uint32_t>(plan_.groups.size() - 1);
  }

  void add_alternative(const std::string& text, const std::string& stem, uint32_t group,
                       double weight) {
    const auto known = [&](const Plan::Alternative& have) {
      return have.group == group && have.stem == stem;
    };
    if (std::ranges::any_of(plan_.alternatives, known)) return;
    std::vector<uint32_t> stems = stems_of(stem);
    const int64_t documents = documents_with(stems);
    if (documents == 0) return;
    const auto all = static_cast<double>(plan_.documents);
    const auto with = static_cast<double>(documents);
    const double idf = std::log(1 + (all - with + 0.5) / (with + 0.5));
    plan_.alternatives.push_back({.text = text,
                                  .stem = stem,
                                  .group = group,
                                  .weight = weight,
                                  .documents = documents,
                                  .idf = idf,
                                  .factor = weight * idf * (kK1 + 1),
                                  .stems = std::move(stems)});
  }

  std::vector<uint32_t> stems_of(const std::string& stem) const {
    std::vector<uint32_t> stems;
    stems.reserve(view_.parts.size());
    for (const Part* part : view_.parts) stems.push_back(part->find_stem(stem).value_or(kNoStem));
    return stems;
  }

  // Counted over what the viewer may see, so that nothing hidden shows in a score.
  int64_t documents_with(const std::vector<uint32_t>& stems) {
    int64_t documents = 0;
    for (size_t i = 0; i < stems.size(); ++i) {
      if (stems[i] == kNoStem) continue;
      const Part& part = *view_.parts[i];
      documents +=
          visible_.everything() ? part.live_postings(stems[i]) : visible_postings(part, stems[i]);
    }
    return documents;
  }

  int64_t visible_postings(const Part& part, uint32_t stem) {
    std::vector<uint8_t> label_ok;
    bool all = true;
    for (const uint32_t label : part.labels()) {
      label_ok.push_back(visible_.sees(label) ? 1 : 0);
      all = all && label_ok.back() != 0;
    }
    if (all) return part.live_postings(stem);
    const uint32_t* const labels = part.columns().label;
    int64_t count = 0;
    for (PostingCursor cursor(part.stem_postings(stem)); cursor.doc() != kNoDoc; cursor.next()) {
      count += label_ok[labels[cursor.doc()]] != 0 && part.alive(cursor.doc()) ? 1 : 0;
    }
    return count;
  }

  std::set<std::string> stems_with_prefix(const std::string& prefix) {
    std::set<std::string> stems;
    for (const Part* part : view_.parts) {
      for (const uint32_t stem : part->stems_with_prefix(prefix)) {
        stems.emplace(part->stem_text(stem));
      }
    }
    return stems;
  }

  // Of the words as they are written: a stem may have lost the end that was asked for.
  std::set<std::string> stems_with_infix(const std::string& infix) {
    std::set<std::string> stems;
    for (const Part* part : view_.parts) {
      for (const uint32_t form : part->forms_with_infix(infix)) {
        stems.emplace(part->stem_text(part->columns().form_stem[form]));
      }
    }
    return stems;
  }

  bool may_look_inside() const {
    size_t words = 0;
    for (const Part* part : view_.parts) words += part->form_count();
    return words <= request_.max_infix_words;
  }

  void add_expansions(const std::set<std::string>& stems, uint32_t group, double weight) {
    std::vector<std::pair<int64_t, std::string>> by_count;
    for (const std::string& stem : stems) {
      const int64_t documents = documents_with(stems_of(stem));
      if (documents > 0) by_count.emplace_back(-documents, stem);
    }
    std::ranges::sort(by_count);
    if (by_count.size() > request_.max_expansions) by_count.resize(request_.max_expansions);
    for (const auto& [count, stem] : by_count) add_alternative(stem, stem, group, weight);
  }

  void check_possible(size_t counting) {
    std::vector<bool> found(plan_.groups.size());
    for (const Plan::Alternative& alternative : plan_.alternatives) found[alternative.group] = true;
    size_t possible = 0;
    for (size_t i = 0; i < plan_.groups.size(); ++i) {
      if (plan_.groups[i].required && !found[i]) plan_.impossible = true;
      possible += plan_.groups[i].counts && found[i] ? 1 : 0;
    }
    if (possible < plan_.minimum_groups && counting > 0) plan_.impossible = true;
    if (plan_.alternatives.empty()) plan_.impossible = true;
  }

  const SearchRequest& request_;
  const View& view_;
  const VisibleLabels& visible_;
  Plan plan_;
};

}  // namespace

bool Plan::is_strict() const {
  return minimum_groups > 1 || !phrases.empty() || !excluded.empty() ||
         std::ranges::any_of(groups, &Group::required);
}

Plan make_plan(const SearchRequest& request, const View& view, const VisibleLabels& visible) {
  return Planner(request, view, visible).run();
}

}  // namespace holdfast::search
