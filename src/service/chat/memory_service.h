// Memories that a person keeps, reads, corrects and forgets. Every function works for one user; an
// object of another user does not exist for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/chat/memory.h"
#include "storage/store.h"

namespace holdfast::service::chat {

namespace reason {
inline constexpr std::string_view kConfirmRequired = "confirm_required";
inline constexpr std::string_view kKeyReused = "idempotency_conflict";
}  // namespace reason

struct MemorySource {
  std::string thread_id = {};
  std::string message_id = {};
  Timestamp created_at = {};
};

struct CreateMemory {
  std::string user = {};
  std::string request_id = {};
  std::string domain = {};
  std::optional<std::string> title = {};
  std::string content = {};
  std::vector<std::string> tags = {};
  Value importance = {};
  std::optional<std::string> mood_anchor = {};
  Rigor rigor = Rigor::kNormal;
  std::optional<MemorySource> source = {};
};

struct CreatedMemory {
  std::string request_id = {};
  std::string memory_id = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
  std::string domain = {};
  std::optional<std::string> title = {};
  std::string summary = {};
  std::vector<std::string> tags = {};
  Rigor rigor = Rigor::kNormal;
  bool replayed = false;
};

// Strictly after this place, newest first; without an id: created before that time.
struct MemoryCursor {
  Timestamp created_at = {};
  std::string memory_id = {};
};

struct ListMemories {
  std::string user = {};
  std::string domain = {};
  std::vector<std::string> tags_any = {};
  std::string thread_id = {};
  std::string type = {};
  int64_t limit = 50;
  std::optional<MemoryCursor> cursor = {};
};

struct ShownMemory {
  std::string id = {};
  Memory memory = {};
  bool hazy = false;
  std::optional<Timestamp> hazy_at = {};
};

struct MemoryPage {
  std::vector<ShownMemory> items = {};
  std::optional<MemoryCursor> next = {};
};

struct PatchMemory {
  std::string user = {};
  std::string memory_id = {};
  std::string request_id = {};
  std::optional<std::string> snippet = {};
  std::optional<std::vector<std::string>> tags = {};
  std::optional<std::optional<std::string>> mood_anchor = {};
  std::optional<std::optional<std::string>> summary = {};
  std::optional<std::optional<std::string>> title = {};
};

struct PatchedMemory {
  std::string request_id = {};
  std::string memory_id = {};
  Timestamp updated_at = {};
  bool replayed = false;
};

struct DeleteMemory {
  std::string user = {};
  std::string memory_id = {};
  bool confirmed = false;
};

// Everything given must hold; nothing given: every memory of the user, whatever its state.
struct DeleteMany {
  std::string user = {};
  std::string request_id = {};
  std::string operation = {};  // batch_delete or clear_all
  std::string thread_id = {};
  std::string domain = {};
  std::vector<std::string> tags_any = {};
  std::optional<Timestamp> created_before = {};
  bool everything = false;  // clear_all: also ends distillations under way
};

struct DeletedMany {
  std::string request_id = {};
  int64_t deleted_count = 0;
  bool replayed = false;
};

class MemoryService {
 public:
  MemoryService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                const search::Index& index, const Clock& clock, const ChatSettings& settings)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock), settings_(settings) {}

  // kConflict with reason idempotency_conflict if the request id was used for something else.
  Result<CreatedMemory> create(const CallContext& call, const CreateMemory& request);
  Result<MemoryPage> list(const CallContext& call, const ListMemories& request) const;
  // kNotFound.
  Result<ShownMemory> get(const CallContext& call, const std::string& user,
                          const std::string& memory_id) const;
  Result<PatchedMemory> patch(const CallContext& call, const PatchMemory& request);
  // Deleting what is not there is fine. kConflict with reason confirm_required.
  Status remove(const CallContext& call, const DeleteMemory& request);
  Result<DeletedMany> remove_many(const CallContext& call, const DeleteMany& request);

 private:
  ShownMemory shown(std::string id, Memory memory) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const ChatSettings& settings_;
};

}  // namespace holdfast::service::chat
