// How an Index gets in step with its source: loading, replaying, rebuilding, verifying.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/log.h"
#include "search/index.h"
#include "search/space_index.h"
#include "search/vector_index.h"

namespace holdfast::search {
namespace {

constexpr size_t kPage = 1000;
// No space can be called so.
constexpr std::string_view kVectorsFolder = "~vectors";
constexpr size_t kMaxFindings = 100;

Error outdated(std::string detail) {
  return Error{.code = ErrorCode::kCorrupted,
               .message = "The saved search index does not fit the store.",
               .detail = std::move(detail)};
}

IndexChange put_of(const SourceObject& source, JournalPosition position, Timestamp at,
                   DocumentMaker& documents) {
  return {.what = IndexChange::What::kPut,
          .number = source.object.number,
          .position = position,
          .at = at,
          .document = documents.make(source.object, source.projection)};
}

// What a page of the journal means for an index that knows objects by number and the journal by
// key.
std::vector<IndexChange> replay(const std::vector<SourceChange>& page, const SpaceIndex& index,
                                DocumentMaker& documents) {
  std::vector<uint64_t> keys;
  keys.reserve(page.size());
  for (const SourceChange& change : page) keys.push_back(key_hash(change.key));
  const auto known = index.numbers_of(keys);
  std::vector<IndexChange> changes;
  for (size_t i = 0; i < page.size(); ++i) {
    const SourceChange& change = page[i];
    for (auto it = std::ranges::lower_bound(known, std::pair(keys[i], ObjectNumber{0}));
         it != known.end() && it->first == keys[i]; ++it) {
      const ObjectNumber number = it->second;
      // The key may name a new object by now.
      if (change.now && change.now->object.number == number) continue;
      changes.push_back(
          {.what = change.erased ? IndexChange::What::kErased : IndexChange::What::kGone,
           .number = number,
           .position = change.position,
           .at = change.at});
    }
    if (change.now) {
      changes.push_back(put_of(*change.now, change.position, change.at, documents));
    } else {
      changes.push_back(
          {.what = IndexChange::What::kGone, .position = change.position, .at = change.at});
    }
  }
  return changes;
}

}  // namespace

Status Index::open(DocumentSource& source, const ProgressCallback& progress) {
  HOLDFAST_TRY(const auto spaces, source.spaces());
  for (const SpaceId& space : spaces) HOLDFAST_CHECK_OK(open_space(space, source, progress));
  if (!options_.folder.empty()) {
    std::error_code error;
    for (const auto& folder : std::filesystem::directory_iterator(options_.folder, error)) {
      const SpaceId space(folder.path().filename().string());
      if (space.value == kVectorsFolder) continue;
      if (std::ranges::find(spaces, space) == spaces.end())
        std::filesystem::remove_all(folder.path(), error);
    }
  }
  start_background();
  return {};
}

std::string Index::vector_folder_of(const SpaceId& space) const {
  return options_.folder.empty()
             ? std::string()
             : options_.folder + "/" + std::string(kVectorsFolder) + "/" + space.value;
}

// Vectors that cannot be opened are done without: search is lexical then.
std::shared_ptr<VectorIndex> Index::make_vectors(const SpaceId& space) const {
  if (options_.vector_dimensions == 0) return nullptr;
  auto vectors =
      std::make_shared<VectorIndex>(VectorOptions{.folder = vector_folder_of(space),
                                                  .dimensions = options_.vector_dimensions,
                                                  .model = options_.vector_model});
  const Status opened = vectors->open();
  if (opened) return vectors;
  log::error("vectors_unusable", {{"space", space.value}, {"detail", opened.error().detail}});
  return nullptr;
}

Status Index::open_space(const SpaceId& space, DocumentSource& source,
                         const ProgressCallback& progress) {
  auto index = std::make_shared<SpaceIndex>(folder_of(space), options_);
  Status opened = options_.folder.empty() ? Status(outdated("nothing is kept"))
                                          : load_and_replay(*index, space, source, progress);
  if (!opened) {
    const bool ours =
        opened.error().code == ErrorCode::kCorrupted || opened.error().code == ErrorCode::kNotFound;
    if (!ours) return opened;
    if (!options_.folder.empty() && opened.error().code == ErrorCode::kCorrupted) {
      log::warn("index_rebuild", {{"space", space.value}, {"why", opened.error().detail}});
    }
    index->clear();
    HOLDFAST_CHECK_OK(fill(*index, space, source, progress));
    // A disk that cannot take it costs the next start a rebuild, nothing else.
    if (const Status flushed = index->flush(); !flushed) {
      log::error("index_flush_failed",
                 {{"space", space.value}, {"detail", flushed.error().detail}});
    }
  }
  auto vectors = make_vectors(space);
  if (vectors) {
    // What changed or went while nobody watched has no vector any more.
    HOLDFAST_CHECK_OK(vectors->prune(
        [&](ObjectNumber number, uint64_t content) { return index->hash_of(number) == content; }));
  }
  const WriterLock lock(spaces_mutex_);
  spaces_[space] = {.index = std::move(index), .vectors = std::move(vectors), .missed = {}};
  return {};
}

Status Index::load_and_replay(SpaceIndex& index, const SpaceId& space, DocumentSource& source,
                              const ProgressCallback& progress) {
  HOLDFAST_TRY(const Manifest manifest, index.load());
  if (manifest.position <= 0) return outdated("it covers nothing");
  HOLDFAST_TRY(const auto anchor, source.changes_after(space, manifest.position - 1, 1));
  if (anchor.empty() || anchor[0].position != manifest.position ||
      to_micros(anchor[0].at) != manifest.position_time) {
    return outdated("the journal has another entry at the saved position");
  }
  JournalPosition position = manifest.position;
  size_t done = 0;
  while (true) {
    HOLDFAST_TRY(const auto page, source.changes_after(space, position, kPage));
    if (page.empty()) return {};
    DocumentMaker documents;
    index.apply(replay(page, index, documents));
    while (index.waiting() > 0 && index.maintain()) {
    }
    position = page.back().position;
    done += page.size();
    if (progress) progress({.space = space, .documents = done, .rebuilding = false});
  }
}

Status Index::fill(SpaceIndex& index, const SpaceId& space, DocumentSource& source,
                   const ProgressCallback& progress) {
  HOLDFAST_TRY(const auto newest, source.newest(space));
  ObjectNumber after = 0;
  size_t done = 0;
  while (true) {
    HOLDFAST_TRY(const auto page, source.objects_after(space, after, kPage));
    if (page.empty()) break;
    DocumentMaker documents;
    std::vector<IndexChange> changes;
    for (const SourceObject& object : page) changes.push_back(put_of(object, 0, {}, documents));
    index.apply(changes);
    // Flushes only: what can be merged is merged later, while serving.
    while (index.waiting() > 0 && index.maintain()) {
    }
    after = page.back().object.number;
    done += page.size();
    if (progress) progress({.space = space, .documents = done, .rebuilding = true});
  }
  if (newest) index.set_position(newest->position, newest->at);
  return {};
}

Status Index::rebuild(const SpaceId& space, DocumentSource& source,
                      const ProgressCallback& progress) {
  const std::shared_ptr<SpaceIndex> old = find_or_make(space);
  {
    const MutexLock applying(apply_mutex_);
    const WriterLock lock(spaces_mutex_);
    Slot& slot = spaces_[space];
    if (slot.rebuilding) {
      return Error{.code = ErrorCode::kConflict,
                   .message = "The index of this space is being rebuilt already."};
    }
    slot.rebuilding = true;
    slot.missed.clear();
  }
  old->retire();
  auto fresh = std::make_shared<SpaceIndex>(folder_of(space), options_);
  Status filled = fill(*fresh, space, source, progress);
  if (filled) {
    const MutexLock applying(apply_mutex_);
    const WriterLock lock(spaces_mutex_);
    Slot& slot = spaces_[space];
    DocumentMaker documents;
    std::vector<IndexChange> missed;
    for (const storage::Change& change : slot.missed)
      missed.push_back(index_change(change, documents));
    fresh->apply(missed);
    slot = {.index = fresh, .vectors = slot.vectors, .missed = {}};
  } else {
    const WriterLock lock(spaces_mutex_);
    spaces_[space].rebuilding = false;
    return filled;
  }
  wake();
  return fresh->flush();
}

Result<std::vector<std::string>> Index::verify(DocumentSource& source) const {
  std::vector<std::string> findings;
  const auto add = [&](std::string finding) {
    if (findings.size() < kMaxFindings) findings.push_back(std::move(finding));
  };
  HOLDFAST_TRY(const auto spaces, source.spaces());
  for (const SpaceId& space : spaces) {
    const auto index = find(space);
    const auto have = index ? index->hashes() : std::vector<std::pair<ObjectNumber, uint64_t>>();
    size_t at = 0;
    ObjectNumber after = 0;
    while (true) {
      HOLDFAST_TRY(const auto page, source.objects_after(space, after, kPage));
      if (page.empty()) break;
      for (const SourceObject& source_object : page) {
        const ObjectNumber number = source_object.object.number;
        for (; at < have.size() && have[at].first < number; ++at) {
          add(fmt::format("Space {}: object number {} is in the search index but not in the store.",
                          space.value, have[at].first));
        }
        if (at >= have.size() || have[at].first != number) {
          add(fmt::format("Space {}: object number {} is missing from the search index.",
                          space.value, number));
          continue;
        }
        if (have[at].second != projection_hash(source_object.object, source_object.projection)) {
          add(fmt::format("Space {}: object number {} is in the search index with other content.",
                          space.value, number));
        }
        ++at;
      }
      after = page.back().object.number;
    }
    for (; at < have.size(); ++at) {
      add(fmt::format("Space {}: object number {} is in the search index but not in the store.",
                      space.value, have[at].first));
    }
  }
  return findings;
}

}  // namespace holdfast::search
