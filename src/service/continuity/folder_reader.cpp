#include <array>

#include "base/time_text.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/capsule.h"
#include "service/continuity/cold_stub.h"
#include "service/continuity/document.h"
#include "service/continuity/folder_layout.h"
#include "service/continuity/gzip.h"
#include "service/continuity/member_order.h"
#include "service/continuity/paths.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kMostUnpacked = size_t{1} << 20U;

// The file's name without folder and ending.
std::string stem_of(std::string_view path, std::string_view ending) {
  path.remove_prefix(path.rfind('/') + 1);
  if (path.ends_with(ending)) path.remove_suffix(ending.size());
  return std::string(path);
}

Result<Value> object_in(const std::string& bytes) {
  HOLDFAST_TRY(Value value, parse_json(bytes, {.allow_duplicates = true}));
  if (!value.is_object()) return invalid_argument("it holds no JSON object");
  return value;
}

// A capsule that can be used, whatever its age. It is kept as it was written.
Result<StoredCapsule> capsule_of(const Value& capsule, std::string stem) {
  HOLDFAST_CHECK_OK(upgraded(capsule));
  StoredCapsule stored{.subject_kind = text_of(capsule, "subject_kind"),
                       .subject_id = text_of(capsule, "subject_id"),
                       .stem = std::move(stem),
                       .has_fallback = false,
                       .capsule = capsule};
  HOLDFAST_CHECK_OK(check_subject_id(stored.subject_id));
  return stored;
}

Result<StoredCapsule> archived_of(const std::string& bytes, std::string archive_stem) {
  HOLDFAST_TRY(const Value envelope, object_in(bytes));
  const Value* capsule = envelope.find("capsule");
  if (capsule == nullptr) return invalid_argument("the envelope has no capsule");
  HOLDFAST_TRY(StoredCapsule stored,
               capsule_of(*capsule, stem_of(text_of(envelope, "active_path"), ".json")));
  stored.archive_stem = std::move(archive_stem);
  stored.archived_at = text_of(envelope, "archived_at");
  stored.archived_by = text_of(envelope, "archived_by");
  stored.reason = text_of(envelope, "reason");
  if (!parse_iso(stored.archived_at)) return invalid_argument("archived_at is no time");
  return stored;
}

}  // namespace

Status FolderReader::add(const FolderFile& file, Timestamp modified) {
  struct Place {
    std::string_view prefix;
    std::string_view ending;
    Status (FolderReader::*read)(const FolderFile&);
  };
  // The first that fits.
  constexpr std::array<Place, 12> kPlaces = {{
      {"memory/continuity/fallback/", ".json", &FolderReader::add_fallback},
      {"memory/continuity/archive/", ".json", &FolderReader::add_archive},
      {"memory/continuity/cold/index/", ".md", &FolderReader::add_stub},
      {"memory/continuity/cold/", ".json.gz", &FolderReader::add_cold},
      {kRefreshPath, "", &FolderReader::add_plan},
      {kRetentionPath, "", &FolderReader::add_plan},
      {"memory/continuity/", ".json", &FolderReader::add_active},
      {"memory/coordination/handoffs/", ".json", &FolderReader::add_document},
      {"memory/coordination/shared/", ".json", &FolderReader::add_document},
      {"memory/coordination/reconciliations/", ".json", &FolderReader::add_document},
      {"tasks/", ".json", &FolderReader::add_document},
      {kRegistryFile, "", &FolderReader::add_registry},
  }};
  modified_ = modified;
  for (const Place& place : kPlaces) {
    if (file.path.starts_with(place.prefix) && file.path.ends_with(place.ending))
      return (this->*place.read)(file);
  }
  if (const auto problem = path_problem(file.path)) return invalid_argument(*problem);
  if (!is_valid_utf8(file.bytes)) return invalid_argument("it is no text");
  const std::string at = format_seconds(modified);
  put(file_noun().kind, file.path,
      file_noun().codec.encode_text({.path = file.path, .text = file.bytes, .modified_at = at}),
      at);
  return {};
}

Status FolderReader::add_active(const FolderFile& file) {
  HOLDFAST_TRY(const Value capsule, object_in(file.bytes));
  HOLDFAST_TRY(StoredCapsule stored, capsule_of(capsule, stem_of(file.path, ".json")));
  active_[stored.subject().name()] = std::move(stored);
  return {};
}

Status FolderReader::add_fallback(const FolderFile& file) {
  HOLDFAST_TRY(const Value envelope, object_in(file.bytes));
  const Value* capsule = envelope.find("capsule");
  if (capsule == nullptr) return invalid_argument("the envelope has no capsule");
  HOLDFAST_TRY(StoredCapsule stored, capsule_of(*capsule, stem_of(file.path, ".json")));
  fallback_[stored.subject().name()] = std::move(stored);
  return {};
}

Status FolderReader::add_archive(const FolderFile& file) {
  HOLDFAST_TRY(const StoredCapsule stored, archived_of(file.bytes, stem_of(file.path, ".json")));
  put_capsule(archive_noun(), stored.archive_stem, stored);
  return {};
}

Status FolderReader::add_cold(const FolderFile& file) {
  HOLDFAST_TRY(const std::string bytes, gunzip(file.bytes, kMostUnpacked));
  const std::string stem = stem_of(file.path, ".json.gz");
  HOLDFAST_TRY(cold_[stem].stored, archived_of(bytes, stem));
  return {};
}

Status FolderReader::add_stub(const FolderFile& file) {
  HOLDFAST_TRY(const ColdStub stub, read_cold_stub(file.bytes));
  Cold& cold = cold_[stem_of(file.path, ".md")];
  cold.cold_stored_at = stub.cold_stored_at;
  cold.phase = stub.phase;
  return {};
}

Status FolderReader::add_document(const FolderFile& file) {
  HOLDFAST_TRY(const Value body, object_in(file.bytes));
  std::string kind = task_noun().kind;
  std::string member = "task_id";
  for (const Artefact* artefact :
       {&handoff_artefact(), &shared_artefact(), &reconciliation_artefact()}) {
    if (!file.path.starts_with(artefact->folder)) continue;
    kind = artefact->noun.kind;
    member = artefact->id_member;
    HOLDFAST_CHECK_OK(check_artefact_id(*artefact, text_of(body, member)));
  }
  const std::string id = text_of(body, member);
  if (id.empty()) return invalid_argument("it has no " + member);
  const Value ordered = kind == task_noun().kind ? ordered_task(body) : ordered_artefact(body);
  put(kind, id, task_noun().codec.encode_text({.body = ordered}), text_of(body, "updated_at"));
  return {};
}

Status FolderReader::add_plan(const FolderFile& file) {
  HOLDFAST_TRY(const Value body, object_in(file.bytes));
  put(plan_noun().kind, file.path == kRefreshPath ? "refresh" : "retention",
      plan_noun().codec.encode_text({.body = body}), text_of(body, "last_planned_at"));
  return {};
}

Status FolderReader::add_registry(const FolderFile& file) {
  HOLDFAST_TRY(const Value registry, object_in(file.bytes));
  const auto add_peer = [&](std::string id, Value peer) {
    if (!peer.is_object()) return;
    if (id.empty()) id = text_of(peer, "peer_id");
    if (id.empty()) return;
    peer.set("peer_id", id);
    put(peer_noun().kind, id, peer_noun().codec.encode_text({.body = ordered_peer(peer)}),
        text_of(peer, "updated_at"));
  };
  const Value* peers = registry.find("peers");
  for (const Value& peer : list_of(registry, "peers")) add_peer("", peer);
  if (const auto* members = peers != nullptr ? peers->if_object() : nullptr) {
    for (const auto& member : *members) add_peer(member.name, member.value);
  }
  return {};
}

void FolderReader::add_reminder(const Value& reminder) {
  put(reminder_noun().kind, text_of(reminder, "schedule_id"),
      reminder_noun().codec.encode_text({.body = reminder}), text_of(reminder, "updated_at"));
}

void FolderReader::put(const std::string& kind, const std::string& id, std::string body,
                       const std::string& updated_at) {
  const Timestamp at = parse_iso(updated_at).value_or(modified_);
  objects_.push_back({.key = {.kind = kind, .id = id},
                      .revision = 1,
                      .body = std::move(body),
                      .created_at = at,
                      .updated_at = at});
}

void FolderReader::put_capsule(const Noun<StoredCapsule>& noun, const std::string& id,
                               const StoredCapsule& stored) {
  put(noun.kind, id, noun.codec.encode_text(stored), text_of(stored.capsule, "updated_at"));
  const PathClaim claim{.subject_kind = stored.subject_kind, .subject_id = stored.subject_id};
  put(path_noun().kind, stored.stem, path_noun().codec.encode_text(claim),
      text_of(stored.capsule, "updated_at"));
}

std::vector<Object> FolderReader::take() {
  for (auto& [name, stored] : active_) {
    stored.has_fallback = fallback_.erase(name) > 0;
    put_capsule(capsule_noun(), name, stored);
  }
  for (const auto& [name, stored] : fallback_) put_capsule(fallback_noun(), name, stored);
  for (auto& [stem, cold] : cold_) {
    // Without its stub a payload is invisible, and the other way round.
    if (cold.stored.archive_stem.empty() || cold.cold_stored_at.empty()) continue;
    cold.stored.cold_stored_at = cold.cold_stored_at;
    cold.stored.cold_phase = cold.phase;
    put_capsule(archive_noun(), stem, cold.stored);
  }
  std::map<ObjectKey, size_t> last;
  for (size_t i = 0; i < objects_.size(); ++i) last[objects_[i].key] = i;
  std::vector<Object> out;
  for (const auto& [key, at] : last) out.push_back(std::move(objects_[at]));
  return out;
}

}  // namespace holdfast::service::continuity
