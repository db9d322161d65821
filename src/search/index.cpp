#include "search/index.h"

#include <algorithm>
#include <filesystem>
#include <sys/resource.h>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "base/log.h"
#include "search/fusion.h"
#include "search/space_index.h"
#include "search/vector_index.h"

namespace holdfast::search {
namespace {

// So many memtables may wait to be written before a writer waits for them.
constexpr size_t kMaxWaiting = 4;
constexpr std::chrono::seconds kLookAgain{1};
constexpr int kBackgroundNiceness = 10;

// For an index that is being made: what it needs of a change, with the words that were made of it.
storage::Change kept(const storage::Change& change, const IndexChange& made) {
  storage::Change copy = change;
  copy.object.body = {};
  if (made.document && made.document->made_words) copy.projection.words = made.document->made_words;
  return copy;
}

Status check_window(size_t limit, size_t offset) {
  if (limit > kMaxLimit || offset > kMaxWindow || limit + offset > kMaxWindow) {
    return invalid_argument(
        fmt::format("A page has at most {} entries and ends at most {} entries from the first; go "
                    "on with the position "
                    "of the last hit instead.",
                    kMaxLimit, kMaxWindow));
  }
  return {};
}

}  // namespace

Index::Index(IndexOptions options) : options_(std::move(options)) {}

Index::~Index() { close(); }

std::string Index::folder_of(const SpaceId& space) const {
  return options_.folder.empty() ? std::string() : options_.folder + "/" + space.value;
}

std::shared_ptr<SpaceIndex> Index::find(const SpaceId& space) const {
  const ReaderLock lock(spaces_mutex_);
  const auto it = spaces_.find(space);
  return it == spaces_.end() ? nullptr : it->second.index;
}

bool Index::is_rebuilding(const SpaceId& space) const {
  const ReaderLock lock(spaces_mutex_);
  const auto it = spaces_.find(space);
  return it != spaces_.end() && it->second.rebuilding;
}

std::shared_ptr<SpaceIndex> Index::find_or_make(const SpaceId& space) {
  if (auto found = find(space)) return found;
  const WriterLock lock(spaces_mutex_);
  Slot& slot = spaces_[space];
  if (!slot.index) {
    slot.index = std::make_shared<SpaceIndex>(folder_of(space), options_);
    slot.vectors = make_vectors(space);
  }
  return slot.index;
}

void Index::on_commit(const std::vector<storage::Change>& changes) {
  std::map<SpaceId, ChangeList> by_space;
  for (const storage::Change& change : changes) {
    if (change.what == storage::Change::What::kErased && change.object.key.kind.empty()) {
      by_space.erase(change.space);  // the space went as a whole
      drop(change.space);
    } else {
      by_space[change.space].push_back(&change);
    }
  }
  for (const auto& [space, mine] : by_space) apply(space, mine);
}

// Those of one space, which most writes are about; what else there is waits for its commit, as does
// what a new or growing index is to hear of.
void Index::expect(std::span<const storage::Change> changes) {
  DocumentMaker documents;
  std::vector<IndexChange> ahead;
  ahead.reserve(changes.size());
  for (const storage::Change& change : changes) {
    if (change.space != changes.front().space || change.what != storage::Change::What::kPut) break;
    ahead.push_back(index_change(change, documents));
  }
  if (ahead.empty()) return;
  const MutexLock applying(apply_mutex_);
  const auto index = find(changes.front().space);
  if (index && !is_rebuilding(changes.front().space)) index->expect(ahead);
}

void Index::forget_expected() {
  const MutexLock applying(apply_mutex_);
  const ReaderLock lock(spaces_mutex_);
  for (const auto& [space, slot] : spaces_) slot.index->forget_expected();
}

void Index::apply(const SpaceId& space, const ChangeList& from_store) {
  DocumentMaker documents;
  std::vector<IndexChange> changes;
  changes.reserve(from_store.size());
  std::shared_ptr<SpaceIndex> index;
  {
    const MutexLock applying(apply_mutex_);
    index = find_or_make(space);
    const std::vector<JournalPosition> expected = index->expected();
    for (const storage::Change* change : from_store) {
      const bool is_there = std::ranges::binary_search(expected, change->entry.position);
      changes.push_back(is_there ? expected_change(*change) : index_change(*change, documents));
    }
    if (is_rebuilding(space)) {
      const WriterLock lock(spaces_mutex_);
      auto& missed = spaces_[space].missed;
      for (size_t i = 0; i < changes.size(); ++i)
        missed.push_back(kept(*from_store[i], changes[i]));
    }
    index->apply(changes);
  }
  forget_vectors(space, changes);
  for (const IndexChange& change : changes) {
    if (change.what != IndexChange::What::kPut) counters_.forget(space, change.number);
  }
  if (!index->has_work()) return;
  wake();
  MutexLock lock(work_mutex_);
  while (options_.background && !stopping_ && background_.joinable() &&
         index->waiting() >= kMaxWaiting && index->has_work()) {
    work_done_.wait(lock);
  }
}

Result<SearchResponse> Index::search(const access::SpaceAccess& access,
                                     const SearchRequest& request) const {
  HOLDFAST_CHECK_OK(check_window(request.limit, request.offset));
  const auto index = find(access.space());
  if (!index) return SearchResponse{.total_is_exact = true};
  const auto vectors = request.vector.empty() ? nullptr : find_vectors(access.space());
  if (!vectors) return index->search(access, request);
  return fused_search(access, request, *index, *vectors);
}

Result<ListResponse> Index::list(const access::SpaceAccess& access,
                                 const ListRequest& request) const {
  HOLDFAST_CHECK_OK(check_window(request.limit, request.offset));
  const auto index = find(access.space());
  if (!index) return ListResponse{};
  return index->list(access, request, Counters::Reader(counters_, access.space()));
}

NumberList Index::numbers(const access::SpaceAccess& access, const Filter& filter) const {
  const auto index = find(access.space());
  return index ? index->numbers(access, filter) : NumberList();
}

std::vector<KindCount> Index::counts(const access::SpaceAccess& access) const {
  const auto index = find(access.space());
  return index ? index->counts(access) : std::vector<KindCount>();
}

void Index::drop(const SpaceId& space) {
  std::shared_ptr<SpaceIndex> index;
  {
    const MutexLock applying(apply_mutex_);
    const WriterLock lock(spaces_mutex_);
    const auto it = spaces_.find(space);
    if (it == spaces_.end()) return;
    index = std::move(it->second.index);
    spaces_.erase(it);
  }
  index->retire();
  counters_.drop(space);
  std::error_code ignored;
  if (!options_.folder.empty()) std::filesystem::remove_all(vector_folder_of(space), ignored);
}

std::map<SpaceId, SpaceSizes> Index::sizes() const {
  std::map<SpaceId, SpaceSizes> sizes;
  const ReaderLock lock(spaces_mutex_);
  for (const auto& [space, slot] : spaces_) sizes[space] = slot.index->sizes();
  return sizes;
}

void Index::settle() {
  std::vector<std::shared_ptr<SpaceIndex>> indexes;
  {
    const ReaderLock lock(spaces_mutex_);
    for (const auto& [space, slot] : spaces_) indexes.push_back(slot.index);
  }
  for (const auto& index : indexes) {
    while (index->maintain()) {
    }
  }
}

void Index::start_background() {
  if (options_.background && !background_.joinable()) background_ = std::thread([this] { work(); });
}

void Index::wake() {
  const MutexLock lock(work_mutex_);
  work_waiting_ = true;
  work_ready_.notify_one();
}

void Index::tell_work_done() {
  const MutexLock lock(work_mutex_);
  work_done_.notify_all();
}

void Index::work() {
  pthread_setname_np(pthread_self(), "hf-index");
  // It can wait, and callers cannot: where processors are short, they go before. When memtables
  // pile up, writers wait for it in apply(), and it has a processor to itself.
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBackgroundNiceness));
  while (true) {
    {
      MutexLock lock(work_mutex_);
      // A write that failed is tried again even when nothing new comes, and there is work for quiet
      // times.
      const auto until = std::chrono::steady_clock::now() + kLookAgain;
      while (!work_waiting_ && !stopping_ && work_ready_.wait_until(lock, until)) {
      }
      if (stopping_) return;
      work_waiting_ = false;
    }
    std::vector<std::shared_ptr<SpaceIndex>> indexes;
    {
      const ReaderLock lock(spaces_mutex_);
      for (const auto& [space, slot] : spaces_) indexes.push_back(slot.index);
    }
    bool again = true;
    while (again) {
      again = false;
      // One step a space and round, so that a large merge does not hold up another space's flush
      // for long.
      for (const auto& index : indexes)
        again = index->maintain([this] { tell_work_done(); }) || again;
      tell_work_done();
      const MutexLock lock(work_mutex_);
      if (stopping_) return;
    }
  }
}

void Index::close() {
  {
    const MutexLock lock(work_mutex_);
    stopping_ = true;
    work_ready_.notify_all();
    work_done_.notify_all();
  }
  std::vector<std::shared_ptr<SpaceIndex>> indexes;
  {
    const ReaderLock lock(spaces_mutex_);
    for (const auto& [space, slot] : spaces_) indexes.push_back(slot.index);
  }
  for (const auto& index : indexes) index->interrupt();
  if (background_.joinable()) background_.join();
  if (options_.folder.empty()) return;
  for (const auto& index : indexes) {
    const Status flushed = index->flush();
    if (!flushed) log::error("index_close_failed", {{"detail", flushed.error().detail}});
  }
  const ReaderLock lock(spaces_mutex_);
  for (const auto& [space, slot] : spaces_) {
    if (!slot.vectors) continue;
    const Status closed = slot.vectors->close();
    if (!closed) log::error("vectors_close_failed", {{"detail", closed.error().detail}});
  }
}

}  // namespace holdfast::search
