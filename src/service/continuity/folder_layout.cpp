#include "service/continuity/folder_layout.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "service/continuity/artefacts.h"
#include "service/continuity/cold_stub.h"
#include "service/continuity/document.h"
#include "service/continuity/gzip.h"
#include "service/continuity/paths.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/trust.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

// File systems take 255 bytes; this leaves room for an ending.
constexpr size_t kLongestName = 240;

// A file name of an id: whatever could lead elsewhere or surprise a file system is written as %XX.
// The end of a long one is its hash; who reads the file finds the id inside.
std::string safe_name(std::string_view id) {
  std::string out;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  if (out.size() <= kLongestName) return out;
  const std::string hash = to_hex(sha256(id));
  return out.substr(0, kLongestName - hash.size() - 1) + "-" + hash;
}

Value snapshot_envelope(const StoredCapsule& stored) {
  return Value::object({{"schema_type", "continuity_fallback_snapshot"},
                        {"schema_version", "1.1"},
                        {"captured_at", text_of(stored.capsule, "updated_at")},
                        {"source_path", active_path(stored.stem)},
                        {"verification_status", verification_status(stored.capsule)},
                        {"health_status", health_status(stored.capsule)},
                        {"capsule", stored.capsule}});
}

std::vector<FolderFile> capsule_files(const std::string& kind, const StoredCapsule& stored) {
  std::vector<FolderFile> out;
  const FolderFile snapshot{.path = fallback_path(stored.stem),
                            .bytes = canonical_text(snapshot_envelope(stored))};
  if (kind == fallback_noun().kind) return {snapshot};
  if (kind == capsule_noun().kind) {
    out.push_back({.path = active_path(stored.stem), .bytes = canonical_text(stored.capsule)});
    if (stored.has_fallback) out.push_back(snapshot);
    return out;
  }
  const std::string envelope = canonical_text(archive_envelope(stored));
  if (stored.cold_stored_at.empty())
    return {{.path = archive_path(stored.archive_stem), .bytes = envelope}};
  return {{.path = cold_path(stored.archive_stem), .bytes = gzip(envelope)},
          {.path = stub_path(stored.archive_stem), .bytes = cold_stub(stored)}};
}

std::string document_path(const std::string& kind, const std::string& id, const Value& body) {
  if (kind == task_noun().kind)
    return fmt::format("tasks/{}/{}.json", text_of(body, "status") == "done" ? "done" : "open",
                       safe_name(id));
  if (kind == plan_noun().kind) return std::string(id == "refresh" ? kRefreshPath : kRetentionPath);
  for (const Artefact* artefact :
       {&handoff_artefact(), &shared_artefact(), &reconciliation_artefact()}) {
    if (kind == artefact->noun.kind) return artefact_path(*artefact, safe_name(id));
  }
  return {};
}

}  // namespace

std::vector<FolderFile> files_of(const Object& object) {
  const std::string& kind = object.key.kind;
  if (kind == capsule_noun().kind || kind == fallback_noun().kind || kind == archive_noun().kind) {
    const auto stored = storage::value_of(capsule_noun(), object);
    return stored ? capsule_files(kind, *stored) : std::vector<FolderFile>();
  }
  if (kind == file_noun().kind) {
    const auto file = storage::value_of(file_noun(), object);
    if (!file || path_problem(file->path) || file->path.find("..") != std::string::npos) return {};
    return {{.path = file->path, .bytes = file->text}};
  }
  const auto document = storage::value_of(task_noun(), object);
  const std::string path =
      document ? document_path(kind, object.key.id, document->body) : std::string();
  if (path.empty()) return {};
  return {{.path = path, .bytes = canonical_text(document->body)}};
}

std::string registry_text(const std::map<std::string, Value>& peers) {
  Value all = Value::object();
  for (const auto& [id, peer] : peers) all.set(id, peer);
  return canonical_text(Value::object({{"schema_version", "1.0"}, {"peers", std::move(all)}}));
}

}  // namespace holdfast::service::continuity
