#include "service/continuity/capsule_store.h"

#include <algorithm>

#include "service/continuity/capsule.h"
#include "service/continuity/failure.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kArchivePage = 1000;
constexpr size_t kMostRevisions = 20;

Result<std::optional<Object>> find(storage::ReadTxn& txn, const Access& access,
                                   const std::string& kind, const std::string& id) {
  auto object = txn.get(access, {.kind = kind, .id = id});
  if (object) return std::optional<Object>(std::move(*object));
  if (object.error().code == ErrorCode::kNotFound) return std::optional<Object>();
  return object.error();
}

Result<std::optional<PathClaim>> claim_of(storage::ReadTxn& txn, const Access& access,
                                          const std::string& stem) {
  HOLDFAST_TRY(const auto object, find(txn, access, path_noun().kind, stem));
  if (!object) return std::optional<PathClaim>();
  HOLDFAST_TRY(PathClaim claim, storage::value_of(path_noun(), *object));
  return std::optional<PathClaim>(std::move(claim));
}

}  // namespace

namespace {

// A capsule whose stored state is damaged was sound when it was written: so is an earlier one.
Result<std::optional<Loaded>> last_readable(storage::ReadTxn& txn, const Access& access,
                                            const Subject& subject) {
  const ObjectKey key{.kind = capsule_noun().kind, .id = subject.name()};
  HOLDFAST_TRY(const auto revisions, txn.history(access, key, kMostRevisions));
  for (const storage::RevisionRecord& record : revisions) {
    if (record.deleted) break;
    auto loaded = loaded_of(record.object);
    if (loaded->valid()) return loaded;
  }
  return std::optional<Loaded>();
}

}  // namespace

std::optional<Loaded> loaded_of(const Object& object) {
  Loaded loaded;
  auto stored = storage::value_of(capsule_noun(), object);
  if (!stored) {
    loaded.problem = "the stored text is damaged";
    return loaded;
  }
  loaded.stored = std::move(*stored);
  loaded.as_stored = std::move(loaded.stored.capsule);
  auto capsule = upgraded(loaded.as_stored);
  if (!capsule) {
    loaded.problem = capsule.error().message;
    loaded.stored.capsule = Value();
  } else {
    loaded.stored.capsule = std::move(*capsule);
  }
  return loaded;
}

Result<std::optional<Loaded>> load_active(storage::ReadTxn& txn, const Access& access,
                                          const Subject& subject) {
  HOLDFAST_TRY(const auto object, find(txn, access, capsule_noun().kind, subject.name()));
  return object ? loaded_of(*object) : std::nullopt;
}

Result<std::optional<Loaded>> load_fallback(storage::ReadTxn& txn, const Access& access,
                                            const Subject& subject) {
  HOLDFAST_TRY(auto active, load_active(txn, access, subject));
  return load_fallback(txn, access, subject, std::move(active));
}

Result<std::optional<Loaded>> load_fallback(storage::ReadTxn& txn, const Access& access,
                                            const Subject& subject, std::optional<Loaded> active) {
  if (active && active->valid())
    return active->stored.has_fallback ? std::move(active) : std::nullopt;
  HOLDFAST_TRY(const auto object, find(txn, access, fallback_noun().kind, subject.name()));
  if (object) return loaded_of(*object);
  if (!active) return std::optional<Loaded>();
  return last_readable(txn, access, subject);
}

Result<StoredCapsule> require_active(storage::ReadTxn& txn, const Access& access,
                                     const Subject& subject, std::string_view missing,
                                     std::string_view invalid) {
  HOLDFAST_TRY(auto loaded, load_active(txn, access, subject));
  if (!loaded) return absent(std::string(missing));
  if (!loaded->valid()) return bad_request(std::string(invalid) + loaded->problem);
  return std::move(loaded->stored);
}

Result<std::string> find_stem(storage::ReadTxn& txn, const Access& access, const Subject& subject) {
  HOLDFAST_CHECK_OK(check_subject_id(subject.id));
  const std::vector<std::string> stems = stems_of(subject);
  std::string free;
  for (const std::string& stem : stems) {
    HOLDFAST_TRY(const auto claim, claim_of(txn, access, stem));
    if (!claim && free.empty()) free = stem;
    if (claim && claim->subject_kind == subject.kind && claim->subject_id == subject.id)
      return stem;
  }
  return free.empty() ? stems.back() : free;
}

Status claim_stem(storage::WriteTxn& txn, const Access& access, const Subject& subject,
                  const std::string& stem) {
  HOLDFAST_TRY(const auto claim, claim_of(txn, access, stem));
  if (claim) return {};
  return txn.add(
      access, storage::put_of(path_noun(), stem,
                              {.subject_kind = subject.kind, .subject_id = subject.id}, Label{}));
}

Status release_stem(storage::WriteTxn& txn, const Access& access, const Subject& subject,
                    const std::string& stem) {
  for (const std::string& kind : {capsule_noun().kind, fallback_noun().kind}) {
    HOLDFAST_TRY(const auto object, find(txn, access, kind, subject.name()));
    if (object) return {};
  }
  HOLDFAST_TRY(const auto archives, archives_of(txn, access, subject, true));
  HOLDFAST_TRY(const auto claim, claim_of(txn, access, stem));
  if (!archives.empty() || !claim) return {};
  return txn.remove(access, {.kind = path_noun().kind, .id = stem}, "");
}

Result<std::vector<StoredCapsule>> archives_of(storage::ReadTxn& txn, const Access& access,
                                               const Subject& subject, bool cold_too) {
  storage::Scan scan{.kind = archive_noun().kind,
                     .equal = Facet::of(facet::kName, subject.name()),
                     .limit = kArchivePage};
  std::vector<StoredCapsule> out;
  do {
    HOLDFAST_TRY(const auto page, txn.scan(access, scan));
    for (const Object& object : page.objects) {
      auto stored = storage::value_of(archive_noun(), object);
      if (!stored) continue;  // damaged: nothing is known of it
      if (cold_too || stored->cold_stored_at.empty()) out.push_back(std::move(*stored));
    }
    scan.after = page.next;
  } while (scan.after);
  std::ranges::sort(out, {}, &StoredCapsule::archive_stem);
  return out;
}

Result<std::string> put_active(storage::WriteTxn& txn, const Access& access,
                               const StoredCapsule& stored, const std::string& message) {
  HOLDFAST_CHECK_OK(claim_stem(txn, access, stored.subject(), stored.stem));
  // Whatever snapshot an earlier capsule left behind is replaced by this one's.
  HOLDFAST_TRY(const auto left, find(txn, access, fallback_noun().kind, stored.subject().name()));
  if (left) HOLDFAST_CHECK_OK(txn.remove(access, left->key, ""));
  auto put = storage::put_of(capsule_noun(), stored.subject().name(), stored, Label{});
  put.message = message;
  HOLDFAST_CHECK_OK(txn.add(access, std::move(put)));
  return position_text(txn);
}

Status put_archive(storage::WriteTxn& txn, const Access& access, const StoredCapsule& stored,
                   const std::string& message) {
  auto put = storage::put_of(archive_noun(), stored.archive_stem, stored, Label{});
  put.message = message;
  return txn.add(access, std::move(put));
}

Status remove_active(storage::WriteTxn& txn, const Access& access, const StoredCapsule& stored,
                     bool keep_fallback, const std::string& message) {
  const std::string name = stored.subject().name();
  if (keep_fallback && stored.has_fallback && !stored.capsule.is_null()) {
    HOLDFAST_CHECK_OK(txn.add(access, storage::put_of(fallback_noun(), name, stored, Label{})));
  }
  return txn.remove(access, {.kind = capsule_noun().kind, .id = name}, message);
}

Status note_change(storage::WriteTxn& txn, const Access& access, const CallContext& call,
                   const Subject& subject, const std::string& message) {
  const ObjectKey key{.kind = capsule_noun().kind, .id = subject.name()};
  HOLDFAST_TRY(const auto active, find(txn, access, key.kind, key.id));
  if (active) {
    auto stored = storage::value_of(capsule_noun(), *active);
    if (!stored) return {};  // damaged: it is not written again
    stored->noted = stored->noted.value_or(0) + 1;
    auto put = storage::put_of(capsule_noun(), key.id, *stored, Label{});
    put.message = message;
    return txn.add(access, std::move(put));
  }
  const auto history = txn.history(access, key, 1);
  if (!history || history->empty() || !history->front().deleted) return {};
  const Object gone{
      .key = key, .revision = history->front().object.revision + 1, .updated_at = txn.now()};
  return txn.replay(access, gone, {},
                    {.at = txn.now(),
                     .principal = call.principal.value,
                     .surface = call.surface,
                     .action = std::string(journal_action::kDeleted),
                     .key = key,
                     .revision = gone.revision,
                     .message = message,
                     .request_id = call.request_id});
}

Result<std::string> position_text(storage::ReadTxn& txn) {
  HOLDFAST_TRY(const JournalPosition position, txn.position());
  return std::to_string(position);
}

}  // namespace holdfast::service::continuity
