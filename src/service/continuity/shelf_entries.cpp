// How artefacts come to stand on the shelf.
#include <algorithm>

#include "service/continuity/paths.h"
#include "service/continuity/shelf.h"
#include "service/continuity/trust.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kScanPage = 1000;

bool is_artefact(const std::string& kind) {
  return kind == capsule_noun().kind || kind == fallback_noun().kind || kind == archive_noun().kind;
}

const std::set<std::string>& filter_facets() {
  static const std::set<std::string> names = {
      facet::kSubjectKind, facet::kLifecycle,  facet::kScopeAnchor, facet::kKeyword,
      facet::kLabel,       facet::kAnchorKind, facet::kAnchor};
  return names;
}

void read_number(const Facet& from, ShelfEntry& entry) {
  const std::map<std::string, int64_t*> times = {
      {facet::kUpdated, &entry.updated},    {facet::kVerified, &entry.verified},
      {facet::kArchived, &entry.archived},  {facet::kFreshUntil, &entry.until[0]},
      {facet::kSoftUntil, &entry.until[1]}, {facet::kHardUntil, &entry.until[2]},
      {facet::kExpires, &entry.until[3]}};
  if (const auto time = times.find(from.name); time != times.end()) *time->second = from.number;
  if (from.name == facet::kLifecycleRank) entry.lifecycle = static_cast<int>(from.number);
  if (from.name == facet::kHealthRank) entry.health = static_cast<int>(from.number);
  if (from.name == facet::kVerification) entry.verification = static_cast<int>(from.number);
  if (from.name == facet::kInadequate) entry.inadequate = from.number != 0;
}

// The entry of an object; `has_fallback` tells that it stands for its snapshot too.
ShelfEntry entry_of(const Object& object, const std::vector<Facet>& facets, bool& has_fallback) {
  ShelfEntry entry{.key = object.key, .number = object.number, .label = object.label};
  for (const Facet& one : facets) {
    if (one.is_number) read_number(one, entry);
    if (one.name == facet::kSubjectKind) entry.subject.kind = one.text;
    if (one.name == facet::kSubject) entry.subject.id = one.text;
    if (one.name == facet::kPath) entry.path = one.text;
    if (one.name == facet::kAttested) entry.attested = true;
    if (one.name == facet::kHasFallback) has_fallback = true;
    if (one.name == facet::kArtifact && one.text == "fallback")
      entry.state = ArtefactState::kFallback;
    if (one.name == facet::kArtifact && one.text == "archived")
      entry.state = ArtefactState::kArchived;
    if (one.name == facet::kArtifact && one.text == "cold") entry.state = ArtefactState::kCold;
    if (filter_facets().contains(one.name)) entry.traits.push_back(trait(one.name, one.text));
  }
  entry.file = entry.state == ArtefactState::kArchived ? archive_path(object.key.id) : entry.path;
  std::ranges::sort(entry.traits);
  return entry;
}

}  // namespace

std::string_view name_of(ArtefactState state) {
  constexpr std::array<std::string_view, kArtefactStates> kNames = {"active", "fallback",
                                                                    "archived", "cold"};
  return kNames.at(static_cast<size_t>(state));
}

std::string trait(std::string_view facet, std::string_view value) {
  std::string out(facet);
  out += '\0';
  return out += value;
}

int ShelfEntry::severity(int64_t now) const {
  if (now > until[3]) return kExpired;
  int severity = 0;
  while (severity < 3 && now > until.at(static_cast<size_t>(severity))) ++severity;
  return severity;
}

bool ShelfEntry::has(const std::string& trait) const {
  return std::ranges::binary_search(traits, trait);
}

void Shelf::add(SpaceShelf& shelf, ShelfEntry entry) {
  auto& owned = shelf.entries[entry.key];
  const ShelfEntry* kept = owned.emplace_back(std::make_unique<ShelfEntry>(std::move(entry))).get();
  auto& sets = shelf.by_trait.at(static_cast<size_t>(kept->state));
  sets[""].insert(kept);
  for (const std::string& one : kept->traits) sets[one].insert(kept);
  if (kept->state == ArtefactState::kActive)
    shelf.groups[{kept->lifecycle, kept->health}].insert(kept);
}

void Shelf::remove(SpaceShelf& shelf, const ObjectKey& key) {
  const auto found = shelf.entries.find(key);
  if (found == shelf.entries.end()) return;
  for (const auto& entry : found->second) {
    auto& sets = shelf.by_trait.at(static_cast<size_t>(entry->state));
    sets[""].erase(entry.get());
    for (const std::string& one : entry->traits) {
      const auto set = sets.find(one);
      set->second.erase(entry.get());
      if (set->second.empty()) sets.erase(set);
    }
    if (entry->state == ArtefactState::kActive)
      shelf.groups[{entry->lifecycle, entry->health}].erase(entry.get());
  }
  shelf.entries.erase(found);
}

void Shelf::apply(const storage::Change& change, std::map<SpaceId, SpaceShelf>& spaces) {
  if (change.what == storage::Change::What::kErased && change.object.key.kind.empty()) {
    spaces.erase(change.space);
    return;
  }
  if (!is_artefact(change.object.key.kind)) return;
  SpaceShelf& shelf = spaces[change.space];
  remove(shelf, change.object.key);
  if (change.what != storage::Change::What::kPut) return;
  bool has_fallback = false;
  ShelfEntry entry = entry_of(change.object, change.projection.facets, has_fallback);
  if (has_fallback) {
    ShelfEntry snapshot = entry;
    snapshot.state = ArtefactState::kFallback;
    // The same file name in another folder.
    const size_t name = snapshot.path.rfind('/') + 1;
    snapshot.path.insert(name, "fallback/");
    snapshot.file = snapshot.path;
    add(shelf, std::move(snapshot));
  }
  add(shelf, std::move(entry));
}

void Shelf::on_commit(const std::vector<storage::Change>& changes) {
  const MutexLock lock(mutex_);
  for (const storage::Change& change : changes) {
    const bool space_gone = change.object.key.kind.empty();
    if (!space_gone && !is_artefact(change.object.key.kind)) continue;
    if (loaded_) {
      apply(change, spaces_);
    } else {
      missed_.push_back(change);
    }
  }
}

Status Shelf::load_space(const SpaceId& space, std::map<SpaceId, SpaceShelf>& into) const {
  const access::SpaceAccess access = gatekeeper_.engine_access(space);
  for (const Noun<StoredCapsule>* noun : {&capsule_noun(), &fallback_noun(), &archive_noun()}) {
    storage::Scan scan{.kind = noun->kind, .limit = kScanPage};
    do {
      {
        const MutexLock lock(mutex_);
        if (stopping_) return unavailable("The server is stopping.");
      }
      HOLDFAST_TRY(const auto txn, store_.begin_read(kNoDeadline));
      HOLDFAST_TRY(const storage::Page page, txn->scan(access, scan));
      for (const Object& object : page.objects) {
        const auto stored = storage::value_of(*noun, object);
        if (!stored) continue;
        apply({.space = space, .object = object, .projection = noun->project(*stored)}, into);
      }
      scan.after = page.next;
    } while (scan.after);
  }
  return {};
}

}  // namespace holdfast::service::continuity
