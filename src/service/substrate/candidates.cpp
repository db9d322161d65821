#include "service/substrate/candidates.h"

#include <algorithm>
#include <array>
#include <functional>

#include "service/substrate/words.h"
#include "text/characters.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

// Candidates that the index ranks before the score table judges the best of them.
constexpr size_t kRankedFirst = 48;
// Among this many documents, every one that matches is judged: what the index makes of a match is
// not what the table makes of it.
constexpr int64_t kJudgedWhole = 400;
// Read beyond what was asked for, to order it exactly: many large sources are not worth a wait.
constexpr size_t kMaxJudgedBytes = size_t{4} << 20;
constexpr size_t kReadAtOnce = 16;
// What the score table makes of a term in each field, as far as the index has the same fields.
constexpr std::array<int64_t, search::kFieldCount> kFieldWorth = {20, 8, 5, 10, 5};
constexpr int64_t kTitleScore = 120;  // of a title that is the term: equal, and has it inside
// Equals of the last one of an ordered list that come with it. What was written together has one
// time, and most generated titles begin alike.
constexpr size_t kMaxEquals = 100;
// Up to this many distinct words, parts of words are always looked up; beyond, only when whole
// words find too little, and beyond the second bound only when they find nothing.
constexpr size_t kAlwaysInfixWords = 5'000;
constexpr size_t kMaxInfixWords = 100'000;
// Words that have a part: ticket numbers are many.
constexpr size_t kMaxWordsOfAPart = 1'000;

void add_facet(search::Filter& filter, std::string_view name,
               const std::vector<std::string>& values) {
  if (!values.empty()) filter.facets.push_back({.name = std::string(name), .any_of = values});
}

// The index knows words; a term without any letter or digit is in none.
bool has_word(std::string_view term) {
  for (size_t at = 0; at < term.size();) {
    const text::FoldedChars chars = text::fold_char_at(term, at);
    for (int i = 0; i < chars.count; ++i) {
      const text::CharClass kind = text::class_of(chars.points.at(static_cast<size_t>(i)));
      if (kind == text::CharClass::kLetter || kind == text::CharClass::kIdeograph) return true;
    }
    at += static_cast<size_t>(chars.source_bytes);
  }
  return false;
}

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Whether what has the whole phrase has another of the terms too: a part of it, mostly its words. A
// phrase of one word, or of a word that only names others, has no such part.
bool phrase_is_covered(const std::vector<std::string>& terms) {
  return std::any_of(terms.begin() + 1, terms.end(), [&](const std::string& term) {
    return terms.front().find(term) != std::string::npos;
  });
}

// The whole phrase is looked up where no other term finds it.
search::SearchRequest request_of(const TermSearch& wanted) {
  search::SearchRequest request{
      .max_expansions = kMaxWordsOfAPart,
      .filter = wanted.filter,
      .limit = std::clamp(wanted.wanted + kMargin, kRankedFirst, search::kMaxLimit),
      .field_order = search::FieldOrder{.worth = kFieldWorth, .wanted = wanted.wanted}};
  const size_t first = phrase_is_covered(wanted.terms) ? 1 : 0;
  for (size_t i = first; i < wanted.terms.size(); ++i) {
    request.terms.push_back({.alternatives = {{.text = wanted.terms[i], .infix = true}}});
  }
  return request;
}

// Numbers of several lists, each of which has a number once.
class Collected {
 public:
  // `likely(element)` is the score of each at most.
  template <typename List, typename Number, typename Likely>
  void add_all(const List& list, Number number, Likely likely) {
    std::vector<ObjectNumber> known = found_.numbers;
    std::ranges::sort(known);
    for (const auto& one : list) {
      const ObjectNumber n = std::invoke(number, one);
      if (std::ranges::binary_search(known, n)) continue;
      found_.numbers.push_back(n);
      found_.likely.push_back(std::invoke(likely, one));
    }
  }
  Candidates take(bool complete) && {
    found_.complete = complete;
    return std::move(found_);
  }

 private:
  Candidates found_;
};

// Objects that are called exactly what was asked for: the score table puts them first, and among
// many that match the index may not.
Result<std::vector<ObjectNumber>> find_by_title(const search::Index& index,
                                                const SpaceAccess& access,
                                                const TermSearch& wanted) {
  search::FacetFilter titles{.name = std::string(facet::kTitle)};
  for (const std::string& term : wanted.terms) {
    if (term.size() <= kMaxTitleFacet) titles.any_of.push_back(term);
  }
  search::ListRequest request{.filter = wanted.filter,
                              .limit = std::min(wanted.wanted + kMargin, search::kMaxLimit)};
  request.filter.facets.push_back(std::move(titles));
  HOLDFAST_TRY(const auto found, index.list(access, request));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  return numbers;
}

bool has_facets(const Filters& filters) {
  return !filters.kinds.empty() || !filters.statuses.empty() || !filters.node_ids.empty() ||
         !filters.source_ids.empty();
}

// Straight from the store: one short range of each type. The caller sorts what it gets.
Result<std::vector<Stored>> scan_ordered(storage::ReadTxn& txn, const SpaceAccess& access,
                                         const Filters& filters, const OrderedList& order) {
  std::vector<Stored> found;
  for (const ObjectType type : kObjectTypes) {
    if (!filters.object_types.empty() && !contains(filters.object_types, type_name(type))) continue;
    storage::Scan scan{.kind = std::string(type_name(type)),
                       .range = storage::Scan::Range{.name = std::string(order.facet)},
                       .descending = order.descending,
                       .limit = std::min<size_t>(order.wanted, 1000)};
    size_t kept = 0;
    size_t bytes = 0;
    while (kept < order.wanted || (kept < order.wanted + kMaxEquals && bytes < kMaxJudgedBytes)) {
      HOLDFAST_TRY(storage::Page page, txn.scan(access, scan));
      for (Object& object : page.objects) {
        bytes += object.body.size();
        HOLDFAST_TRY(Stored stored, stored_of(type, std::move(object)));
        if (hides_temporary(filters) && stored.view().is_temporary()) continue;
        found.push_back(std::move(stored));
        ++kept;
      }
      if (!page.next) break;
      scan.after = page.next;
      if (kept >= order.wanted) {
        scan.range->from = scan.range->to = page.next->sort_value;
        scan.limit = kReadAtOnce;
      }
    }
  }
  return found;
}

// The first numbers of a list by one facet, and the equals of the last one.
Result<std::vector<ObjectNumber>> list_numbers(const search::Index& index,
                                               const SpaceAccess& access, const Filters& filters,
                                               const OrderedList& order) {
  search::ListRequest request{.filter = index_filter(filters, true),
                              .sort = {{.by = search::SortKey::By::kNumberFacet,
                                        .facet = std::string(order.facet),
                                        .descending = order.descending}},
                              .limit = std::clamp<size_t>(order.wanted, 100, search::kMaxLimit)};
  std::vector<ObjectNumber> numbers;
  int64_t last = 0;
  for (;;) {
    HOLDFAST_TRY(const auto listed, index.list(access, request));
    for (const auto& hit : listed.hits) {
      const int64_t value = hit.position.keys.front().number;
      const size_t enough = value == last ? order.wanted + kMaxEquals : order.wanted;
      if (numbers.size() >= enough) return numbers;
      numbers.push_back(hit.number);
      last = value;
    }
    if (!listed.has_more || listed.hits.empty()) return numbers;
    request.after = listed.hits.back().position;
  }
}

}  // namespace

bool hides_temporary(const Filters& filters) {
  return !filters.include_temporary && !std::ranges::any_of(filters.statuses, is_temporary_word);
}

search::Filter index_filter(const Filters& filters, bool own_types) {
  search::Filter filter{.kinds = filters.object_types};
  if (filter.kinds.empty() && own_types) {
    for (const ObjectType type : kObjectTypes) filter.kinds.emplace_back(type_name(type));
  }
  add_facet(filter, facet::kKind, filters.kinds);
  add_facet(filter, facet::kStatus, filters.statuses);
  add_facet(filter, facet::kReference, filters.node_ids);
  add_facet(filter, facet::kReference, filters.source_ids);
  if (hides_temporary(filters)) {
    filter.facets.push_back(
        {.name = std::string(facet::kTemporary), .any_of = {"yes"}, .negated = true});
  }
  return filter;
}

Result<Candidates> find_by_terms(const search::Index& index, const SpaceAccess& access,
                                 const TermSearch& wanted) {
  if (wanted.terms.empty()) return Candidates{.complete = true};
  search::SearchRequest request = request_of(wanted);
  request.max_infix_words = kAlwaysInfixWords;
  HOLDFAST_TRY(search::SearchResponse found, index.search(access, request));
  if (found.hits.size() < wanted.wanted) {
    request.max_infix_words = found.hits.empty() ? SIZE_MAX : kMaxInfixWords;
    HOLDFAST_TRY(found, index.search(access, request));
  }
  Collected collected;
  const bool few = found.documents <= kJudgedWhole;
  if (few && !std::ranges::all_of(wanted.terms, has_word)) {
    HOLDFAST_TRY(const auto all,
                 index.list(access, {.filter = wanted.filter, .limit = search::kMaxLimit}));
    collected.add_all(all.hits, &search::ListEntryHit::number, [](const auto&) { return 0; });
    return std::move(collected).take(!all.has_more);
  }
  const bool all_found = found.hits.size() < request.limit;
  const bool whole = !all_found && few;
  if (!all_found && !whole) {
    HOLDFAST_TRY(const auto called_so, find_by_title(index, access, wanted));
    collected.add_all(called_so, std::identity(), [](ObjectNumber) { return kTitleScore; });
  }
  collected.add_all(found.hits, &search::Hit::number, &search::Hit::worth);
  if (whole) {
    request.limit = search::kMaxLimit;
    request.field_order.reset();
    HOLDFAST_TRY(found, index.search(access, request));
    collected.add_all(found.hits, &search::Hit::number, [](const auto&) { return 0; });
  }
  return std::move(collected).take(all_found || whole);
}

bool CandidateReader::at_end() const {
  return passed_ == numbers_.size() || (bytes_ >= kMaxJudgedBytes && passed_ >= wanted_ + kMargin);
}

std::vector<ObjectNumber> CandidateReader::next_numbers(size_t count) {
  const auto piece = numbers_.subspan(passed_, std::min(count, numbers_.size() - passed_));
  passed_ += piece.size();
  return {piece.begin(), piece.end()};
}

Result<std::vector<storage::ObjectBody>> CandidateReader::next_bodies(size_t count) {
  HOLDFAST_TRY(auto bodies, txn_.get_bodies(access_, next_numbers(count)));
  for (const auto& one : bodies) bytes_ += one.body.size();
  return bodies;
}

Result<std::vector<storage::ObjectBody>> CandidateReader::rest_of_bodies() {
  std::vector<storage::ObjectBody> bodies;
  while (!at_end()) {
    HOLDFAST_TRY(auto read, next_bodies(kReadAtOnce));
    std::ranges::move(read, std::back_inserter(bodies));
  }
  return bodies;
}

Result<std::vector<Object>> CandidateReader::rest() {
  std::vector<Object> objects;
  while (!at_end()) {
    HOLDFAST_TRY(auto read, txn_.get_many(access_, next_numbers(kReadAtOnce)));
    for (const Object& object : read) bytes_ += object.body.size();
    std::ranges::move(read, std::back_inserter(objects));
  }
  return objects;
}

Result<std::vector<ObjectNumber>> first_by_term(const search::Index& index,
                                                const SpaceAccess& access,
                                                const TermSearch& wanted) {
  std::vector<ObjectNumber> numbers;
  for (const std::string& term : wanted.terms) {
    if (!std::ranges::all_of(term, is_plain)) continue;
    search::ListRequest request{.filter = wanted.filter,
                                .sort = {{.by = search::SortKey::By::kNumberFacet,
                                          .facet = std::string(facet::kContextOrder),
                                          .descending = false},
                                         {.by = search::SortKey::By::kTextFacet,
                                          .facet = std::string(facet::kTitle),
                                          .descending = false}},
                                .limit = std::min(wanted.wanted, search::kMaxLimit)};
    request.filter.inside_words = {term};
    HOLDFAST_TRY(const auto found, index.list(access, request));
    for (const auto& hit : found.hits) numbers.push_back(hit.number);
  }
  return numbers;
}

Result<std::vector<Stored>> own_documents(std::vector<Object> objects) {
  std::vector<Stored> out;
  for (Object& object : objects) {
    const auto type = type_from_name(object.key.kind);
    if (!type) continue;
    HOLDFAST_TRY(Stored stored, stored_of(*type, std::move(object)));
    out.push_back(std::move(stored));
  }
  return out;
}

Result<std::vector<Stored>> list_ordered(storage::ReadTxn& txn, const SpaceAccess& access,
                                         const search::Index& index, const Filters& filters,
                                         const OrderedList& order) {
  if (!has_facets(filters)) return scan_ordered(txn, access, filters, order);
  HOLDFAST_TRY(const auto numbers, list_numbers(index, access, filters, order));
  HOLDFAST_TRY(auto objects, CandidateReader(txn, access, numbers, order.wanted).rest());
  return own_documents(std::move(objects));
}

}  // namespace holdfast::service::substrate
