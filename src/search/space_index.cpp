#include "search/space_index.h"

#include <algorithm>
#include <unordered_set>

#include <unistd.h>

#include "base/assert.h"
#include "base/sorted.h"

namespace holdfast::search {

SpaceIndex::SpaceIndex(std::string folder, const IndexOptions& options)
    : folder_(std::move(folder)), options_(options), active_(std::make_shared<Memtable>()) {}

SpaceIndex::~SpaceIndex() = default;

View SpaceIndex::view() const {
  View view{.parts = {}, .tables = &tables_};
  for (const Entry& entry : entries_) view.parts.push_back(entry.part.get());
  if (active_->columns().count > 0) view.parts.push_back(active_.get());
  return view;
}

void SpaceIndex::apply(const std::vector<IndexChange>& changes) {
  const int64_t now = steady_micros();
  const WriterLock lock(mutex_);
  pace_.add(changes.size(), now);
  if (active_->has_hidden()) active_->show(tables_);
  for (size_t i = 0; i < changes.size(); ++i) {
    const IndexChange& change = changes[i];
    fetch_next(changes, i);
    switch (change.what) {
      case IndexChange::What::kPut:
        if (change.document) put(*change.document);  // it was expected otherwise
        break;
      case IndexChange::What::kGone: remove(change.number); break;
      case IndexChange::What::kErased: erase(change.number); break;
    }
    if (change.unjournalled) withhold_manifest();
    if (change.position > position_) {
      position_ = change.position;
      position_time_ = change.at;
    }
    if (active_->columns().count >= options_.flush_documents ||
        active_->memory_bytes() >= options_.flush_bytes) {
      freeze();
    }
  }
  const JournalPosition told = position_;
  std::erase_if(expected_, [told](const Expected& one) { return one.position <= told; });
}

void SpaceIndex::expect(const std::vector<IndexChange>& changes) {
  const WriterLock lock(mutex_);
  for (size_t i = 0; i < changes.size(); ++i) {
    const IndexChange& change = changes[i];
    const bool new_object = change.document && change.number > highest_number_;
    if (!new_object || change.unjournalled || !change.document->conversation.empty()) return;
    fetch_next(changes, i);
    highest_number_ = change.number;
    active_->add_hidden(*change.document, tables_);
    expected_.push_back({.position = change.position, .number = change.number});
  }
}

std::vector<JournalPosition> SpaceIndex::expected() const {
  const ReaderLock lock(mutex_);
  std::vector<JournalPosition> positions;
  positions.reserve(expected_.size());
  for (const Expected& one : expected_) positions.push_back(one.position);
  return positions;
}

// They stay in the memtable, dead, until it is written.
void SpaceIndex::forget_expected() {
  const WriterLock lock(mutex_);
  active_->show(tables_);
  for (const Expected& one : expected_) kill_in(*active_, one.number);
  expected_.clear();
}

void SpaceIndex::fetch_next(const std::vector<IndexChange>& changes, size_t at) const {
  if (at + 1 < changes.size() && changes[at + 1].document)
    active_->fetch_ahead(*changes[at + 1].document);
}

// A crash before the memtable is written then leads to a rebuild instead of an index without the
// change.
void SpaceIndex::withhold_manifest() {
  if (folder_.empty()) return;
  if (!is_withheld()) ::unlink(manifest_path().c_str());
  withheld_until_ = frozen_ + 1;
  manifest_stale_ = true;
}

void SpaceIndex::set_position(JournalPosition position, Timestamp at) {
  const WriterLock lock(mutex_);
  if (position <= position_) return;
  position_ = position;
  position_time_ = at;
}

void SpaceIndex::put(const Document& document) {
  // Mostly it is new, and need not be looked for in all parts.
  if (document.number <= highest_number_) remove(document.number);
  highest_number_ = std::max(highest_number_, document.number);
  active_->add(document, tables_);
}

bool SpaceIndex::kill_in(Part& part, ObjectNumber number) {
  const auto doc = part.find_number(number);
  if (!doc || !part.alive(*doc)) return false;
  const Columns& columns = part.columns();
  tables_.count(part.labels()[columns.label[*doc]], part.kinds()[columns.kind[*doc]],
                columns.length[*doc], -1);
  part.kill(*doc);
  return true;
}

void SpaceIndex::remove(ObjectNumber number) {
  if (kill_in(*active_, number)) return;
  // At most one part has a living document of an object.
  for (size_t i = entries_.size(); i-- > 0;) {
    if (kill_in(*entries_[i].part, number)) return;
  }
}

// Whatever was written about the object leaves the folder now: dead documents lie in segments until
// a merge. The mapped bytes stay readable for searches under way; maintain() writes the segment
// again without the object.
void SpaceIndex::erase(ObjectNumber number) {
  remove(number);
  for (Entry& entry : entries_) {
    if (entry.file_id == 0 || !entry.part->holds(number)) continue;
    ::unlink(path_of(entry.file_id).c_str());
    entry.file_id = 0;
    entry.rewrite = true;
  }
  const MutexLock lock(build_mutex_);
  for (const auto& build : builds_) {
    const bool concerned = std::ranges::any_of(
        build->inputs, [&](const BuildInput& input) { return input.part->holds(number); });
    if (concerned) build->cancel();
  }
}

void SpaceIndex::freeze() {
  if (active_->columns().count == 0 || active_->has_hidden()) return;
  entries_.push_back({.part = std::move(active_),
                      .memtable = true,
                      .position = position_,
                      .position_time = position_time_});
  active_ = std::make_shared<Memtable>();
  ++frozen_;
}

std::vector<std::pair<uint64_t, ObjectNumber>> SpaceIndex::numbers_of(
    const std::vector<uint64_t>& keys) const {
  const std::unordered_set<uint64_t> wanted(keys.begin(), keys.end());
  std::vector<std::pair<uint64_t, ObjectNumber>> numbers;
  const ReaderLock lock(mutex_);
  for (const Part* part : view().parts) {
    const Columns& columns = part->columns();
    for (uint32_t doc = 0; doc < columns.count; ++doc) {
      if (wanted.contains(columns.key[doc]))
        numbers.emplace_back(columns.key[doc], columns.number[doc]);
    }
  }
  sort_once(numbers);
  return numbers;
}

std::optional<uint64_t> SpaceIndex::hash_of(ObjectNumber number) const {
  const ReaderLock lock(mutex_);
  for (const Part* part : view().parts) {
    const auto doc = part->find_number(number);
    if (doc && part->alive(*doc)) return part->columns().hash[*doc];
  }
  return std::nullopt;
}

std::vector<std::pair<ObjectNumber, uint64_t>> SpaceIndex::hashes() const {
  std::vector<std::pair<ObjectNumber, uint64_t>> hashes;
  const ReaderLock lock(mutex_);
  for (const Part* part : view().parts) {
    const Columns& columns = part->columns();
    for (uint32_t doc = 0; doc < columns.count; ++doc) {
      if (part->alive(doc)) hashes.emplace_back(columns.number[doc], columns.hash[doc]);
    }
  }
  std::ranges::sort(hashes);
  return hashes;
}

SearchResponse SpaceIndex::search(const access::SpaceAccess& access,
                                  const SearchRequest& request) const {
  const ReaderLock lock(mutex_);
  return search_view(access, request, view());
}

std::vector<NearVector> SpaceIndex::nearest(const access::SpaceAccess& access,
                                            const SearchRequest& request,
                                            const VectorIndex& vectors, size_t limit) const {
  const ReaderLock lock(mutex_);
  const View parts = view();
  const VisibleLabels visible(access, tables_);
  std::vector<PartFilter> filters;
  for (const Part* part : parts.parts)
    filters.emplace_back(request.filter, visible, tables_, *part);
  return vectors.search(request.vector, limit, [&](ObjectNumber number) {
    for (size_t i = parts.parts.size(); i-- > 0;) {
      const auto doc = parts.parts[i]->find_number(number);
      if (doc && parts.parts[i]->alive(*doc)) return filters[i].passes(*doc);
    }
    return false;
  });
}

std::vector<std::string> SpaceIndex::kinds_of(const std::vector<ObjectNumber>& numbers) const {
  const ReaderLock lock(mutex_);
  const View parts = view();
  std::vector<std::string> kinds(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (const Part* part : parts.parts) {
      const auto doc = part->find_number(numbers[i]);
      if (doc && part->alive(*doc)) kinds[i] = part->kind_names()[part->columns().kind[*doc]];
    }
  }
  return kinds;
}

ListResponse SpaceIndex::list(const access::SpaceAccess& access, const ListRequest& request,
                              const Counters::Reader& counters) const {
  const ReaderLock lock(mutex_);
  return list_view(access, request, view(), counters);
}

NumberList SpaceIndex::numbers(const access::SpaceAccess& access, const Filter& filter) const {
  const ReaderLock lock(mutex_);
  return numbers_view(access, filter, view());
}

std::vector<KindCount> SpaceIndex::counts(const access::SpaceAccess& access) const {
  const ReaderLock lock(mutex_);
  return count_view(access, view());
}

SpaceSizes SpaceIndex::sizes() const {
  const ReaderLock lock(mutex_);
  SpaceSizes sizes{.parts = entries_.size() + 1,
                   .documents = tables_.totals().documents,
                   .memtable_bytes = active_->memory_bytes(),
                   .has_work = !choose_inputs().empty()};
  for (const Entry& entry : entries_) {
    if (entry.memtable) {
      sizes.memtable_bytes += static_cast<const Memtable&>(*entry.part).memory_bytes();
    } else {
      ++sizes.segments;
      sizes.segment_bytes += static_cast<const Segment&>(*entry.part).bytes().size();
    }
  }
  return sizes;
}

}  // namespace holdfast::search
