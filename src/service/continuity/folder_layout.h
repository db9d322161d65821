// Objects of the continuity family as files of the published folder layout, and back. Pure: reading
// and writing folders is the caller's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/object.h"
#include "service/continuity/nouns.h"

namespace holdfast::service::continuity {

struct FolderFile {
  std::string path = {};  // relative to the folder
  std::string bytes = {};
};

// The files of one object; none for kinds that the layout does not know. Peers and reminders are
// not among them: each kind shares one file (below).
std::vector<FolderFile> files_of(const Object& object);

inline constexpr std::string_view kRegistryFile = "peers/registry.json";
inline constexpr std::string_view kScheduleFile = "memory/schedule/schedule.db";
// All peers, by their ids, as the registry file.
std::string registry_text(const std::map<std::string, Value>& peers);

// Collects the files of a folder and makes objects of them.
class FolderReader {
 public:
  // What is wrong with a file that cannot be taken, or nothing. Files may come in any order.
  Status add(const FolderFile& file, Timestamp modified);
  void add_reminder(const Value& reminder);
  // Everything that was added; snapshots and cold archives are put together from their parts.
  std::vector<Object> take();

 private:
  Status add_active(const FolderFile& file);
  Status add_fallback(const FolderFile& file);
  Status add_archive(const FolderFile& file);
  Status add_cold(const FolderFile& file);
  Status add_stub(const FolderFile& file);
  Status add_document(const FolderFile& file);
  Status add_registry(const FolderFile& file);
  Status add_plan(const FolderFile& file);
  void put(const std::string& kind, const std::string& id, std::string body,
           const std::string& updated_at);
  void put_capsule(const Noun<StoredCapsule>& noun, const std::string& id,
                   const StoredCapsule& stored);

  struct Cold {
    StoredCapsule stored = {};
    std::string cold_stored_at = {};
    std::string phase = {};
  };
  std::map<std::string, StoredCapsule> active_ = {};    // by the subject's name
  std::map<std::string, StoredCapsule> fallback_ = {};  // likewise
  std::map<std::string, Cold> cold_ = {};               // by the archive's stem
  std::vector<Object> objects_ = {};
  Timestamp modified_ = {};  // of the file that is being added
};

}  // namespace holdfast::service::continuity
