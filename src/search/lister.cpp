// list_view: filtering and sorting without a query.
#include <algorithm>
#include <utility>

#include "base/ulid.h"
#include "search/searcher.h"

namespace holdfast::search {
namespace {

struct Entry {
  ListPosition position = {};
  uint32_t part = 0;
  uint32_t doc = 0;
};

class List {
 public:
  List(const access::SpaceAccess& access, const ListRequest& request, const View& view,
       const Counters::Reader& counters)
      : request_(request), view_(view), visible_(access, *view.tables) {
    for (const SortKey& key : request.sort) {
      const bool counted = key.by == SortKey::By::kCounter;
      columns_.push_back(counted ? counters.column(key.facet) : nullptr);
    }
  }

  ListResponse run() {
    // Most lists begin with the newest, which is in the last parts: of the others little is left to
    // look at once the page is full.
    for (auto i = static_cast<uint32_t>(view_.parts.size()); i-- > 0;) {
      const PartFilter filter(request_.filter, visible_, *view_.tables, *view_.parts[i]);
      if (!filter.empty()) list_part(i, filter);
    }
    const auto before = [this](const Entry& a, const Entry& b) {
      return precedes(a.position, b.position);
    };
    std::ranges::sort(best_, before);
    response_.has_more = best_.size() > request_.offset + request_.limit;
    const size_t end = std::min(best_.size(), request_.offset + request_.limit);
    for (size_t i = std::min(request_.offset, end); i < end; ++i) {
      const Part& part = *view_.parts[best_[i].part];
      response_.hits.push_back({.number = best_[i].position.number,
                                .kind = part.kind_names()[part.columns().kind[best_[i].doc]],
                                .position = std::move(best_[i].position)});
    }
    return std::move(response_);
  }

 private:
  void list_part(uint32_t index, const PartFilter& filter) {
    const Part& part = *view_.parts[index];
    prepare_keys(part);
    if (const auto few = filter.few_passing()) {
      response_.total += few->size();
      if (request_.limit == 0) return;
      // From the end, as below: whoever comes late is told by a look at its first key.
      for (auto doc = few->rbegin(); doc != few->rend(); ++doc) offer(index, part, *doc);
      return;
    }
    const DocBits passing = filter.all_passing();
    response_.total += passing.count();
    if (request_.limit == 0) return;
    // Where documents lie in the order asked for, the first one that comes too late ends the walk.
    const bool in_order = part.in_number_order() && !request_.sort.empty() &&
                          request_.sort.front().by == SortKey::By::kNumber &&
                          request_.sort.front().descending;
    // Where the newest come first, 64 documents that are all older than the page are passed over.
    const bool newest_first = !request_.sort.empty() &&
                              request_.sort.front().by == SortKey::By::kTime &&
                              request_.sort.front().descending;
    const std::span<const int64_t> newest =
        newest_first ? part.newest_of_words() : std::span<const int64_t>();
    passing.for_each_from_the_end(
        [&](uint32_t doc) { return offer(index, part, doc) || !in_order; },
        [&](size_t word) {
          return word < newest.size() && is_full() &&
                 newest[word] < best_.front().position.keys.front().number;
        });
  }

  // One more than asked for tells whether there is more.
  bool is_full() const { return best_.size() == request_.offset + request_.limit + 1; }

  // Keeps the document if it is among the first of the page; false if it comes too late.
  bool offer(uint32_t index, const Part& part, uint32_t doc) {
    const bool full = is_full();
    if (full && first_key_beyond(part, doc, best_.front().position, true)) return false;
    if (request_.after && first_key_beyond(part, doc, *request_.after, false)) return true;
    if (!read_keys(part, doc, full ? &best_.front().position : nullptr)) return false;
    if (request_.after && !precedes(*request_.after, current_)) return true;
    const auto before = [this](const Entry& a, const Entry& b) {
      return precedes(a.position, b.position);
    };
    if (full) {
      if (!precedes(current_, best_.front().position)) return false;
      std::ranges::pop_heap(best_, before);
      best_.pop_back();
    }
    best_.push_back({current_, index, doc});
    std::ranges::push_heap(best_, before);
    return true;
  }

  // A quick look at most documents of a long list: true only if the whole position is later (or
  // earlier) than that one.
  bool first_key_beyond(const Part& part, uint32_t doc, const ListPosition& than,
                        bool later) const {
    if (request_.sort.empty() || than.keys.empty()) return false;
    const SortKey& sort = request_.sort.front();
    const bool by_time = sort.by == SortKey::By::kTime;
    if (!by_time && sort.by != SortKey::By::kNumber) return false;
    const int64_t key = by_time ? part.columns().at[doc] : part.columns().number[doc];
    return sort.descending == later ? key < than.keys.front().number
                                    : key > than.keys.front().number;
  }

  // What the sort keys are called in a part.
  void prepare_keys(const Part& part) {
    prefixes_.clear();
    ranges_.clear();
    names_.clear();
    for (const SortKey& key : request_.sort) {
      prefixes_.push_back(key.facet + '\0');
      ranges_.push_back(part.facets_of(key.facet));
      names_.push_back(key.by == SortKey::By::kNumberFacet ? part.find_name(key.facet)
                                                           : std::nullopt);
    }
  }

  // False as soon as one says that the document comes behind the last of the page.
  bool read_keys(const Part& part, uint32_t doc, const ListPosition* last) {
    current_.keys.assign(request_.sort.size(), {});
    current_.number = part.columns().number[doc];
    for (size_t i = 0; i < request_.sort.size(); ++i) {
      const ListPosition::Key& key = current_.keys[i];
      read_key(part, doc, i);
      if (last == nullptr || key == last->keys[i]) continue;
      if ((key < last->keys[i]) == request_.sort[i].descending) return false;
      last = nullptr;  // it comes before, whatever the others say
    }
    return true;
  }

  void read_key(const Part& part, uint32_t doc, size_t i) {
    ListPosition::Key& key = current_.keys[i];
    switch (request_.sort[i].by) {
      case SortKey::By::kNumber: key.number = current_.number; break;
      case SortKey::By::kTime: key.number = part.columns().at[doc]; break;
      case SortKey::By::kNumberFacet: key.number = least_number(part, doc, names_[i]); break;
      case SortKey::By::kCounter: key.number = counted(columns_[i], current_.number); break;
      case SortKey::By::kTextFacet: key.text = text_key(part, doc, i); break;
    }
  }

  std::string text_key(const Part& part, uint32_t doc, size_t key) const {
    if (auto text = least_text(part, doc, key)) return *std::move(text);
    const auto& before = request_.sort[key].or_ulid_behind;
    return before ? *before + ulid_time(from_micros(part.columns().at[doc])) : std::string();
  }

  static int64_t counted(const Counters::Column* column, ObjectNumber number) {
    if (column == nullptr) return 0;
    const auto it = column->find(number);
    return it == column->end() ? 0 : it->second;
  }

  static int64_t least_number(const Part& part, uint32_t doc, std::optional<uint32_t> wanted) {
    std::optional<int64_t> least;
    if (!wanted) return 0;
    part.blob(doc).for_each_number([&](uint32_t name, int64_t value) {
      if (name == *wanted) least = least ? std::min(*least, value) : value;
    });
    return least.value_or(0);
  }

  std::optional<std::string> least_text(const Part& part, uint32_t doc, size_t key) const {
    const std::string& prefix = prefixes_[key];
    const auto [first, end] = ranges_[key];
    std::optional<std::string> least;
    if (first == end) return least;
    part.blob(doc).for_each_facet([&, first = first, end = end](uint32_t facet) {
      if (facet < first || facet >= end) return;
      std::string_view text = part.facet_text(facet);
      if (!text.starts_with(prefix)) return;
      text.remove_prefix(prefix.size());
      if (!least || text < *least) least = std::string(text);
    });
    return least;
  }

  bool precedes(const ListPosition& a, const ListPosition& b) const {
    for (size_t i = 0; i < request_.sort.size() && i < a.keys.size() && i < b.keys.size(); ++i) {
      if (a.keys[i] == b.keys[i]) continue;
      return (a.keys[i] < b.keys[i]) != request_.sort[i].descending;
    }
    const bool descending = !request_.sort.empty() && request_.sort.front().descending;
    return descending ? a.number > b.number : a.number < b.number;
  }

  const ListRequest& request_;
  const View& view_;
  VisibleLabels visible_;
  std::vector<std::string> prefixes_;
  std::vector<std::pair<uint32_t, uint32_t>> ranges_;  // of text facets, as Part::facets_of
  std::vector<std::optional<uint32_t>> names_;
  std::vector<const Counters::Column*> columns_;  // of the sort keys that are counters
  ListPosition current_;
  std::vector<Entry> best_;  // a heap, the last in front
  ListResponse response_;
};

}  // namespace

ListResponse list_view(const access::SpaceAccess& access, const ListRequest& request,
                       const View& view, const Counters::Reader& counters) {
  return List(access, request, view, counters).run();
}

}  // namespace holdfast::search
