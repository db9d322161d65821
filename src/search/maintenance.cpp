// SpaceIndex's work in the background: flushing, merging, rewriting, and what is on disk.
#include <algorithm>
#include <bit>
#include <filesystem>

#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "search/file_io.h"
#include "search/space_index.h"

namespace holdfast::search {
namespace {

// Segments up to 32 MB are of tier 0, up to 256 MB of tier 1, and so on.
constexpr size_t kTierBytes = 4U << 20;
constexpr size_t kMaxMergedBytes = 1536U << 20;
// Where nothing is written, fewer parts make searches cheaper; up to this size that is worth a
// copy.
constexpr size_t kMaxQuietBytes = 384U << 20;
constexpr std::chrono::seconds kRetryAfter{5};
// With so many parts a merge is more urgent than memtables, and whoever writes waits for it.
constexpr size_t kMostParts = 32;

size_t tier_of(size_t bytes) {
  size_t tier = 0;
  for (size_t limit = kTierBytes * 8; bytes >= limit; limit *= 8) ++tier;
  return tier;
}

std::string_view as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string SpaceIndex::path_of(uint64_t file_id) const {
  return folder_ + "/" + segment_file_name(file_id);
}

size_t SpaceIndex::waiting() const {
  const ReaderLock lock(mutex_);
  return static_cast<size_t>(std::ranges::count_if(entries_, &Entry::memtable));
}

bool SpaceIndex::has_work() const {
  if (steady_micros() < retry_at_) return false;
  const ReaderLock lock(mutex_);
  return !choose_inputs().empty() || (manifest_stale_ && !is_withheld());
}

// An erased object's segment first, because nothing can be saved before; then memtables in their
// order, because the saved position follows them; then merges.
std::vector<std::shared_ptr<Part>> SpaceIndex::choose_inputs() const {
  for (const Entry& entry : entries_) {
    if (entry.rewrite) return {entry.part};
  }
  for (const Entry& entry : entries_) {
    if (entry.memtable) return {entry.part};
  }
  return choose_merge();
}

std::vector<std::shared_ptr<Part>> SpaceIndex::choose_merge() const {
  std::vector<std::vector<std::shared_ptr<Part>>> tiers;
  std::vector<size_t> tier_bytes;
  for (const Entry& entry : entries_) {
    if (entry.memtable) continue;
    if (entry.part->dead_count() * 5 > entry.part->columns().count * 2) return {entry.part};
    const size_t bytes = static_cast<const Segment&>(*entry.part).bytes().size();
    const size_t tier = tier_of(bytes);
    if (tier >= tiers.size()) {
      tiers.resize(tier + 1);
      tier_bytes.resize(tier + 1);
    }
    tiers[tier].push_back(entry.part);
    tier_bytes[tier] += bytes;
  }
  const bool quiet = pace_.changes_a_second(steady_micros()) < options_.quiet_changes;
  for (size_t tier = 0; tier < tiers.size(); ++tier) {
    const bool due =
        tiers[tier].size() >= options_.merge_width && tier_bytes[tier] <= kMaxMergedBytes;
    const bool convenient = quiet && tiers[tier].size() >= 2 && tier_bytes[tier] <= kMaxQuietBytes;
    if (due || convenient) return tiers[tier];
  }
  return {};
}

void SpaceIndex::Build::cancel() {
  cancelled = true;
  if (!path.empty()) ::unlink(path.c_str());
}

bool SpaceIndex::maintain(const std::function<void()>& meanwhile) {
  const MutexLock maintaining(maintain_mutex_);
  if (retired_ || steady_micros() < retry_at_) return false;
  std::vector<std::shared_ptr<Part>> inputs;
  bool stale = false;
  bool memtables_wait =
      false;  // then the first of them is what is chosen, unless a segment is urgent
  {
    const ReaderLock lock(mutex_);
    inputs = choose_inputs();
    stale = manifest_stale_ && !is_withheld();
    memtables_wait = std::ranges::any_of(entries_, &Entry::memtable);
  }
  if (inputs.empty() && !stale) return false;
  const auto in_between = [&]() HOLDFAST_REQUIRES(maintain_mutex_) {
    write_memtables();
    if (meanwhile) meanwhile();
  };
  Outcome outcome = inputs.empty()   ? Outcome::kDone
                    : memtables_wait ? build(inputs, {})
                                     : build(inputs, in_between);
  if (outcome == Outcome::kDone && !write_manifest()) outcome = Outcome::kFailed;
  if (outcome == Outcome::kFailed) give_time();
  return true;
}

// To a disk that refuses.
void SpaceIndex::give_time() {
  retry_at_ = steady_micros() + std::chrono::microseconds(kRetryAfter).count();
}

// Whoever writes waits while many memtables do: not for the end of a merge.
void SpaceIndex::write_memtables() {
  while (steady_micros() >= retry_at_) {
    std::vector<std::shared_ptr<Part>> next;
    {
      const ReaderLock lock(mutex_);
      const auto waiting = std::ranges::find_if(entries_, &Entry::memtable);
      if (waiting == entries_.end() || entries_.size() >= kMostParts) return;
      next = {waiting->part};
    }
    const Outcome outcome = build(next, {});
    if (outcome == Outcome::kCancelled) return;
    if (outcome == Outcome::kFailed || !write_manifest()) give_time();
  }
}

SpaceIndex::Outcome SpaceIndex::build(const std::vector<std::shared_ptr<Part>>& inputs,
                                      const std::function<void()>& meanwhile) {
  const auto build = std::make_shared<Build>();
  {
    // Exclusive, so that an erasure comes either before the copies of the living bits or finds the
    // build.
    const WriterLock lock(mutex_);
    for (const auto& part : inputs) build->inputs.push_back({part, part->live_bits()});
    const MutexLock building(build_mutex_);
    builds_.push_back(build);
  }
  const Outcome outcome = build_and_swap(inputs, *build, meanwhile);
  const MutexLock building(build_mutex_);
  builds_.pop_back();
  return build->cancelled ? Outcome::kCancelled : outcome;
}

SpaceIndex::Outcome SpaceIndex::build_and_swap(const std::vector<std::shared_ptr<Part>>& inputs,
                                               Build& build,
                                               const std::function<void()>& meanwhile) {
  const BuiltSegment built = build_segment(build.inputs, build.cancelled, meanwhile);
  if (build.cancelled) return Outcome::kCancelled;
  const std::optional<uint64_t> file_id = save(built.pieces, build);
  if (!file_id) return Outcome::kFailed;
  Entry made{.part = nullptr, .file_id = *file_id, .file_checksum = checksum(built.pieces)};
  std::unique_ptr<SegmentBytes> segment_bytes;
  if (made.file_id != 0) {
    auto mapped = map_file(path_of(made.file_id));
    if (mapped) segment_bytes = std::move(*mapped);
  }
  if (!segment_bytes) segment_bytes = own_bytes(built.bytes());
  return swap_in(inputs, std::move(segment_bytes), std::move(made), build) ? Outcome::kDone
                                                                           : Outcome::kCancelled;
}

std::optional<uint64_t> SpaceIndex::save(std::span<const std::string_view> pieces, Build& build) {
  if (folder_.empty()) return 0;
  const uint64_t id = next_file_id_++;
  const std::string path = path_of(id);
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  {
    // Made under the lock, written without: an erasure either comes first, or finds the file and
    // unlinks it.
    const MutexLock lock(build_mutex_);
    if (build.cancelled || !create_file(path)) return std::nullopt;
    build.path = path;
  }
  Status written = write_file(path, pieces);
  if (written) written = sync_folder(folder_);
  if (written) return id;
  if (!build.cancelled)
    log::error("index_flush_failed", {{"folder", folder_}, {"detail", written.error().detail}});
  ::unlink(path.c_str());
  return std::nullopt;
}

bool SpaceIndex::swap_in(const std::vector<std::shared_ptr<Part>>& inputs,
                         std::unique_ptr<SegmentBytes> bytes, Entry made, Build& build) {
  const WriterLock lock(mutex_);
  {
    const MutexLock building(build_mutex_);
    if (build.cancelled) {
      if (made.file_id != 0) ::unlink(path_of(made.file_id).c_str());
      return false;
    }
  }
  auto segment = Segment::open(std::move(bytes), tables_);
  HOLDFAST_ASSERT(segment.has_value());  // we made it a moment ago
  // What died since the living bits were copied. The tables know already.
  for (const BuildInput& input : build.inputs) {
    const auto& now = input.part->live_bits();
    for (size_t word = 0; word < now.size(); ++word) {
      for (uint64_t died = input.live[word] & ~now[word]; died != 0; died &= died - 1) {
        const auto doc =
            static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(died)));
        const auto here = (*segment)->find_number(input.part->columns().number[doc]);
        HOLDFAST_ASSERT(here.has_value());
        (*segment)->kill(*here);
      }
    }
  }
  for (const Entry& entry : entries_) {
    if (entry.part != inputs.front() || entry.position <= saved_position_) continue;
    saved_position_ = entry.position;
    saved_time_ = entry.position_time;
  }
  written_ += static_cast<uint64_t>(std::ranges::count_if(entries_, [&](const Entry& entry) {
    return entry.memtable && std::ranges::find(inputs, entry.part) != inputs.end();
  }));
  const auto is_input = [&](const Entry& entry) {
    return std::ranges::find(inputs, entry.part) != inputs.end();
  };
  const auto first = std::ranges::find_if(entries_, is_input);
  const auto place = first - entries_.begin();
  std::erase_if(entries_, is_input);
  if ((*segment)->live_count() > 0) {
    made.part = std::move(*segment);
    entries_.insert(entries_.begin() + place, std::move(made));
  }
  manifest_stale_ = !folder_.empty();
  return true;
}

Status SpaceIndex::write_manifest() {
  Manifest manifest{.next_file_id = next_file_id_};
  {
    const WriterLock lock(mutex_);
    if (!manifest_stale_) return {};
    if (is_withheld()) return {};
    manifest.position = saved_position_;
    manifest.position_time = to_micros(saved_time_);
    for (const Entry& entry : entries_) {
      if (entry.memtable) continue;
      if (entry.rewrite) return {};  // soon; until then the old manifest names a file that is gone
      const auto& segment = static_cast<const Segment&>(*entry.part);
      Manifest::SegmentFile file{
          .id = entry.file_id, .size = segment.bytes().size(), .checksum = entry.file_checksum};
      for (uint32_t doc = 0; doc < segment.columns().count; ++doc) {
        if (!segment.alive(doc)) file.dead.push_back(doc);
      }
      manifest.segments.push_back(std::move(file));
    }
    manifest_stale_ = false;
  }
  Status written = replace_file(manifest_path(), encode_manifest(manifest));
  if (!written) {
    log::error("index_manifest_failed", {{"folder", folder_}, {"detail", written.error().detail}});
    const WriterLock lock(mutex_);
    manifest_stale_ = true;
    return written;
  }
  remove_unnamed_files(manifest);
  const WriterLock lock(mutex_);
  if (is_withheld()) ::unlink(manifest_path().c_str());  // withheld while it was being written
  return {};
}

void SpaceIndex::remove_unnamed_files(const Manifest& manifest) const {
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = file.path().filename().string();
    const bool named = std::ranges::any_of(
        manifest.segments,
        [&](const Manifest::SegmentFile& one) { return segment_file_name(one.id) == name; });
    const bool ours = name.starts_with("segment-") || name.ends_with(".tmp");
    if (ours && !named) std::filesystem::remove(file.path(), error);
  }
}

Result<Manifest> SpaceIndex::load() {
  const MutexLock maintaining(maintain_mutex_);
  HOLDFAST_TRY(const std::string bytes, read_file(manifest_path()));
  HOLDFAST_TRY(Manifest manifest, decode_manifest(bytes));
  std::vector<std::unique_ptr<SegmentBytes>> files;
  for (const auto& file : manifest.segments) {
    const std::string path = path_of(file.id);
    auto mapped = map_file(path);
    const Error damaged{.code = ErrorCode::kCorrupted,
                        .message = "A segment of the search index is missing or damaged.",
                        .detail = path};
    if (!mapped) return damaged;
    const auto view = (*mapped)->view();
    if (view.size() != file.size || checksum(as_text(view)) != file.checksum) return damaged;
    files.push_back(std::move(*mapped));
  }
  const WriterLock lock(mutex_);
  for (size_t i = 0; i < files.size(); ++i) {
    auto segment = Segment::open(std::move(files[i]), tables_);
    if (!segment) {
      entries_.clear();
      return std::move(segment).error();
    }
    for (const uint32_t doc : manifest.segments[i].dead) {
      if (doc < (*segment)->columns().count && (*segment)->alive(doc)) (*segment)->kill(doc);
    }
    entries_.push_back({.part = std::move(*segment),
                        .file_id = manifest.segments[i].id,
                        .file_checksum = manifest.segments[i].checksum});
  }
  for (const Entry& entry : entries_) {
    const Columns& columns = entry.part->columns();
    for (uint32_t doc = 0; doc < columns.count; ++doc) {
      highest_number_ = std::max(highest_number_, columns.number[doc]);
      if (!entry.part->alive(doc)) continue;
      tables_.count(entry.part->labels()[columns.label[doc]],
                    entry.part->kinds()[columns.kind[doc]], columns.length[doc], +1);
    }
  }
  next_file_id_ = manifest.next_file_id;
  position_ = saved_position_ = manifest.position;
  position_time_ = saved_time_ = from_micros(manifest.position_time);
  remove_unnamed_files(manifest);
  return manifest;
}

void SpaceIndex::clear() {
  interrupt();
  const MutexLock maintaining(maintain_mutex_);
  const WriterLock lock(mutex_);
  entries_.clear();
  active_ = std::make_shared<Memtable>();
  expected_.clear();
  tables_ = {};
  highest_number_ = 0;
  position_ = saved_position_ = 0;
  position_time_ = saved_time_ = {};
  manifest_stale_ = false;
  frozen_ = written_ = withheld_until_ = 0;
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Status SpaceIndex::flush() {
  {
    const WriterLock lock(mutex_);
    freeze();
    // Nothing but deletions came since: the position moves on with the segments there are.
    if (position_ > saved_position_ && active_->columns().count == 0 &&
        std::ranges::none_of(entries_, &Entry::memtable)) {
      saved_position_ = position_;
      saved_time_ = position_time_;
      manifest_stale_ = !folder_.empty();
    }
  }
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::create_directories(folder_, ignored);
  const MutexLock maintaining(maintain_mutex_);
  while (!retired_) {
    std::vector<std::shared_ptr<Part>> inputs;
    {
      const ReaderLock lock(mutex_);
      for (const Entry& entry : entries_) {
        if (inputs.empty() && (entry.memtable || entry.rewrite)) inputs = {entry.part};
      }
    }
    if (inputs.empty()) return write_manifest();
    if (build(inputs, {}) == Outcome::kFailed) {
      return Error{.code = ErrorCode::kInternal,
                   .message = "The search index could not be written.",
                   .detail = folder_};
    }
  }
  return {};
}

void SpaceIndex::retire() {
  interrupt();
  const MutexLock maintaining(maintain_mutex_);
  retired_ = true;
  const WriterLock lock(mutex_);
  for (Entry& entry : entries_) entry.file_id = 0;
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void SpaceIndex::interrupt() {
  const MutexLock lock(build_mutex_);
  for (const auto& build : builds_) build->cancel();
}

}  // namespace holdfast::search
